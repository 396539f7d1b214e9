import { classificationReport } from '@evenhand/encoding';
import { seededRandom } from '@evenhand/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Estimate } from '../../src/evaluation/estimate.js';
import { type Evaluation, evaluate } from '../../src/evaluation/evaluate.js';
import { confusionResampler } from '../../src/evaluation/resampled-confusion.js';
import { denseConfusion, sparseConfusion } from '../../src/evaluation/sparse-confusion.js';
import { type SimulatedOutputs, simulateOutputs } from './simulated-outputs.js';

const classNames = (classes: number) => Array.from({ length: classes }, (_, p) => `class ${p}`);

/** Draws of a confusion matrix, all cells of each. */
function resampler(confusion: readonly number[], classes: number, seed: number): () => number[] {
  const resample = confusionResampler(sparseConfusion(confusion, classes), seededRandom(seed, 'confusion'));
  return () => denseConfusion(resample());
}

describe('a resampled confusion matrix', () => {
  it('has rows from the multinomial distribution', () => {
    const draws = 40_000;
    const resample = resampler([9, 1, 0, 1, 2, 2, 0, 0, 3], 3, 1);
    const seen = new Map<string, number>();
    for (let i = 0; i < draws; i++) {
      const row = resample().slice(3, 6).join();
      seen.set(row, (seen.get(row) ?? 0) + 1);
    }
    // Row 1 is five draws with probabilities 1/5, 2/5 and 2/5: 21 outcomes of 5!/(a!·b!·c!)·(1/5)^a·(2/5)^(b+c).
    const factorial = [1, 1, 2, 6, 24, 120];
    let chiSquare = 0;
    for (let a = 0; a <= 5; a++) {
      for (let b = 0; b <= 5 - a; b++) {
        const ways = [a, b, 5 - a - b].reduce((left, k) => left / (factorial[k] ?? 0), 120);
        const expected = draws * ways * (1 / 5) ** a * (2 / 5) ** (5 - a);
        chiSquare += ((seen.get(`${a},${b},${5 - a - b}`) ?? 0) - expected) ** 2 / expected;
      }
    }
    // The 99.9th percentile of chi-square with 20 degrees of freedom.
    expect(chiSquare).toBeLessThan(45.3);
  });

  it('keeps the number of instances of every class, and a cell without instances without any', () => {
    const confusion = [50, 7, 0, 1, 900, 2, 0, 0, 0];
    const resample = resampler(confusion, 3, 2);
    for (let i = 0; i < 200; i++) {
      const [a = 0, b = 0, c, d = 0, e = 0, f = 0, ...absent] = resample();
      expect([a + b, c, d + e + f, ...absent]).toEqual([57, 0, 903, 0, 0, 0]);
    }
  });

  it('spreads as far as a binomial should where there are many instances', () => {
    const resample = resampler([70_000, 30_000, 0, 1], 2, 3);
    const hits = Array.from({ length: 4000 }, () => resample()[0] ?? 0);
    const mean = hits.reduce((a, b) => a + b) / hits.length;
    const variance = hits.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (hits.length - 1);
    const expected = 100_000 * 0.7 * 0.3;
    expect(Math.abs(mean - 70_000)).toBeLessThan(4 * Math.sqrt(expected / hits.length));
    // The variance of 4000 draws has a relative standard error of √(2/4000) = 2.2 %.
    expect(Math.abs(variance / expected - 1)).toBeLessThan(0.09);
  });
});

/** Draws instances, class by class, and reports on what was drawn: slow, and obviously right. */
function naiveIntervals({ labels, probabilities }: SimulatedOutputs, trainingCounts: readonly number[], draws: number) {
  const random = seededRandom(77, 'naive');
  const classes = trainingCounts.length;
  const members = trainingCounts.map((_, p) => Array.from(labels.keys()).filter((i) => labels[i] === p));
  const reports = Array.from({ length: draws }, () => {
    const drawn = members.flatMap((own) => own.map(() => own[Math.floor(random() * own.length)] ?? 0));
    return classificationReport(
      drawn.map((i) => labels[i] ?? 0),
      drawn.flatMap((i) => [...probabilities.subarray(i * classes, (i + 1) * classes)]),
      { classes, trainingCounts },
    );
  });
  return (of: (report: (typeof reports)[number]) => number | null) => {
    const sorted = reports.map((report) => of(report) ?? Number.NaN).sort((a, b) => a - b);
    return {
      low: sorted[Math.round(0.025 * draws)] ?? Number.NaN,
      high: sorted[Math.round(0.975 * draws)] ?? Number.NaN,
    };
  };
}

describe('intervals agree with resampling instances one by one', () => {
  function expectNear(estimate: Estimate | undefined, naive: { low: number; high: number }) {
    const width = naive.high - naive.low;
    expect(width).toBeGreaterThan(0);
    expect(Math.abs((estimate?.interval?.low ?? Number.NaN) - naive.low)).toBeLessThan(0.1 * width);
    expect(Math.abs((estimate?.interval?.high ?? Number.NaN) - naive.high)).toBeLessThan(0.1 * width);
  }

  it('for two classes', () => {
    const outputs = simulateOutputs([150, 40], 5);
    const trainingCounts = [300, 80];
    const { estimates } = evaluate({
      ...outputs,
      classNames: classNames(2),
      trainingCounts,
      seed: 1,
      resamples: 10_000,
    });
    const naive = naiveIntervals(outputs, trainingCounts, 2000);
    expectNear(
      estimates.accuracy,
      naive((report) => report.accuracy),
    );
    expectNear(
      estimates.matthewsCorrelation,
      naive((report) => report.matthewsCorrelation.value),
    );
    expectNear(
      estimates.minorityAccuracy,
      naive((report) => report.minority.accuracy.value),
    );
    expectNear(
      estimates.binary?.rocAuc,
      naive((report) => report.perClass[1]?.rocAuc.value ?? null),
    );
    expectNear(
      estimates.binary?.averagePrecision,
      naive((report) => report.perClass[1]?.averagePrecision.value ?? null),
    );
  });

  it('for four classes', () => {
    const outputs = simulateOutputs([100, 60, 40, 30], 6);
    const trainingCounts = [300, 80, 20, 20];
    const { estimates } = evaluate({
      ...outputs,
      classNames: classNames(4),
      trainingCounts,
      seed: 1,
      resamples: 10_000,
    });
    const naive = naiveIntervals(outputs, trainingCounts, 2000);
    expectNear(
      estimates.balancedAccuracy,
      naive((report) => report.balancedAccuracy),
    );
    expectNear(
      estimates.macroF1,
      naive((report) => report.macro.f1.value),
    );
    expectNear(
      estimates.gMean,
      naive((report) => report.gMean),
    );
    expectNear(
      estimates.minorityAccuracy,
      naive((report) => report.minority.accuracy.value),
    );
    expectNear(
      estimates.matthewsCorrelation,
      naive((report) => report.matthewsCorrelation.value),
    );
  });
});

describe('intervals cover the truth', () => {
  const simulations = 200;
  const support = [120, 60];

  const evaluateSimulation = (instances: readonly number[], seed: number, resamples: number) =>
    evaluate({
      ...simulateOutputs(instances, seed),
      classNames: classNames(2),
      trainingCounts: instances,
      seed,
      resamples,
    });
  let truth: Evaluation;
  let evaluations: readonly Evaluation[];
  beforeAll(() => {
    // A thousand times the instances: its values are off by a thirtieth of what a test set's are.
    truth = evaluateSimulation(
      support.map((count) => 1000 * count),
      1,
      100,
    );
    evaluations = Array.from({ length: simulations }, (_, s) => evaluateSimulation(support, 1000 + s, 500));
  }, 60_000);

  const metrics: [string, (evaluation: Evaluation) => Estimate | undefined][] = [
    ['accuracy', ({ estimates }) => estimates.accuracy],
    ['balanced accuracy', ({ estimates }) => estimates.balancedAccuracy],
    ['macro F1', ({ estimates }) => estimates.macroF1],
    ['G-mean', ({ estimates }) => estimates.gMean],
    ['Matthews correlation', ({ estimates }) => estimates.matthewsCorrelation],
    ['recall', ({ estimates }) => estimates.recall[1]],
    ['ROC-AUC', ({ estimates }) => estimates.binary?.rocAuc],
    ['average precision', ({ estimates }) => estimates.binary?.averagePrecision],
  ];

  it.each(metrics)('of the %s for about 19 of 20 test sets', (_, metric) => {
    const value = metric(truth)?.value ?? Number.NaN;
    const covered = evaluations.filter((evaluation) => {
      const interval = metric(evaluation)?.interval;
      return interval !== null && interval !== undefined && interval.low <= value && value <= interval.high;
    });
    // 95 % ± 3 standard errors of 200 simulations (1.5 points each), and a point for a bootstrap's narrowness.
    expect(covered.length / simulations).toBeGreaterThan(0.895);
    expect(covered.length / simulations).toBeLessThan(0.995);
  });
});
