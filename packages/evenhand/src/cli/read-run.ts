import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/schema.js';
import type { Estimate } from '../evaluation/estimate.js';
import { errorCode } from '../files/file-error.js';
import type { Environment } from '../runs/environment.js';
import { RUN_FILES, RunFolder } from '../runs/run-folder.js';
import { UserError } from '../user-error.js';
import { commandLine } from './shell.js';

const estimateSchema: z.ZodType<Estimate> = z.union([
  z.object({ value: z.number(), interval: z.object({ low: z.number(), high: z.number() }) }),
  z.object({ value: z.number().nullable(), interval: z.null(), reason: z.string() }),
]);

/** What commands read of an evaluation. */
const resultsSchema = z.object({
  report: z.object({
    instances: z.number(),
    perClass: z.array(z.object({ name: z.string(), support: z.number() })).readonly(),
    minority: z.object({ classes: z.array(z.number()).readonly() }),
  }),
  estimates: z.object({
    accuracy: estimateSchema,
    balancedAccuracy: estimateSchema,
    minorityAccuracy: estimateSchema,
    macroF1: estimateSchema,
    gMean: estimateSchema,
    matthewsCorrelation: estimateSchema,
    recall: z.array(estimateSchema).readonly(),
    binary: z.object({ positive: z.number(), rocAuc: estimateSchema, averagePrecision: estimateSchema }).nullable(),
  }),
});

/** A classifier on a test set, as far as it is shown. */
export type Results = z.output<typeof resultsSchema>;

const evaluationSchema = resultsSchema.extend({
  counts: z.object({ training: z.array(z.number()) }),
  thresholded: resultsSchema.nullable(),
});

/** A run that is complete. */
export interface CompleteRun {
  readonly folder: string;
  readonly config: Config;
  readonly environment: Environment;
  /** Training instances of every class. */
  readonly trainingCounts: readonly number[];
  /** On the test set, by the answers that the model gives: with its threshold, where it has one. */
  readonly results: Results;
}

/** Reads a run that is complete. */
export async function readRun(folder: string): Promise<CompleteRun> {
  const { config, environment } = await RunFolder.open(folder);
  const file = join(folder, RUN_FILES.evaluation);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new UserError(
      `${folder} is not complete: it has no ${RUN_FILES.evaluation}. Go on with it: ${commandLine('resume', folder)}`,
    );
  });
  const { data } = evaluationSchema.safeParse(parsed(text));
  if (data === undefined) {
    throw new UserError(`${file} is damaged, or of another version; make it anew: ${commandLine('resume', folder)}`);
  }
  const { counts, thresholded, ...results } = data;
  return { folder, config, environment, trainingCounts: counts.training, results: answers(results, thresholded) };
}

/** Ranking does not depend on a threshold. */
export function answers(results: Results, thresholded: Results | null): Results {
  if (thresholded === null) return results;
  return { ...thresholded, estimates: { ...thresholded.estimates, binary: results.estimates.binary } };
}

/** Whether a run was evaluated. */
export async function isComplete(folder: string): Promise<boolean> {
  return readRun(folder).then(
    () => true,
    (error: unknown) => {
      if (error instanceof UserError) return false;
      throw error;
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
