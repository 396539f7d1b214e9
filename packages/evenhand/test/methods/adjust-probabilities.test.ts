import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustProbabilities } from '../../src/methods/adjust-probabilities.js';

function softmax(logits: readonly number[]): number[] {
  const powers = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
  return powers.map((power) => power / powers.reduce((a, b) => a + b, 0));
}

describe('adjustProbabilities', () => {
  it('gives the softmax of the logits, scaled and shifted, without knowing the logits', () => {
    const number = fc.float({ min: -8, max: 8, noNaN: true });
    const triple = fc.tuple(number, number, number);
    fc.assert(
      fc.property(triple, triple, fc.float({ min: 0.125, max: 40, noNaN: true }), (z, shift, logitScale) => {
        const adjusted = adjustProbabilities(Float32Array.from(softmax(z)), 3, {
          logitScale,
          logitShift: Float32Array.from(shift),
        });
        const expected = softmax(z.map((logit, q) => logitScale * logit - (shift[q] ?? 0)));
        expected.forEach((p, q) => {
          expect(Math.abs((adjusted[q] ?? Number.NaN) - p)).toBeLessThan(1e-5);
        });
      }),
    );
  });

  it('leaves the probabilities of other methods as they are, in an array of their own', () => {
    const probabilities = Float32Array.of(0.1, 0.9, 0.3, 0.7);
    const adjusted = adjustProbabilities(probabilities, 2, {});
    expect(adjusted).toEqual(probabilities);
    expect(adjusted).not.toBe(probabilities);
  });

  it('turns a prediction where the shift outweighs it, row by row', () => {
    // Three times as likely as it should be by a prior of 9 to 1
    const logitShift = Float32Array.of(Math.log(0.9), Math.log(0.1));
    const adjusted = adjustProbabilities(Float32Array.of(0.75, 0.25, 0.99, 0.01), 2, { logitShift });
    [0.25, 0.75, 11 / 12, 1 / 12].forEach((p, i) => {
      expect(adjusted[i]).toBeCloseTo(p, 6);
    });
  });

  it('keeps a class that float32 sees at 0 at 0', () => {
    const logitShift = Float32Array.of(-1, -20);
    expect(adjustProbabilities(Float32Array.of(1, 0), 2, { logitShift, logitScale: 30 })).toEqual(
      Float32Array.of(1, 0),
    );
  });
});
