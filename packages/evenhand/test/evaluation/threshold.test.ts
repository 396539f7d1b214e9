import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitThreshold, positiveClass } from '../../src/evaluation/threshold.js';
import { UserError } from '../../src/user-error.js';
import { shuffleInstances, simulateOutputs } from './simulated-outputs.js';

/** `[instances, 2]` from the probabilities of class 1. */
const rows = (positive: readonly number[]) => positive.flatMap((p) => [1 - p, p]);

describe('fitThreshold', () => {
  it('is the middle of the gap between the classes', () => {
    expect(fitThreshold(Int32Array.of(0, 0, 1, 1), rows([0.05, 0.1, 0.3, 0.4]), 'balanced-accuracy', 1)).toEqual({
      threshold: 0.2,
      positive: 1,
    });
  });

  it('compares the probability of the class that is called positive', () => {
    const labels = Int32Array.of(1, 1, 0, 0);
    const { threshold } = fitThreshold(labels, [0.125, 0.875, 0.25, 0.75, 0.5, 0.5, 0.75, 0.25], 'f1', 0);
    expect(threshold).toBe(0.375);
  });

  it('takes the one next to 0.5 of equally good thresholds', () => {
    // 0.45 finds half of class 1 and mistakes none of class 0; 0.15 finds all and mistakes half.
    const { threshold } = fitThreshold(Int32Array.of(0, 1, 0, 1), rows([0.1, 0.2, 0.4, 0.5]), 'balanced-accuracy', 1);
    expect(threshold).toBe(0.45);
  });

  it('falls as a false negative costs more', () => {
    const { labels, probabilities } = simulateOutputs([200, 200], 2);
    const thresholds = [0.1, 1, 10].map(
      (cost) => fitThreshold(labels, probabilities, { costs: [1, cost] }, 1).threshold,
    );
    const [cheap, equal, dear] = thresholds.map((threshold) => threshold ?? Number.NaN);
    expect(cheap).toBeGreaterThan(equal ?? Number.NaN);
    expect(equal).toBeGreaterThan(dear ?? Number.NaN);
  });

  it('predicts nothing as positive where that is cheapest, unless its probability is 1', () => {
    const labels = Int32Array.of(1, 0, 0);
    expect(fitThreshold(labels, rows([0.2, 0.5, 0.8]), { costs: [10, 1] }, 1).threshold).toBe(0.9);
    expect(fitThreshold(labels, rows([0.2, 0.5, 1]), { costs: [10, 1] }, 1).threshold).toBe(0.75);
  });

  it('predicts everything as positive where that is cheapest', () => {
    expect(fitThreshold(Int32Array.of(1, 0, 1), rows([0.25, 0.5, 0.75]), { costs: [1, 10] }, 1).threshold).toBe(0.125);
  });

  it('is at least as good as 0.5 on the data it was fitted to', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), (seed, a, b) => {
        const { labels, probabilities } = simulateOutputs([a, b], seed, { advantage: 0.5 });
        const balanced = (threshold: number) => {
          const found = (own: number) =>
            labels.filter(
              (label, i) => label === own && ((probabilities[2 * i + 1] ?? 0) >= threshold ? 1 : 0) === own,
            );
          return found(0).length / a + found(1).length / b;
        };
        const { threshold } = fitThreshold(labels, probabilities, 'balanced-accuracy', 1);
        expect(balanced(threshold ?? Number.NaN)).toBeGreaterThanOrEqual(balanced(0.5) - 1e-12);
      }),
    );
  });

  it('does not depend on the order of the instances', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const outputs = simulateOutputs([20, 10], seed);
        const shuffled = shuffleInstances(outputs, seed);
        expect(fitThreshold(shuffled.labels, shuffled.probabilities, 'f1', 1)).toEqual(
          fitThreshold(outputs.labels, outputs.probabilities, 'f1', 1),
        );
      }),
    );
  });

  it('lies above the lower of two probabilities without a number between them', () => {
    const low = 0.5;
    const high = 0.5 + Number.EPSILON / 2;
    expect(fitThreshold(Int32Array.of(0, 1), rows([low, high]), 'f1', 1).threshold).toBe(high);
  });

  it('fault 23: declines where a class has no instance', () => {
    expect(fitThreshold(Int32Array.of(1, 1), rows([0.2, 0.6]), 'f1', 1)).toEqual({
      threshold: null,
      reason: 'class 0 has no validation instance',
    });
  });

  it.each([0, -1, Number.POSITIVE_INFINITY])('refuses a cost of %d', (cost) => {
    const fit = () => fitThreshold(Int32Array.of(0, 1), rows([0.2, 0.6]), { costs: [1, cost] }, 1);
    expect(fit).toThrow(UserError);
    expect(fit).toThrow(`costs has ${cost}; expected two positive numbers, of a false positive and a false negative`);
  });

  it('refuses a positive class that is none of the two', () => {
    expect(() => fitThreshold(Int32Array.of(0, 1), rows([0.2, 0.6]), 'f1', 2)).toThrow(
      'positive is 2; expected class 0 or 1',
    );
  });
});

describe('positiveClass', () => {
  it('is the rarer of the two, and the second of equals', () => {
    expect([positiveClass([3, 9]), positiveClass([9, 3]), positiveClass([5, 5])]).toEqual([0, 1, 1]);
  });
});
