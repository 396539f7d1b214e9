import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTemperature, withTemperature } from '../../src/evaluation/temperature.js';
import { shuffleInstances, simulateOutputs } from './simulated-outputs.js';

const seeds = fc.integer();

/** With an advantage of a and scores of variance 1, `softmax(a·scores)` is Bayes' rule, and so calibrated. */
const calibrated = (sharpness: number, seed: number) =>
  simulateOutputs([150, 150, 150], seed, { advantage: 1.2, sharpness: 1.2 * sharpness });

const sumOfLogs = (labels: Int32Array, probabilities: Float64Array, classes: number) =>
  labels.reduce((sum, label, i) => sum + Math.log(probabilities[i * classes + label] ?? 0), 0);

function fitted(labels: Int32Array, probabilities: Float64Array, classes: number): number {
  const { temperature } = fitTemperature(labels, probabilities, classes);
  if (temperature === null) throw new Error('no temperature was fitted');
  return temperature;
}

describe('fitTemperature', () => {
  it('is above 1 for a classifier that is too sure, below for one that is not sure enough', () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 2, max: 6, noNaN: true }), (seed, sharpness) => {
        const sure = calibrated(sharpness, seed);
        expect(fitted(sure.labels, sure.probabilities, 3)).toBeGreaterThan(1);
        const unsure = calibrated(1 / sharpness, seed);
        expect(fitted(unsure.labels, unsure.probabilities, 3)).toBeLessThan(1);
      }),
      { numRuns: 30 },
    );
  });

  it('is about 1 for a calibrated classifier', () => {
    const { labels, probabilities } = simulateOutputs([4000, 4000, 4000], 1, { advantage: 1.2, sharpness: 1.2 });
    expect(Math.abs(fitted(labels, probabilities, 3) - 1)).toBeLessThan(0.05);
  });

  it('undoes a temperature that was applied before', () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 0.5, max: 4, noNaN: true }), (seed, temperature) => {
        const { labels, probabilities } = calibrated(1, seed);
        const changed = withTemperature(probabilities, 3, temperature);
        expect(fitted(labels, changed, 3) * temperature).toBeCloseTo(fitted(labels, probabilities, 3), 6);
      }),
      { numRuns: 30 },
    );
  });

  it('has the best likelihood of all temperatures nearby', () => {
    const { labels, probabilities } = calibrated(3, 8);
    const temperature = fitted(labels, probabilities, 3);
    const likelihood = (t: number) => sumOfLogs(labels, withTemperature(probabilities, 3, t), 3);
    for (const factor of [0.5, 0.99, 1.01, 2]) {
      expect(likelihood(temperature)).toBeGreaterThan(likelihood(factor * temperature));
    }
  });

  it('does not depend on the order of the instances', () => {
    const outputs = calibrated(2, 3);
    const shuffled = shuffleInstances(outputs, 1);
    expect(fitted(shuffled.labels, shuffled.probabilities, 3)).toBeCloseTo(
      fitted(outputs.labels, outputs.probabilities, 3),
      9,
    );
  });

  it('stays within 0.05 and 20 where certainty is mistaken, and where the truth had probability 0', () => {
    const labels = Int32Array.from({ length: 40 }, (_, i) => (i < 3 ? 1 : 0));
    const certain = Float64Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? 1 : 0));
    expect(fitted(labels, certain, 2)).toBeCloseTo(20, 6);
  });

  it('stays within 0.05 and 20 where probabilities hardly differ', () => {
    const labels = Int32Array.from({ length: 40 }, (_, i) => (i < 39 ? 0 : 1));
    const hesitant = Float64Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? 0.5001 : 0.4999));
    expect(fitted(labels, hesitant, 2)).toBeCloseTo(0.05, 6);
  });

  it('declines with fewer than 20 instances', () => {
    const { labels, probabilities } = simulateOutputs([10, 9], 1);
    expect(fitTemperature(labels, probabilities, 2)).toEqual({
      temperature: null,
      reason: 'a temperature needs at least 20 validation instances; there are 19',
    });
  });

  it('declines where nothing is predicted wrongly', () => {
    const { labels, probabilities } = simulateOutputs([15, 15], 1, { advantage: 20 });
    expect(fitTemperature(labels, probabilities, 2)).toEqual({
      temperature: null,
      reason: 'all 30 validation instances are predicted rightly: they cannot show how sure is too sure',
    });
  });

  it('fault 36: refuses what is not a probability, by its place', () => {
    const { labels, probabilities } = simulateOutputs([15, 15], 1);
    probabilities[7] = -0.25;
    expect(() => fitTemperature(labels, probabilities, 2)).toThrow(
      'probabilities[7] (row 3, class 1) is -0.25; expected a probability from 0 to 1',
    );
  });
});

describe('withTemperature', () => {
  it('keeps the order of the classes, and gives probabilities, also for 0 and 1', () => {
    const rows = fc
      .array(fc.constantFrom<number>(0, 1e-300, 1e-30, 0.01, 0.2, 0.3, 5), { minLength: 2, maxLength: 6 })
      .filter((row) => row.some((weight) => weight > 0.005));
    fc.assert(
      fc.property(rows, fc.double({ min: 0.05, max: 20, noNaN: true }), (weights, temperature) => {
        const sum = weights.reduce((a, b) => a + b);
        const row = weights.map((weight) => weight / sum);
        const changed = Array.from(withTemperature(row, row.length, temperature));
        expect(changed.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        for (const [p, a] of row.entries()) {
          for (const [q, b] of row.entries()) {
            if (a >= b) expect(changed[p]).toBeGreaterThanOrEqual(changed[q] ?? Number.NaN);
          }
        }
        expect(changed.indexOf(Math.max(...changed))).toBe(row.indexOf(Math.max(...row)));
      }),
    );
  });

  it('is softmax(log p / T): odds of 3 become odds of √3 at T = 2', () => {
    const [low = 0, high = 0] = withTemperature([0.25, 0.75], 2, 2);
    expect(high / low).toBeCloseTo(Math.sqrt(3), 12);
  });

  it.each([0, -1, Number.NaN])('refuses a temperature of %d', (temperature) => {
    expect(() => withTemperature([0.25, 0.75], 2, temperature)).toThrow(
      `temperature is ${temperature}; expected a number above 0`,
    );
  });

  it('leaves probabilities as they are at T = 1', () => {
    const { probabilities } = simulateOutputs([5, 5, 5], 1);
    for (const [i, p] of withTemperature(probabilities, 3, 1).entries())
      expect(p).toBeCloseTo(probabilities[i] ?? 0, 14);
  });
});
