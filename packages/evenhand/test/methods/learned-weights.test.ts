import { crossEntropy } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { classWiseDifficulty } from '../../src/methods/class-wise-difficulty.js';
import { learnedCosts } from '../../src/methods/learned-costs.js';

const context = {
  classNames: ['a', 'b'],
  trainingCounts: [90, 10],
  loss: crossEntropy,
  epochs: 10,
  learningRateShare: () => 1,
};

/** Of class a three of four are recognised, of class b one of two. */
const OBSERVED = {
  labels: Int32Array.of(0, 0, 0, 0, 1, 1),
  probabilities: Float32Array.of(0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.4, 0.6, 0.2, 0.8, 0.6, 0.4),
};

describe('class-wise difficulty', () => {
  const weights = (options: object) => [
    ...classWiseDifficulty.prepare(context, options).beforeEpoch(0, OBSERVED).classWeights,
  ];

  it('weighs classes by the share that is mistaken, to the power of τ, the mean being 1', () => {
    // a = (4/6, 2/4), so d = (1/3, 1/2): as 2 to 3, and with τ = 2 as 4 to 9.
    for (const [focus, expected] of [
      [0, [1, 1]],
      [1, [0.8, 1.2]],
      [2, [8 / 13, 18 / 13]],
    ] as const) {
      weights({ focus }).forEach((weight, p) => {
        expect(weight).toBeCloseTo(expected[p] ?? Number.NaN, 6);
      });
    }
  });

  it('finds τ by itself: 2/(1 + e^−b), with b = max a/(min a + 0.01) − 1', () => {
    const tau = 2 / (1 + Math.exp(-(2 / 3 / 0.51 - 1)));
    const [a = 0, b = 0] = weights({});
    expect(b / a).toBeCloseTo(1.5 ** tau, 5);
    expect(a + b).toBeCloseTo(2, 5);
  });

  it('still weighs a class that is recognised entirely, and a class that nobody measures as the mean', () => {
    const sure = { labels: Int32Array.of(0, 1), probabilities: Float32Array.of(0.9, 0.1, 0.1, 0.9) };
    const prepared = classWiseDifficulty.prepare(context);
    expect([...prepared.beforeEpoch(0, sure).classWeights]).toEqual([1, 1]);
    const onlyA = { labels: Int32Array.of(0, 0), probabilities: Float32Array.of(0.9, 0.1, 0.3, 0.7) };
    expect([...prepared.beforeEpoch(1, onlyA).classWeights]).toEqual([1, 1]);
  });
});

describe('learned costs', () => {
  /** T of the observation, written out. */
  const target = () => {
    const bell = (x: number) => Math.exp(-((x - 1) ** 2) / 2);
    const distance = (x: number, y: number) => Math.SQRT2 * Math.abs(x - y);
    const [a, b] = [
      [0.9, 0.8, 0.7, 0.4],
      [0.2, 0.6],
    ];
    const separability = (own: readonly number[], other: readonly number[]) =>
      own.reduce((sum, x, i) => {
        const inside = Math.min(...own.filter((_, j) => j !== i).map((y) => distance(x, y)));
        return sum + inside / (Math.min(...other.map((y) => distance(x, y))) + 1e-6);
      }, 0) / own.length;
    return [
      0.9 * bell(1) * bell(0.75),
      0.9 * bell(separability(a ?? [], b ?? [])) * bell(0.25),
      0.9 * bell(separability(b ?? [], a ?? [])) * bell(0.5),
      0.1 * bell(1) * bell(0.5),
    ];
  };

  it('go a step from 1 towards their target, as logarithms', () => {
    const { logitOffsets = [] } = learnedCosts.prepare(context, { costRate: 0.3 }).beforeEpoch(0, OBSERVED);
    for (const [i, value] of target().entries()) expect(logitOffsets[i]).toBeCloseTo(Math.log(0.7 + 0.3 * value), 5);
  });

  it('go a hundredth of that step once the error has grown', () => {
    const prepared = learnedCosts.prepare(context, { costRate: 0.3 });
    const first = prepared.beforeEpoch(0, {
      ...OBSERVED,
      probabilities: OBSERVED.probabilities.map((p, i) => (i === 11 ? 0.7 : i === 10 ? 0.3 : p)),
    });
    const { logitOffsets = [] } = prepared.beforeEpoch(1, OBSERVED);
    for (const [i, value] of target().entries()) {
      const before = Math.exp(first.logitOffsets?.[i] ?? Number.NaN);
      expect(Math.exp(logitOffsets[i] ?? Number.NaN)).toBeCloseTo(before + 0.003 * (value - before), 5);
    }
  });
});
