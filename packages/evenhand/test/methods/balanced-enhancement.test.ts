import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CLASSES, COUNTS } from './problem.js';
import { prepare } from './train.js';

const rates = { enhancementRate: 2, updatingRate: 0.5 };

/** Rows of softmax outputs, two of each class. */
const observation = fc
  .array(fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: CLASSES, maxLength: CLASSES }), {
    minLength: 2 * CLASSES,
    maxLength: 2 * CLASSES,
  })
  .map((rows) => ({
    labels: Int32Array.from(rows, (_, i) => i % CLASSES),
    probabilities: Float32Array.from(rows.flatMap((row) => row.map((value) => value / row.reduce((a, b) => a + b, 0)))),
  }));

it('has the labels of enhancement, and the weights of inverse-frequency', () => {
  const options = { epochs: 3, options: rates };
  fc.assert(
    fc.property(observation, (seen) => {
      const both = prepare({ method: 'balanced-enhancement', ...options }).beforeEpoch(0, seen);
      expect(both.generator).toEqual(prepare({ method: 'enhancement', ...options }).beforeEpoch(0, seen).generator);
      expect([...both.classWeights]).toEqual(COUNTS.map((count) => Math.fround((320 + 80 + 8) / (CLASSES * count))));
    }),
    { numRuns: 20 },
  );
});
