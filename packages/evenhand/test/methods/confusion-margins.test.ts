import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLASSES, COUNTS } from './problem.js';
import { prepare } from './train.js';

/** One instance of each class; its softmax outputs. */
const observation = {
  labels: Int32Array.of(0, 1, 2),
  probabilities: Float32Array.of(0.75, 0.25, 0, 0.5, 0.5, 0, 0.25, 0.5, 0.25),
};
const rates = { enhancementRate: 2, updatingRate: 1 };
const marginsOf = (options: object, seen = observation) =>
  prepare({ method: 'confusion-margins', options, epochs: 3 }).beforeEpoch(0, seen);

describe('what is added to the logits', () => {
  it('is ε·C: a class is lowered by what it loses, and the classes that take it are raised', () => {
    const { logitOffsets } = marginsOf({ ...rates, tau: 0 });
    expect([...(logitOffsets ?? [])]).toEqual([-0.5, 0.5, 0, 1, -1, 0, 0.5, 1, -1.5]);
  });

  it('is smoothed over the epochs by μ, as the generator matrix is', () => {
    const { logitOffsets } = marginsOf({ enhancementRate: 2, updatingRate: 0.5, tau: 0 });
    expect([...(logitOffsets ?? [])]).toEqual([-0.25, 0.25, 0, 0.5, -0.5, 0, 0.25, 0.5, -0.75]);
  });

  it('is beside τ·log π, which with ε 0 is all that is left: logit adjustment', () => {
    const { logitOffsets } = marginsOf({ enhancementRate: 0, tau: 0.5 });
    const total = COUNTS.reduce((sum, count) => sum + count, 0);
    const row = COUNTS.map((count) => Math.fround(0.5 * Math.log(count / total)));
    expect([...(logitOffsets ?? [])]).toEqual([...row, ...row, ...row]);
  });
});

it('leaves labels one-hot and classes equally heavy', () => {
  const { generator, classWeights } = marginsOf(rates);
  expect([...generator]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect([...classWeights]).toEqual([1, 1, 1]);
});

it('adds to the logits what enhancement takes from the labels: I − G', () => {
  const outputs = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 });
  fc.assert(
    fc.property(outputs, (values) => {
      const sums = [0, 1, 2].map((p) => values.slice(3 * p, 3 * p + 3).reduce((a, b) => a + b));
      const probabilities = Float32Array.from(values, (value, i) => value / (sums[Math.floor(i / 3)] ?? 1));
      const seen = { labels: observation.labels, probabilities };
      const { logitOffsets = new Float32Array() } = marginsOf({ ...rates, tau: 0 }, seen);
      const { generator } = prepare({ method: 'enhancement', options: rates, epochs: 3 }).beforeEpoch(0, seen);
      for (let i = 0; i < CLASSES * CLASSES; i++) {
        const encoded = (i % (CLASSES + 1) === 0 ? 1 : 0) - (generator[i] ?? Number.NaN);
        expect(logitOffsets[i]).toBeCloseTo(encoded, 5);
      }
    }),
  );
});
