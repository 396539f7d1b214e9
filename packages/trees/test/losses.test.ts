import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossEntropy } from '../src/losses/cross-entropy.js';
import { focal } from '../src/losses/focal.js';
import type { Loss } from '../src/losses/loss.js';
import { meanSquareError } from '../src/losses/mean-square-error.js';
import { softmax } from '../src/losses/softmax.js';

const losses: readonly (readonly [string, Loss])[] = [
  ['cross-entropy', crossEntropy],
  ['focal loss with γ = 0.5', focal(0.5)],
  ['focal loss with γ = 2', focal(2)],
  ['mean square error', meanSquareError],
];

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Scores and a label row that may be anything: negative, above 1, of any sum. */
const example = fc.integer({ min: 2, max: 5 }).chain((classes) =>
  fc.record({
    scores: fc.array(number(-4, 4), { minLength: classes, maxLength: classes }),
    label: fc.array(number(-2, 3), { minLength: classes, maxLength: classes }),
  }),
);

function derivatives(loss: Loss, scores: readonly number[], label: readonly number[]) {
  const probabilities = Float64Array.from(scores);
  softmax(probabilities);
  const gradients = new Float64Array(scores.length);
  const hessians = new Float64Array(scores.length);
  loss.derivatives(probabilities, Float32Array.from(label), 0, gradients, hessians);
  return { gradients, hessians };
}

function valueAt(loss: Loss, scores: readonly number[], label: readonly number[], k: number, step: number): number {
  const probabilities = Float64Array.from(scores, (score, i) => (i === k ? score + step : score));
  softmax(probabilities);
  return loss.value(probabilities, Float32Array.from(label), 0);
}

describe.each(losses)('%s of any label row', (_, loss) => {
  it('has the gradient that central differences have', () => {
    fc.assert(
      fc.property(example, ({ scores, label }) => {
        const { gradients } = derivatives(loss, scores, label);
        const step = 1e-5;
        gradients.forEach((gradient, k) => {
          const slope = (valueAt(loss, scores, label, k, step) - valueAt(loss, scores, label, k, -step)) / (2 * step);
          expect(gradient).toBeCloseTo(slope, 5);
        });
      }),
    );
  });

  it('has gradients that sum to 0, Hessians from 0 on, and none of either above the bound', () => {
    fc.assert(
      fc.property(example, ({ scores, label }) => {
        const { gradients, hessians } = derivatives(loss, scores, label);
        const bound = loss.bound(Float32Array.from(label), 0, label.length) * (1 + 1e-6);
        expect(gradients.reduce((sum, gradient) => sum + gradient, 0)).toBeCloseTo(0, 10);
        expect(Math.max(...gradients.map(Math.abs))).toBeLessThanOrEqual(bound);
        expect(Math.max(...hessians)).toBeLessThanOrEqual(bound / 4);
        expect(Math.min(...hessians)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

it('cross-entropy with labels from 0 on has the exact diagonal of the Hessian', () => {
  fc.assert(
    fc.property(example, ({ scores, label }) => {
      const positive = label.map(Math.abs);
      const step = 1e-4;
      derivatives(crossEntropy, scores, positive).hessians.forEach((hessian, k) => {
        const [low = 0, high = 0] = [-step, step].map(
          (move) =>
            derivatives(
              crossEntropy,
              scores.map((score, i) => (i === k ? score + move : score)),
              positive,
            ).gradients[k] ?? 0,
        );
        expect(hessian).toBeCloseTo((high - low) / (2 * step), 5);
      });
    }),
  );
});

it('focal loss with γ = 0 is cross-entropy', () => {
  fc.assert(
    fc.property(example, ({ scores, label }) => {
      const [plain, focused] = [crossEntropy, focal(0)].map((loss) => derivatives(loss, scores, label));
      focused?.gradients.forEach((gradient, k) => {
        expect(gradient).toBeCloseTo(plain?.gradients[k] ?? Number.NaN, 10);
        expect(focused.hessians[k]).toBeCloseTo(plain?.hessians[k] ?? Number.NaN, 10);
      });
    }),
  );
});

it('where a label is negative, no Newton step of a saturated row exceeds 4', () => {
  for (const negative of [0.1, 1, 10]) {
    const { gradients, hessians } = derivatives(crossEntropy, [40, 0], [1 + negative, -negative]);
    gradients.forEach((gradient, k) => {
      expect(Math.abs(gradient / (hessians[k] ?? 0))).toBeLessThanOrEqual(4 + 1e-6);
    });
    // Without the bound it would be 10¹⁷ and more.
    expect(Math.abs((gradients[0] ?? 0) / (1e-17 + Math.exp(-40)))).toBeGreaterThan(1e15);
  }
});
