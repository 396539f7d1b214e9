import { join } from 'node:path';
import type { Metric } from '@evenhand/encoding';
import { z } from 'zod';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import type { Estimate } from '../evaluation/estimate.js';
import type { Evaluation } from '../evaluation/evaluate.js';
import { denseConfusion, sparseConfusion } from '../evaluation/sparse-confusion.js';
import type { FittedTemperature } from '../evaluation/temperature.js';
import type { FittedThreshold } from '../evaluation/threshold.js';
import { commandLine } from '../wording/command-line.js';
import type { ClassCounts } from './classes-file.js';
import { readJsonFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

/** What was fitted of a decision; null where it was not asked for. */
export interface FittedDecision {
  readonly temperature: FittedTemperature | null;
  readonly threshold: FittedThreshold | null;
}

/** The content of `evaluation.json`: the model on the test set. */
export interface TestEvaluation extends Evaluation {
  /** The epoch, from 0, whose weights are in `model.onnx`. Never chosen on test data. */
  readonly weights: { readonly epoch: number; readonly chosen: 'last epoch' | 'best validation soft accuracy' };
  readonly counts: ClassCounts;
  readonly decision: FittedDecision;
  /**
   * The same with answers by the threshold, where one was fitted. Its scores are probabilities stretched so that the
   * threshold lies at 1/2: what it says of calibration is not about probabilities.
   */
  readonly thresholded: Evaluation | null;
}

/** An evaluation of the answers as the model gives them: by its threshold, where it has one. */
export type AnswersEvaluation = Omit<TestEvaluation, 'thresholded'>;

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
    accuracy: estimate,
    balancedAccuracy: estimate,
    macroF1: estimate,
    gMean: estimate,
    minorityAccuracy: estimate,
    matthewsCorrelation: estimate,
    recall: z.array(estimate).readonly(),
    binary: z.object({ positive: count, rocAuc: estimate, averagePrecision: estimate }).nullable(),
  }),
  bootstrap: z.object({ resamples: count, seed: count }),
};

const testEvaluationSchema: z.ZodType<TestEvaluation> = z.object({
  weights: z.object({ epoch: count, chosen: z.enum(['last epoch', 'best validation soft accuracy']) }),
  counts: z.object({ training: counts, validation: counts, test: counts }),
  decision: z.object({
    temperature: z
      .union([z.object({ temperature: z.number() }), z.object({ temperature: z.null(), reason: z.string() })])
      .nullable(),
    threshold: z
      .union([
        z.object({ threshold: z.number(), positive: count }),
        z.object({ threshold: z.null(), reason: z.string() }),
      ])
      .nullable(),
  }),
  ...evaluation,
  thresholded: z.object(evaluation).nullable(),
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
    missing: `${folder} is not complete: it has no ${RUN_FILES.evaluation}. Go on with it: ${resume}`,
    damaged: `Evaluate the run again: ${resume}`,
  });
}

/**
 * What an evaluation says of the model's answers. With a threshold these are not the likeliest classes; what is about the
 * probabilities themselves, their calibration and how they rank instances, does not depend on it.
 */
export function ofAnswers({ thresholded, ...evaluated }: TestEvaluation): AnswersEvaluation {
  return thresholded === null ? evaluated : { ...evaluated, ...answersBy(thresholded, evaluated) };
}

/**
 * Joins the evaluation of answers with that of the probabilities behind them.
 *
 * @param answers - of scores whose largest is the answer
 */
export function answersBy(answers: Evaluation, probabilities: Evaluation): Evaluation {
  const { brier, calibration } = probabilities.report;
  return {
    ...answers,
    report: { ...answers.report, brier, calibration },
    estimates: { ...answers.estimates, binary: probabilities.estimates.binary },
  };
}
