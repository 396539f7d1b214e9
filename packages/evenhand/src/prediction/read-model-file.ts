import { ModelError, readMetadata, readModel } from '@evenhand/engine';
import type { z } from 'zod';
import { type AnswerRule, answerRuleSchema } from '../decision/answer-rule.js';
import { readWholeFile } from '../files/read-file.js';
import type { Preprocessing } from '../preprocessing/preprocessing.js';
import { preprocessingSchema } from '../preprocessing/schema.js';
import { treeFeatures } from '../preprocessing/tree-features.js';
import { UserError } from '../user-error.js';
import { checkGraph, checkInputs, type ModelInput, type ModelOutputs } from './model-graph.js';
import { inputTypeOf } from './table-graph.js';

/** A `model.onnx` of ours, and what it says of itself. */
export interface ModelFile extends ModelOutputs {
  /** What messages call it. */
  readonly source: string;
  readonly bytes: Uint8Array;
  readonly classNames: readonly string[];
  readonly preprocessing: Preprocessing;
  /** How its probabilities become answers; null for the likeliest class. */
  readonly rule: AnswerRule | null;
}

/**
 * Reads a model, a file or its bytes, and checks that it is one that this package can predict with.
 *
 * @throws UserError
 */
export async function readModelFile(file: string | Uint8Array): Promise<ModelFile> {
  const source = typeof file === 'string' ? file : 'the model';
  const bytes = typeof file === 'string' ? await readWholeFile(file) : file;
  try {
    return { source, bytes, ...describe(readModel(bytes, source), source) };
  } catch (error) {
    if (error instanceof ModelError) throw new UserError(error.message);
    throw error;
  }
}

function describe(model: ReturnType<typeof readModel>, source: string): Omit<ModelFile, 'source' | 'bytes'> {
  const { classNames, preprocessing: json, answers } = readMetadata(model);
  const lacks = [
    ...(classNames === undefined ? ['the names of its classes'] : []),
    ...(json === undefined ? ['its preprocessing'] : []),
  ];
  if (classNames === undefined || json === undefined) {
    throw new UserError(
      `${source} is an ONNX model without ${lacks.join(' and ')} in its metadata; ` +
        'expected the model.onnx of a training run of evenhand',
    );
  }
  const preprocessing = known(preprocessingSchema, json, 'a preprocessing', source);
  const rule = answers === undefined ? null : known(answerRuleSchema, answers, 'a rule of its answers', source);
  checkInputs(model, inputsOf(preprocessing), source);
  const treeColumns = preprocessing.kind === 'table' ? treeFeatures(preprocessing).tableColumns.length : 0;
  return { classNames, preprocessing, rule, ...checkGraph(model, classNames, treeColumns, source) };
}

function known<Content>(schema: z.ZodType<Content>, json: unknown, what: string, source: string): Content {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UserError(
    `${source} has ${what} that this version of evenhand does not know ` +
      `(${issue?.path.join('.')}: ${issue?.message}); use the version that trained it`,
  );
}

/** What a model with this preprocessing takes. */
function inputsOf(preprocessing: Preprocessing): ModelInput[] {
  if (preprocessing.kind === 'images') return [{ name: 'images', type: 'uint8', shape: preprocessing.shape }];
  return preprocessing.columns.map(({ type }) => ({ name: type.name, type: inputTypeOf(type), shape: [1] }));
}
