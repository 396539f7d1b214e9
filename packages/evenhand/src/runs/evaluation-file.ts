import { join } from 'node:path';
import type { Metric } from '@evenhand/encoding';
import { z } from 'zod';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import { answerRuleSchema } from '../decision/answer-rule.js';
import type { Calibration } from '../decision/calibration.js';
import type { FittedAnswers } from '../decision/fit-answers.js';
import type { Estimate } from '../evaluation/estimate.js';
import type { Evaluation } from '../evaluation/evaluate.js';
import { denseConfusion, sparseConfusion } from '../evaluation/sparse-confusion.js';
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
  /** The epoch, from 0, whose weights are in `model.onnx`; of a refit, the one up to which it was trained. Never chosen on test data. */
  readonly weights: {
    readonly epoch: number;
    readonly chosen: 'last epoch' | 'best validation soft accuracy' | 'lowest balanced log-loss out of fold';
  };
  /** Of a run without a test set, `test` are the training instances, which were evaluated out of fold. */
  readonly counts: ClassCounts;
  readonly decision: FittedDecision;
  /** Where there is no test set: every training row, by the network that has not seen it. */
  readonly estimated?: 'out of fold';
  /** The members that the model is a mixture of, if there are several. */
  readonly portfolio?: readonly PortfolioMember[];
  /** Where a refit was asked for; members of a portfolio have one each. */
  readonly refit?: Refit;
}

/**
 * A pack of networks that was trained again on all training rows, and is in `model.onnx` in place of the pack that left out folds; or why
 * that one is there all the same.
 */
export type Refit = { readonly rows: number; readonly epochs: number } | { readonly skipped: string };

/** A member of a portfolio; trained in a run of its own, in the folder `members/<name>`. */
export interface PortfolioMember {
  readonly name: string;
  /** Its share in the probabilities. */
  readonly weight: number;
  /** Out of fold; null if it was left out. */
  readonly balancedLogLoss: number | null;
  readonly balancedAccuracy: number | null;
  /** Epochs that were trained. */
  readonly epochs: number;
  /** Why it has no share, if it was not trained to its end. */
  readonly leftOut?: string;
  /** Of a member with a share, where a refit was asked for. */
  readonly refit?: Refit;
}

const count = z.int().min(0);
const counts = z.array(count).readonly();

const metric: z.ZodType<Metric> = z.union([
  z.object({ value: z.number() }),
  z.object({ value: z.null(), reason: z.string() }),
]);

/** What an estimate looks like in a file. */
export const estimateSchema: z.ZodType<Estimate> = z.union([
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

/** Of very many classes: the cells of the confusion matrix that are not 0. */
const cells = z.object({ labels: counts, answers: counts, instances: counts });

const report = z
  .object({
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
    confusionMatrix: z.union([z.array(z.number()).readonly(), cells]),
    perClass: z.array(z.object({ name: z.string(), support: count, predicted: count, ...averages })).readonly(),
  })
  .refine(
    ({ confusionMatrix, perClass }) => 'length' in confusionMatrix || areOfClasses(confusionMatrix, perClass.length),
    {
      path: ['confusionMatrix'],
      message: 'has other classes than perClass',
    },
  )
  .transform(({ confusionMatrix, ...rest }) => ({
    ...rest,
    confusionMatrix: 'length' in confusionMatrix ? confusionMatrix : allCells(confusionMatrix, rest.perClass.length),
  }));

const evaluation = {
  report,
  estimates: z.object({
    accuracy: estimateSchema,
    balancedAccuracy: estimateSchema,
    macroF1: estimateSchema,
    gMean: estimateSchema,
    minorityAccuracy: estimateSchema,
    matthewsCorrelation: estimateSchema,
    recall: z.array(estimateSchema).readonly(),
    binary: z.object({ positive: count, rocAuc: estimateSchema, averagePrecision: estimateSchema }).nullable(),
  }),
  costs: z
    .object({
      total: z.number(),
      mean: estimateSchema,
      likeliest: z.object({ total: z.number(), mean: z.number() }),
    })
    .nullable(),
  bootstrap: z.object({ resamples: count, seed: count }),
};

const refit: z.ZodType<Refit> = z.union([z.object({ rows: count, epochs: count }), z.object({ skipped: z.string() })]);

const testEvaluationSchema: z.ZodType<TestEvaluation> = z.object({
  weights: z.object({
    epoch: count,
    chosen: z.enum(['last epoch', 'best validation soft accuracy', 'lowest balanced log-loss out of fold']),
  }),
  counts: z.object({ training: counts, validation: counts, test: counts }),
  decision: z.object({
    calibration: z.object({ temperature: z.number(), biases: z.array(z.number()).readonly() }).nullable(),
    answers: z.object({ rule: answerRuleSchema.nullable(), reason: z.string().nullable() }).nullable(),
  }),
  estimated: z.literal('out of fold').exactOptional(),
  portfolio: z
    .array(
      z.object({
        name: z.string(),
        weight: z.number(),
        balancedLogLoss: z.number().nullable(),
        balancedAccuracy: z.number().nullable(),
        epochs: count,
        leftOut: z.string().exactOptional(),
        refit: refit.exactOptional(),
      }),
    )
    .readonly()
    .exactOptional(),
  refit: refit.exactOptional(),
  ...evaluation,
});

function areOfClasses({ labels, answers, instances }: z.output<typeof cells>, classes: number): boolean {
  const isClass = (index: number) => index < classes;
  return (
    labels.length === instances.length &&
    answers.length === instances.length &&
    labels.every(isClass) &&
    answers.every(isClass)
  );
}

function allCells({ labels, answers, instances }: z.output<typeof cells>, classes: number): readonly number[] {
  return denseConfusion({
    classes,
    rows: Int32Array.from(labels),
    columns: Int32Array.from(answers),
    counts: Float64Array.from(instances),
  });
}

/** The text of `evaluation.json`. */
export function formatEvaluation(content: TestEvaluation): string {
  const { perClass, confusionMatrix } = content.report;
  if (!hasTooManyClasses(perClass.length)) return `${JSON.stringify(content, null, 2)}\n`;
  const { rows, columns, counts: instances } = sparseConfusion(confusionMatrix, perClass.length);
  const stored = { labels: [...rows], answers: [...columns], instances: [...instances] };
  return `${JSON.stringify({ ...content, report: { ...content.report, confusionMatrix: stored } })}\n`;
}

/**
 * Reads the evaluation of a run.
 *
 * @throws {@link UserError} if the run is not complete
 */
export function readEvaluation(folder: string): Promise<TestEvaluation> {
  const resume = commandLine('resume', folder);
  return readJsonFile(join(folder, RUN_FILES.evaluation), testEvaluationSchema, {
    missing: `${folder} is not complete: it has no ${RUN_FILES.evaluation}. Continue it: ${resume}`,
    damaged: `Evaluate the run again: ${resume}`,
  });
}
