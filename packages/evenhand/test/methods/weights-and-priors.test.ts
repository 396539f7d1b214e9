import { crossEntropy } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classBalancedWeights } from '../../src/methods/class-balanced-weights.js';
import { inverseFrequencyWeights } from '../../src/methods/inverse-frequency.js';
import { scaledLogPrior } from '../../src/methods/log-prior.js';
import { methods } from '../../src/methods/registry.js';
import { UserError } from '../../src/user-error.js';
import golden from '../golden/methods.json' with { type: 'json' };

const countLists = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 8 });

function expectClose(received: ArrayLike<number>, expected: readonly number[]): void {
  expect(received).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    expect(received[i]).toBeCloseTo(value, 6);
  });
}

describe('classBalancedWeights', () => {
  it('are all 1 with β = 0, and inverse frequencies where β is nearly 1', () => {
    expect(classBalancedWeights([5, 1, 70], 0)).toEqual([1, 1, 1]);
    // 1/6 : 1/3 : 1/2 is 1 : 2 : 3
    expectClose(classBalancedWeights([6, 3, 2], 1 - 1e-12), [0.5, 1, 1.5]);
  });

  it('are (1 − β)/(1 − βⁿ), scaled to a mean of 1', () => {
    // β = 1/2, n = 1, 2: 1 and (1/2)/(3/4) = 2/3
    expectClose(classBalancedWeights([1, 2], 0.5), [1.2, 0.8]);
  });

  it('leave out a class without instances: the others weigh what they weigh without it', () => {
    const [first, absent, third] = classBalancedWeights([400, 0, 7], 0.9999);
    expect(absent).toBe(0);
    expect([first, third]).toEqual(classBalancedWeights([400, 7], 0.9999));
  });

  it('are finite, of mean 1 over the classes that are there, and never lighter for a rarer class', () => {
    const betas = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(countLists, betas, (counts, beta) => {
        const weights = classBalancedWeights(counts, beta);
        expect(weights.every(Number.isFinite)).toBe(true);
        const present = counts.flatMap((count, p) => (count > 0 ? [{ count, weight: weights[p] ?? Number.NaN }] : []));
        const total = present.reduce((sum, { weight }) => sum + weight, 0);
        expect(Math.abs(total - present.length)).toBeLessThan(1e-9);
        present.sort((a, b) => a.count - b.count);
        present.forEach(({ weight }, i) => {
          expect(weight).toBeLessThanOrEqual(present[i - 1]?.weight ?? Number.POSITIVE_INFINITY);
        });
      }),
    );
  });
});

describe('inverseFrequencyWeights', () => {
  it.each(golden.balanced)("are scikit-learn's balanced class weights for $counts", ({ counts, weights }) => {
    expectClose(inverseFrequencyWeights(counts), weights);
  });

  it('do not saturate on large classes, as class-balanced weights do: 99 : 1 against about 3 : 1 for 396,000 and 4,000', () => {
    const ratio = ([common = Number.NaN, rare = Number.NaN]: readonly number[]) => rare / common;
    expect(ratio(inverseFrequencyWeights([396_000, 4_000]))).toBeCloseTo(99, 9);
    // (1 − β³⁹⁶⁰⁰⁰)/(1 − β⁴⁰⁰⁰) with β = 0.9999: 1/(1 − e^−0.40002) = 3.0331
    expect(ratio(classBalancedWeights([396_000, 4_000], 0.9999))).toBeCloseTo(3.0331, 4);
  });

  it('have a mean of 1 over the instances', () => {
    fc.assert(
      fc.property(countLists, (counts) => {
        const total = counts.reduce((sum, count) => sum + count, 0);
        fc.pre(total > 0);
        const weights = inverseFrequencyWeights(counts);
        const weighted = counts.reduce((sum, count, p) => sum + count * (weights[p] ?? Number.NaN), 0);
        expect(weighted / total).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('class-weights', () => {
  const context = {
    classNames: ['fine', 'fraud', 'error'],
    trainingCounts: [90, 9, 1],
    loss: crossEntropy,
    epochs: 1,
    learningRateShare: () => 1,
  };
  const weighted = (weights?: object) => methods['class-weights'].prepare(context, { weights });

  it('weigh classes by name, and those left out 1', () => {
    expect([...weighted({ fraud: 20 }).currentLabels(0).classWeights]).toEqual([1, 20, 1]);
    expect([...weighted({ error: 0.5, fine: 2 }).currentLabels(0).classWeights]).toEqual([2, 1, 0.5]);
  });

  it('are what classes seem to be more common by, and inverse frequencies make all equally common', () => {
    // 90 : 9·20 : 1 of 271 weighted, but for a constant
    const seeming = weighted({ fraud: 20 }).assumedLogPrior ?? [];
    expectClose(
      Array.from(seeming, (log) => Math.exp(log - (seeming[0] ?? 0))),
      [1, 2, 1 / 90],
    );
    const [first = 0, ...others] = methods['inverse-frequency'].prepare(context).assumedLogPrior ?? [];
    expectClose(others, [first, first]);
  });

  it.each([
    [{ Fraud: 20 }, 'there is no class "Fraud"; did you mean "fraud"?'],
    [{ robbery: 20 }, 'there is no class "robbery"; expected "fine", "fraud", "error"'],
    [undefined, 'has no weights, and all classes would weigh the same; expected some, such as {"error": 20}'],
  ])('%j is refused', (weights, message) => {
    expect(() => weighted(weights)).toThrow(UserError);
    expect(() => weighted(weights)).toThrow(message);
  });
});

describe('scaledLogPrior', () => {
  it('is τ times the logarithm of the share in training', () => {
    expectClose(scaledLogPrior([60, 30, 10], 1), [Math.log(0.6), Math.log(0.3), Math.log(0.1)]);
    expectClose(scaledLogPrior([3, 1], 2), [2 * Math.log(0.75), 2 * Math.log(0.25)]);
  });

  it('counts a class without instances as one with 1', () => {
    expect(scaledLogPrior([98, 0, 1], 1.5)).toEqual(scaledLogPrior([98, 1, 1], 1.5));
  });

  it('is finite for any counts', () => {
    fc.assert(
      fc.property(countLists, (counts) => {
        expect(scaledLogPrior(counts, 1).every(Number.isFinite)).toBe(true);
      }),
    );
  });
});
