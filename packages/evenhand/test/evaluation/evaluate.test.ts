import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Estimate } from '../../src/evaluation/estimate.js';
import { evaluate } from '../../src/evaluation/evaluate.js';
import { UserError } from '../../src/user-error.js';
import { shuffleInstances, simulateOutputs } from './simulated-outputs.js';

/** What has an interval whatever the number of classes. */
const overall = [
  'accuracy',
  'balancedAccuracy',
  'macroF1',
  'gMean',
  'minorityAccuracy',
  'matthewsCorrelation',
] as const;

const evaluateSimulation = (support: readonly number[], seed = 1) =>
  evaluate({
    ...simulateOutputs(support, 9),
    classNames: support.map((_, p) => `class ${p}`),
    trainingCounts: support,
    seed,
  });

/** Outputs for 2 to 5 classes, some of them without an instance. */
const supports = fc
  .array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 5 })
  .filter((counts) => counts.some((count) => count > 0));

function expectHonest(estimate: Estimate, least = 0) {
  if (estimate.interval === null) {
    expect(estimate.reason).toMatch(/\w/);
    return;
  }
  const { low, high } = estimate.interval;
  expect(low).toBeGreaterThanOrEqual(least);
  expect(high).toBeGreaterThanOrEqual(low);
  expect(high).toBeLessThanOrEqual(1);
}

describe('evaluate', () => {
  it('has the values of the report', () => {
    const { report, estimates } = evaluateSimulation([80, 40, 10]);
    expect(estimates.accuracy.value).toBe(report.accuracy);
    expect(estimates.balancedAccuracy.value).toBe(report.balancedAccuracy);
    expect(estimates.macroF1.value).toBe(report.macro.f1.value);
    expect(estimates.gMean.value).toBe(report.gMean);
    expect(estimates.minorityAccuracy.value).toBe(report.minority.accuracy.value);
    expect(estimates.matthewsCorrelation.value).toBe(report.matthewsCorrelation.value);
    expect(estimates.recall.map(({ value }) => value)).toEqual(report.perClass.map(({ recall }) => recall.value));
  });

  it('has an interval around every value', () => {
    const { estimates } = evaluateSimulation([80, 40, 10]);
    for (const { value, interval } of [...overall.map((key) => estimates[key]), ...estimates.recall]) {
      expect(interval?.low).toBeLessThan(value ?? Number.NaN);
      expect(interval?.high).toBeGreaterThan(value ?? Number.NaN);
    }
  });

  it('ranks the class with fewer training instances before the other', () => {
    const outputs = simulateOutputs([30, 90], 3);
    const { report, estimates } = evaluate({ ...outputs, classNames: ['a', 'b'], trainingCounts: [30, 90], seed: 1 });
    expect(estimates.binary?.positive).toBe(0);
    expect(estimates.binary?.averagePrecision.value).toBe(report.perClass[0]?.averagePrecision.value);
    expect(estimates.binary?.rocAuc.value).toBe(report.perClass[0]?.rocAuc.value);
  });

  it('has no binary metrics for more than two classes', () => {
    expect(evaluateSimulation([20, 20, 20]).estimates.binary).toBeNull();
  });

  it('faults 6 and 7: gives the same for the same seed, and other intervals for another', () => {
    const first = evaluateSimulation([200, 60], 4);
    expect(evaluateSimulation([200, 60], 4)).toEqual(first);
    const second = evaluateSimulation([200, 60], 5);
    expect(second.report).toEqual(first.report);
    expect(second.estimates.matthewsCorrelation).not.toEqual(first.estimates.matthewsCorrelation);
    expect(second.estimates.binary?.rocAuc).not.toEqual(first.estimates.binary?.rocAuc);
  });

  it('does not depend on the order of the instances', () => {
    fc.assert(
      fc.property(supports, fc.integer(), (support, seed) => {
        const outputs = simulateOutputs(support, seed);
        const options = { classNames: support.map((_, p) => `class ${p}`), trainingCounts: support, seed };
        const { estimates } = evaluate({ ...outputs, ...options, resamples: 100 });
        expect(evaluate({ ...shuffleInstances(outputs, seed), ...options, resamples: 100 }).estimates).toEqual(
          estimates,
        );
      }),
    );
  });

  it('gives intervals within the bounds of the metric, or a reason, whatever the class counts', () => {
    fc.assert(
      fc.property(supports, fc.integer(), (support, seed) => {
        const { estimates } = evaluate({
          ...simulateOutputs(support, seed),
          classNames: support.map((_, p) => `class ${p}`),
          trainingCounts: support,
          seed,
          resamples: 100,
        });
        for (const key of overall) expectHonest(estimates[key], key === 'matthewsCorrelation' ? -1 : 0);
        for (const estimate of estimates.recall) expectHonest(estimate);
        if (estimates.binary !== null) {
          expectHonest(estimates.binary.rocAuc);
          expectHonest(estimates.binary.averagePrecision);
        }
      }),
    );
  });

  it('survives JSON unchanged', () => {
    const evaluation = evaluateSimulation([30, 0, 4]);
    expect(JSON.parse(JSON.stringify(evaluation))).toEqual(evaluation);
  });

  it('fault 23: a class without test instances has null and the reason, and the others count', () => {
    const { estimates } = evaluateSimulation([40, 0, 20]);
    expect(estimates.recall[1]).toEqual({ value: null, interval: null, reason: 'class class 1 has no instance' });
    expect(estimates.balancedAccuracy.interval).not.toBeNull();
  });

  it('fault 23: no instance of a minority class', () => {
    const { estimates } = evaluate({
      ...simulateOutputs([40, 20, 0], 2),
      classNames: ['a', 'b', 'c'],
      trainingCounts: [40, 20, 3],
      seed: 1,
    });
    expect(estimates.minorityAccuracy).toEqual({
      value: null,
      interval: null,
      reason: 'no minority class has an instance',
    });
  });

  it('fault 23: two classes, one of them absent', () => {
    const { estimates } = evaluate({
      ...simulateOutputs([40, 0], 2),
      classNames: ['no', 'yes'],
      trainingCounts: [40, 2],
      seed: 1,
    });
    expect(estimates.binary).toEqual({
      positive: 1,
      rocAuc: { value: null, interval: null, reason: 'class yes has no instance' },
      averagePrecision: { value: null, interval: null, reason: 'class yes has no instance' },
    });
    expect(estimates.matthewsCorrelation).toMatchObject({ value: null, interval: null });
  });

  it("has Wilson's interval where every instance of a class is found: three of three are not certainty", () => {
    const { estimates } = evaluate({
      labels: Int32Array.of(0, 0, 0, 0, 1, 1, 1),
      probabilities: [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.4, 0.6, 0.1, 0.9, 0.2, 0.8, 0.3, 0.7],
      classNames: ['a', 'b'],
      trainingCounts: [4, 3],
      seed: 1,
    });
    // n / (n + z²), z = 1.96
    expect(estimates.recall[1]).toEqual({
      value: 1,
      interval: { low: expect.closeTo(3 / (3 + 1.959964 ** 2), 6), high: 1 },
    });
    expect(estimates.minorityAccuracy).toEqual(estimates.recall[1]);
    expect(estimates.recall[0]?.interval).toEqual({ low: 0.25, high: 1 });
  });

  it("has Wilson's interval where no instance of a class is found: none of three is not impossibility", () => {
    const { estimates } = evaluate({
      labels: Int32Array.of(0, 0, 0, 0, 1, 1, 1),
      probabilities: [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.4, 0.6, 0.9, 0.1, 0.8, 0.2, 0.7, 0.3],
      classNames: ['a', 'b'],
      trainingCounts: [4, 3],
      seed: 1,
    });
    // z² / (n + z²), z = 1.96
    expect(estimates.recall[1]).toEqual({
      value: 0,
      interval: { low: 0, high: expect.closeTo(1.959964 ** 2 / (3 + 1.959964 ** 2), 6) },
    });
  });

  it('has no interval where too many resamples have no value', () => {
    // One of 30 is taken for class 1; in a third of the resamples it is not drawn and nothing is predicted as class 1.
    const labels = Int32Array.from({ length: 30 }, (_, i) => (i < 20 ? 0 : 1));
    const probabilities = Array.from(labels, (_, i) => (i === 29 ? [0.4, 0.6] : [0.9, 0.1])).flat();
    const { estimates } = evaluate({
      labels,
      probabilities,
      classNames: ['a', 'b'],
      trainingCounts: [20, 10],
      seed: 1,
    });
    expect(estimates.matthewsCorrelation.value).toBeGreaterThan(0);
    expect(estimates.matthewsCorrelation).toMatchObject({
      interval: null,
      reason: expect.stringMatching(/^undefined in 3\d\d of 1000 resamples$/),
    });
  });

  it('fault 34: classes may be named __proto__ and toString', () => {
    const { report, estimates } = evaluate({
      ...simulateOutputs([40, 20], 2),
      classNames: ['__proto__', 'toString'],
      trainingCounts: [40, 20],
      seed: 1,
    });
    expect(report.perClass.map(({ name }) => name)).toEqual(['__proto__', 'toString']);
    expect(estimates.recall.every(({ interval }) => interval !== null)).toBe(true);
  });

  it.each([0, 99, 100.5, 1e6, Number.NaN])('refuses %d resamples', (resamples) => {
    const options = { ...simulateOutputs([4, 4], 2), classNames: ['a', 'b'], trainingCounts: [4, 4], seed: 1 };
    expect(() => evaluate({ ...options, resamples })).toThrow(UserError);
    expect(() => evaluate({ ...options, resamples })).toThrow(
      `resamples is ${resamples}; expected an integer from 100 to 100000`,
    );
  });

  it('fault 36: refuses a probability that is not a number, and says where it is', () => {
    const { labels, probabilities } = simulateOutputs([4, 4], 2);
    probabilities[5] = Number.NaN;
    expect(() => evaluate({ labels, probabilities, classNames: ['a', 'b'], trainingCounts: [4, 4], seed: 1 })).toThrow(
      'probabilities[5] (row 2, class 1) is NaN; expected a probability from 0 to 1',
    );
  });
});
