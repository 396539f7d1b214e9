import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/schema.js';
import { readModelFile } from '../prediction/read-model-file.js';
import type { Preprocessing } from '../preprocessing/preprocessing.js';
import type { Environment } from '../runs/environment.js';
import { RUN_FILES, RunFolder } from '../runs/run-folder.js';
import { UserError } from '../user-error.js';
import { type ReportedEvaluation, readEvaluation } from './evaluation-file.js';
import { readPredictions, type TestPredictions } from './predictions-file.js';

const epochSchema = z.object({
  epoch: z.int(),
  loss: z.number(),
  validation: z.object({ softAccuracy: z.number(), accuracy: z.number() }),
});
const generatorSchema = z.object({ epoch: z.int(), generator: z.array(z.array(z.number())) });

/** The generator matrix that an epoch was trained with, as rows. */
export type ReportedGenerator = z.output<typeof generatorSchema>;

/** All that a report says of a run. */
export interface RunData {
  /** The folder's name. */
  readonly name: string;
  readonly folder: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly evaluation: ReportedEvaluation;
  readonly classNames: readonly string[];
  /** Places of the classes, from most to fewest training instances. Charts and tables keep to this order. */
  readonly classOrder: readonly number[];
  /** The classes that minority accuracy is about. */
  readonly minority: ReadonlySet<number>;
  readonly epochs: readonly z.output<typeof epochSchema>[];
  readonly generators: readonly ReportedGenerator[];
  readonly predictions: TestPredictions;
  readonly preprocessing: Preprocessing;
}

/**
 * Reads a complete run.
 *
 * @throws {@link UserError} if it is none, not complete or damaged
 */
export async function readRun(folder: string): Promise<RunData> {
  const run = await RunFolder.open(folder);
  const evaluation = await readEvaluation(folder);
  const classNames = evaluation.report.perClass.map(({ name }) => name);
  const { training } = evaluation.counts;
  return {
    name: basename(resolve(folder)),
    folder,
    config: run.config,
    environment: run.environment,
    evaluation,
    classNames,
    classOrder: Array.from(classNames.keys()).sort((a, b) => (training[b] ?? 0) - (training[a] ?? 0) || a - b),
    minority: new Set(evaluation.report.minority.classes),
    epochs: checked(epochSchema, await run.metrics(), join(folder, RUN_FILES.metrics)),
    generators: checked(generatorSchema, await run.generators(), join(folder, RUN_FILES.generators)),
    predictions: await readPredictions(folder, classNames),
    preprocessing: (await readModelFile(join(folder, RUN_FILES.model))).preprocessing,
  };
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  lines: readonly unknown[],
  file: string,
): z.output<Schema>[] {
  return lines.map((line, i) => {
    const result = schema.safeParse(line);
    if (result.success) return result.data;
    throw new UserError(`${file}: line ${i + 1} is not what training writes; the file is damaged. Train again`);
  });
}
