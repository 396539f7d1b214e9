import { describe, expect, it } from 'vitest';
import { type Averages, classificationReport, type Metric } from '../src/index.js';
import { cases, drawCase, madeWith } from './golden/cases.js';

/** Both undefined, or equal to 1e-12. */
function expectMetric(ours: Metric | undefined, theirs: number | null | undefined, what: string) {
  if (theirs === null || theirs === undefined) {
    expect(ours?.value, what).toBeNull();
    expect(ours, what).toHaveProperty('reason', expect.stringMatching(/\w/));
  } else {
    expect(Math.abs((ours?.value ?? Number.NaN) - theirs), `${what}: ${ours?.value} against ${theirs}`).toBeLessThan(
      1e-12,
    );
  }
}

const averaged: (keyof Averages)[] = [
  'recall',
  'precision',
  'specificity',
  'f1',
  'gMean',
  'indexBalancedAccuracy',
  'rocAuc',
  'averagePrecision',
];

describe(`metrics agree with ${madeWith}`, () => {
  it('has enough cases, with 2 to 50 classes, absent classes and ties', () => {
    expect(cases.length).toBeGreaterThanOrEqual(200);
    expect(Math.min(...cases.map((c) => c.classes))).toBe(2);
    expect(Math.max(...cases.map((c) => c.classes))).toBe(50);
    expect(cases.filter((c) => c.perClass.some((p) => p.recall === null)).length).toBeGreaterThan(100);
  });

  it.each(cases)('case $seed: $classes classes, $instances instances', (golden) => {
    const { labels, scores, training } = drawCase(golden.seed);
    const report = classificationReport(labels, scores, { classes: golden.classes, trainingCounts: training });
    const number = (value: number): Metric => ({ value });

    expect(report.instances).toBe(golden.instances);
    expectMetric(number(report.accuracy), golden.accuracy, 'accuracy');
    expectMetric(number(report.topK.accuracy), golden.topK, 'topK');
    expectMetric(number(report.balancedAccuracy), golden.balancedAccuracy, 'balancedAccuracy');
    expectMetric(number(report.gMean), golden.gMean, 'gMean');
    expectMetric(report.matthewsCorrelation, golden.matthewsCorrelation, 'matthewsCorrelation');
    expectMetric(report.cohensKappa, golden.cohensKappa, 'cohensKappa');
    expectMetric(report.minority.accuracy, golden.minority, 'minority');
    expectMetric(report.groups.many, golden.many, 'many');
    expectMetric(report.groups.medium, golden.medium, 'medium');
    expectMetric(report.groups.few, golden.few, 'few');
    expectMetric(report.brier, golden.brier, 'brier');
    expectMetric(report.calibration.expectedError, golden.expectedError, 'expectedError');
    expectMetric(report.calibration.maximumError, golden.maximumError, 'maximumError');
    for (const key of averaged) {
      expectMetric(report.macro[key], golden.macro[key], `macro ${key}`);
      expectMetric(report.weighted[key], golden.weighted[key], `weighted ${key}`);
      for (const [p, expected] of golden.perClass.entries()) {
        // An absent class still has a specificity, which the libraries do not report for it.
        if (key === 'specificity' && expected.recall === null) continue;
        expectMetric(report.perClass[p]?.[key], expected[key], `class ${p} ${key}`);
      }
    }
  });
});

it('answers that are not the largest scores count in accuracy and confusion; ranking and calibration stay those of the scores', () => {
  const [labels, scores] = [
    [0, 0, 1],
    [0.9, 0.1, 0.6, 0.4, 0.7, 0.3],
  ];
  const likeliest = classificationReport(labels, scores, { classes: 2 });
  const report = classificationReport(labels, scores, { classes: 2, answers: [0, 1, 1] });
  expect(report.confusionMatrix).toEqual([1, 1, 0, 1]);
  expect(report.accuracy).toBeCloseTo(2 / 3, 12);
  expect(report.balancedAccuracy).toBe(0.75);
  expect(report.perClass[1]?.precision).toEqual({ value: 0.5 });
  expect(report.topK).toEqual(likeliest.topK);
  expect(report.calibration).toEqual(likeliest.calibration);
  expect(report.brier).toEqual(likeliest.brier);
  expect(report.perClass[1]?.averagePrecision).toEqual(likeliest.perClass[1]?.averagePrecision);
  expect(report.logLoss.value).toBeCloseTo(-Math.log(0.9 * 0.6 * 0.3) / 3, 12);
});
