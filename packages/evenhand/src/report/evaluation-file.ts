import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../files/file-error.js';
import { RUN_FILES } from '../runs/run-folder.js';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';

const metric = z.union([z.object({ value: z.number() }), z.object({ value: z.null(), reason: z.string() })]);
const estimate = z.union([
  z.object({ value: z.number(), interval: z.object({ low: z.number(), high: z.number() }) }),
  z.object({ value: z.number().nullable(), interval: z.null(), reason: z.string() }),
]);
const counts = z.array(z.int());

const onTestSet = {
  report: z.object({
    instances: z.int(),
    topK: z.object({ k: z.int(), accuracy: z.number() }),
    minority: z.object({ classes: counts }),
    brier: metric,
    calibration: z.object({
      expectedError: metric,
      bins: z.array(z.object({ count: z.int(), confidence: z.number(), accuracy: z.number() })),
    }),
    confusionMatrix: z.array(z.number()),
    perClass: z.array(z.object({ name: z.string(), recall: metric, precision: metric, f1: metric })),
  }),
  estimates: z.object({
    accuracy: estimate,
    balancedAccuracy: estimate,
    macroF1: estimate,
    gMean: estimate,
    minorityAccuracy: estimate,
    matthewsCorrelation: estimate,
    recall: z.array(estimate),
    binary: z.object({ rocAuc: estimate, averagePrecision: estimate }).nullable(),
  }),
};

/** What reports show of an `evaluation.json`. */
const evaluationSchema = z.object({
  weights: z.object({ epoch: z.int(), chosen: z.string() }),
  counts: z.object({ training: counts, validation: counts, test: counts }),
  decision: z.object({
    temperature: z.object({ temperature: z.number().nullable() }).nullable(),
    threshold: z.object({ threshold: z.number().nullable() }).nullable(),
  }),
  ...onTestSet,
  thresholded: z.object(onTestSet).nullable(),
  bootstrap: z.object({ resamples: z.int() }),
});

/** An evaluation of the answers as the model gives them: by the threshold, where one was fitted. */
export type ReportedEvaluation = Omit<z.output<typeof evaluationSchema>, 'thresholded'>;

/**
 * Reads the evaluation of a run.
 *
 * @throws {@link UserError} if the run is not complete
 */
export async function readEvaluation(run: string): Promise<ReportedEvaluation> {
  const file = join(run, RUN_FILES.evaluation);
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      throw new UserError(`${run} has no ${RUN_FILES.evaluation}: its training is not complete. Resume it first`);
    }
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError(
      `${file} is not JSON; the file is damaged. Resume the run: a complete one is only evaluated again`,
    );
  }
  const result = evaluationSchema.safeParse(json, { error: describeIssue });
  if (result.success) return ofAnswers(result.data);
  throw new UserError(
    `${file} was written by another version of evenhand: ${faultsOf(result.error, json)[0]}. ` +
      'Resume the run: a complete one is only evaluated again',
  );
}

/** With a threshold, all but what is said of the probabilities themselves is about the answers that it gives. */
function ofAnswers({ thresholded, ...evaluation }: z.output<typeof evaluationSchema>): ReportedEvaluation {
  if (thresholded === null) return evaluation;
  const { brier, calibration } = evaluation.report;
  return { ...evaluation, ...thresholded, report: { ...thresholded.report, brier, calibration } };
}
