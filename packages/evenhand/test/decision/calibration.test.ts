import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CalibrationOptions,
  fitCalibration,
  logProbabilities,
  withCalibration,
} from '../../src/decision/calibration.js';
import { shuffleInstances, simulateOutputs } from '../evaluation/simulated-outputs.js';
import golden from '../golden/decision.json' with { type: 'json' };
import { naturalOutputs, renamed, repeated } from './natural-outputs.js';

const fitted = (
  { labels, probabilities }: { readonly labels: Int32Array; readonly probabilities: Float64Array },
  options: CalibrationOptions = {},
) => fitCalibration(labels, logProbabilities(probabilities), probabilities.length / labels.length, options);

const closeTo = (values: readonly number[], digits: number) => values.map((value) => expect.closeTo(value, digits));

describe(`fitCalibration agrees with ${golden.madeWith}`, () => {
  it.each(golden.twoClasses)('logistic regression: temperature $temperature, bias $bias', (theirs) => {
    const { temperature, biases } = fitCalibration(
      Int32Array.from(theirs.labels),
      logProbabilities(theirs.probabilities),
      2,
      { weights: theirs.weights, expectation: 0 },
    );
    expect(temperature / theirs.temperature).toBeCloseTo(1, 5);
    expect((biases[1] ?? 0) - (biases[0] ?? 0)).toBeCloseTo(theirs.bias, 5);
  });

  it.each(golden.severalClasses)('the documented loss of $classes classes: temperature $temperature', (theirs) => {
    const { classes, weights, expectation } = theirs;
    const logits = logProbabilities(theirs.probabilities);
    const { temperature, biases } = fitCalibration(Int32Array.from(theirs.labels), logits, classes, {
      weights,
      expectation,
    });
    expect(temperature / theirs.temperature).toBeCloseTo(1, 5);
    expect(biases).toEqual(closeTo(theirs.biases, 5));
  });
});

describe('fitCalibration', () => {
  it('leaves a calibrated classifier as it is, and undoes sharpness and shift', () => {
    const outputs = naturalOutputs([6000, 3000, 600], 1);
    const { temperature, biases } = fitted(outputs);
    expect(Math.abs(temperature - 1)).toBeLessThan(0.05);
    for (const bias of biases) expect(Math.abs(bias)).toBeLessThan(0.12);
    const wrong = withCalibration(outputs.probabilities, { temperature: 0.5, biases: [0, 1, -1] });
    const undone = withCalibration(wrong, fitted({ ...outputs, probabilities: wrong }));
    const right = withCalibration(outputs.probabilities, fitted(outputs));
    for (const [i, p] of undone.entries()) expect(Math.abs(p - (right[i] ?? 0))).toBeLessThan(0.01);
  });

  it('makes probabilities for natural frequencies of rows that were drawn class by class, by their weights', () => {
    const natural = [9500, 400, 100];
    // Trained as if the classes were equally frequent, and watched on as many rows of each.
    const outputs = naturalOutputs([300, 300, 300], 2, { prior: [1, 1, 1] });
    const { temperature, biases } = fitted(outputs, {
      classWeights: natural.map((count) => count / 300),
      shift: natural.map(Math.log),
    });
    expect(Math.abs(temperature - 1)).toBeLessThan(0.15);
    const expected = natural.map((count) => Math.log(count / 9500));
    for (const [q, bias] of biases.entries()) expect(Math.abs(bias - (expected[q] ?? 0))).toBeLessThan(0.4);
    const met = naturalOutputs([9500, 400, 100], 3, { prior: [1, 1, 1] });
    const mean = (q: number) => {
      const given = withCalibration(met.probabilities, { temperature, biases });
      return given.filter((_, k) => k % 3 === q).reduce((a, b) => a + b, 0) / met.labels.length;
    };
    expect(Math.abs(mean(1) - 0.04)).toBeLessThan(0.02);
    expect(Math.abs(mean(2) - 0.01)).toBeLessThan(0.01);
  });

  it('keeps a class of a few rows near the shift that is expected, and lets many rows speak', () => {
    const shift = [0, -3];
    // The rows say something else: no shift at all.
    const distance = (rows: number) => {
      const { biases } = fitted(naturalOutputs([rows, rows], 4), { shift, expectation: 10 });
      return Math.abs((biases[1] ?? 0) - (biases[0] ?? 0));
    };
    expect(distance(2000)).toBeLessThan(0.15);
    const alone = fitted(naturalOutputs([400, 2], 5, { prior: [1, 1] }), { expectation: 0 }).biases;
    const shrunken = fitted(naturalOutputs([400, 2], 5, { prior: [1, 1] })).biases;
    expect(Math.abs(shrunken[1] ?? 0)).toBeLessThan(Math.abs(alone[1] ?? 0) / 2);
  });

  it('a class without rows stays at the expected shift', () => {
    const { labels, probabilities } = simulateOutputs([60, 60, 0], 6);
    const { biases } = fitted({ labels, probabilities });
    expect(biases.every(Number.isFinite)).toBe(true);
  });

  it('hardly moves the temperature for a handful of rows that are all answered rightly', () => {
    const { temperature } = fitted(simulateOutputs([5, 5], 1, { advantage: 12 }), { classWeights: [400, 4] });
    expect(temperature).toBeGreaterThan(0.8);
    expect(temperature).toBeLessThan(1.1);
  });

  it('stays within 0.05 and 20 where certainty is mistaken, also where the truth had probability 0', () => {
    const labels = Int32Array.from({ length: 400 }, (_, i) => i % 2);
    const probabilities = Float64Array.from({ length: 800 }, (_, k) => (k % 4 === 1 || k % 4 === 2 ? 1 : 0));
    expect(fitted({ labels, probabilities }).temperature).toBeCloseTo(20, 6);
  });

  it('weights are repetitions', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 30, maxLength: 30 }),
        (seed, times) => {
          const outputs = simulateOutputs([12, 10, 8], seed);
          const counts = [12, 10, 8];
          const weighted = fitted(outputs, { weights: times, counts });
          const same = fitted(repeated(outputs, times), { counts });
          expect(weighted.temperature).toBeCloseTo(same.temperature, 6);
          expect(weighted.biases).toEqual(closeTo(same.biases, 6));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('does not depend on the order of rows and classes, nor on what is added to the logits of a row', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const outputs = simulateOutputs([20, 12, 6], seed);
        const { temperature, biases } = fitted(outputs);
        const order = [2, 0, 1];
        const other = fitted(shuffleInstances(renamed(outputs, order), seed));
        expect(other.temperature).toBeCloseTo(temperature, 6);
        expect(order.map((q) => other.biases[q] ?? 0)).toEqual(closeTo(biases, 6));
        const logits = logProbabilities(outputs.probabilities).map((logit, k) => logit + Math.floor(k / 3) - 20);
        expect(fitCalibration(outputs.labels, logits, 3).biases).toEqual(closeTo(biases, 6));
      }),
      { numRuns: 20 },
    );
  });

  it.each<[CalibrationOptions, string]>([
    [{ weights: [1, 2] }, 'weights has 2 numbers; expected 30'],
    [{ classWeights: [1, -1] }, 'classWeights[1] is -1; expected a number from 0'],
    [{ classWeights: [0, 0] }, 'the weights of the rows sum to 0; expected at least one row with a weight'],
    [{ shift: [1] }, 'shift is [1]; expected 2 numbers, one for each class'],
  ])('refuses %j', (options, message) => {
    expect(() => fitted(simulateOutputs([15, 15], 1), options)).toThrow(new RangeError(message));
  });

  it('fault 36: refuses labels and logits that do not fit, and says where they are', () => {
    const { labels, probabilities } = simulateOutputs([15, 15], 1);
    expect(() =>
      fitCalibration(
        labels.map((label) => label * 2),
        logProbabilities(probabilities),
        2,
      ),
    ).toThrow('labels[15] is 2; expected an integer from 0 to 1 (2 classes)');
    expect(() => fitCalibration(labels, probabilities.subarray(1), 2)).toThrow(RangeError);
    const broken = logProbabilities(probabilities);
    broken[7] = Number.NaN;
    expect(() => fitCalibration(labels, broken, 2)).toThrow('row 3');
  });
});

describe('withCalibration', () => {
  it('is softmax(log p / T + b): odds of 3 become odds of √3·e at T = 2 and a bias of 1', () => {
    const [low = 0, high = 0] = withCalibration([0.25, 0.75], { temperature: 2, biases: [0, 1] });
    expect(high / low).toBeCloseTo(Math.sqrt(3) * Math.E, 12);
  });

  it('gives probabilities, also of 0 and 1', () => {
    const rows = withCalibration([0, 1, 1, 0, 1e-40, 1], { temperature: 3, biases: [0.5, -0.5] });
    for (let i = 0; i < rows.length; i += 2) expect((rows[i] ?? 0) + (rows[i + 1] ?? 0)).toBeCloseTo(1, 12);
    expect(rows.every((p) => p > 0 && p <= 1)).toBe(true);
  });

  it.each([0, -1, Number.NaN])('refuses a temperature of %d', (temperature) => {
    expect(() => withCalibration([0.25, 0.75], { temperature, biases: [0, 0] })).toThrow(
      `temperature is ${temperature}; expected a number above 0`,
    );
  });
});
