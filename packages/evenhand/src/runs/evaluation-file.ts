import { join } from 'node:path';
import type { Metric } from '@evenhand/encoding';
import { z } from 'zod';
import { answerRuleSchema } from '../decision/answer-rule.js';
import type { Calibration } from '../decision/calibration.js';
import type { FittedAnswers } from '../decision/fit-answers.js';
import type { Estimate } from '../evaluation/estimate.js';
import type { Evaluation } from '../evaluation/evaluate.js';
import { commandLine } from '../wording/command-line.js';
import type { ClassCounts } from './classes-file.js';
import { readJsonFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

/** What was fitted on the validation set; null where it was not asked for. */
export interface FittedDecision {
  readonly calibration: Calibration | null;
  readonly answers: FittedAnswers | null;
}

/** The content of `evaluation.json`: the model on the test set, its answers as it gives them. */
export interface TestEvaluation extends Evaluation {
  /** The epoch, from 0, whose weights are in `model.onnx`. Never chosen on test data. */
  readonly weights: { readonly epoch: number; readonly chosen: 'last epoch' | 'best validation soft accuracy' };
  readonly counts: ClassCounts;
  readonly decision: FittedDecision;
}

const count = z.int().min(0);
const counts = z.array(count).readonly();

const metric: z.ZodType<Metric> = z.union([
  z.object({ value: z.number() }),
  z.object({ value: z.null(), reason: z.string() }),
]);

const estimate: z.ZodType<Estimate> = z.union([
  z.object({ value: z.number(), interval: z.object({ low: z.number(), high: z.number() }) }),
  z.object({ value: z.number().nullable(), interval: z.null(), reason: z.string() }),
]);

const averages = {
  recall: metric,
  precision: metric,
  specificity: metric,
  f1: metric,
  gMean: metric,
  indexBalancedAccuracy: metric,
  rocAuc: metric,
  averagePrecision: metric,
};

const evaluation = {
  report: z.object({
    instances: count,
    accuracy: z.number(),
    topK: z.object({ k: count, accuracy: z.number() }),
    balancedAccuracy: z.number(),
    gMean: z.number(),
    matthewsCorrelation: metric,
    cohensKappa: metric,
    minority: z.object({ classes: counts, accuracy: metric }),
    groups: z.object({ many: metric, medium: metric, few: metric }),
    macro: z.object(averages),
    weighted: z.object(averages),
    brier: metric,
    logLoss: metric,
    calibration: z.object({
      expectedError: metric,
      maximumError: metric,
      bins: z
        .array(
          z.object({
            lower: z.number(),
            upper: z.number(),
            count,
            confidence: z.number(),
            accuracy: z.number(),
          }),
        )
        .readonly(),
    }),
    confusionMatrix: z.array(z.number()).readonly(),
    perClass: z.array(z.object({ name: z.string(), support: count, predicted: count, ...averages })).readonly(),
  }),
  estimates: z.object({
    accuracy: estimate,
    balancedAccuracy: estimate,
    macroF1: estimate,
    gMean: estimate,
    minorityAccuracy: estimate,
    matthewsCorrelation: estimate,
    recall: z.array(estimate).readonly(),
    binary: z.object({ positive: count, rocAuc: estimate, averagePrecision: estimate }).nullable(),
  }),
  costs: z
    .object({
      total: z.number(),
      mean: estimate,
      likeliest: z.object({ total: z.number(), mean: z.number() }),
    })
    .nullable(),
  bootstrap: z.object({ resamples: count, seed: count }),
};

const testEvaluationSchema: z.ZodType<TestEvaluation> = z.object({
  weights: z.object({ epoch: count, chosen: z.enum(['last epoch', 'best validation soft accuracy']) }),
  counts: z.object({ training: counts, validation: counts, test: counts }),
  decision: z.object({
    calibration: z.object({ temperature: z.number(), biases: z.array(z.number()).readonly() }).nullable(),
    answers: z.object({ rule: answerRuleSchema.nullable(), reason: z.string().nullable() }).nullable(),
  }),
  ...evaluation,
});

/** The text of `evaluation.json`. */
export function formatEvaluation(content: TestEvaluation): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Reads the evaluation of a run.
 *
 * @throws {@link UserError} if the run is not complete
 */
export function readEvaluation(folder: string): Promise<TestEvaluation> {
  const resume = commandLine('resume', folder);
  return readJsonFile(join(folder, RUN_FILES.evaluation), testEvaluationSchema, {
    missing: `${folder} is not complete: it has no ${RUN_FILES.evaluation}. Go on with it: ${resume}`,
    damaged: `Evaluate the run again: ${resume}`,
  });
}
