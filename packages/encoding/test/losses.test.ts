import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  backPropagationChange,
  costMatrix,
  crossEntropy,
  focal,
  identityMatrix,
  type Loss,
  meanSquareError,
  updateGeneratorMatrix,
} from '../src/index.js';
import { entry, expectEvery, softmaxRows, uniform } from './arbitraries.js';

const losses: [string, Loss][] = [
  ['cross-entropy', crossEntropy],
  ['mean square error', meanSquareError],
  ['focal γ=0.5', focal({ gamma: 0.5 })],
  ['focal γ=1', focal({ gamma: 1 })],
  ['focal γ=2', focal({ gamma: 2 })],
];

const batch = fc
  .record({ classes: fc.integer({ min: 2, max: 12 }), rows: fc.integer({ min: 1, max: 4 }), seed: fc.integer() })
  .map(({ classes, rows, seed }) => {
    const random = uniform(seed);
    const values = (from: number, to: number) =>
      Float64Array.from({ length: rows * classes }, () => from + (to - from) * random());
    // Label entries from −3 to 4: negative ones, and rows that do not sum to 1.
    return { classes, logits: values(-3, 3), labelRows: values(-3, 4) };
  });

describe.each(losses)('%s', (_, loss) => {
  it('has the gradient that central differences have, for general label rows', () => {
    fc.assert(
      fc.property(batch, ({ classes, logits, labelRows }) => {
        const { logitGradient } = loss(logits, labelRows, classes);
        const h = 1e-5;
        expectEvery(logitGradient, 1, (gradient, i) => {
          const at = (shift: number) =>
            loss(
              logits.map((z, j) => (j === i ? z + shift : z)),
              labelRows,
              classes,
            ).loss;
          const difference = (at(h) - at(-h)) / (2 * h);
          return Math.abs(gradient - difference) < 1e-7 * (1 + Math.abs(difference));
        });
      }),
      { numRuns: 50 },
    );
  });

  it('has gradients at probabilities and logits that agree through softmax', () => {
    fc.assert(
      fc.property(batch, ({ classes, logits, labelRows }) => {
        const { logitGradient, probabilityGradient } = loss(logits, labelRows, classes);
        for (let start = 0; start < logits.length; start += classes) {
          const z = logits.subarray(start, start + classes);
          const sum = z.reduce((total, value) => total + Math.exp(value), 0);
          const y = z.map((value) => Math.exp(value) / sum);
          const g = probabilityGradient.subarray(start, start + classes);
          const inner = g.reduce((total, value, q) => total + value * (y[q] ?? 0), 0);
          for (let k = 0; k < classes; k++) {
            expect(logitGradient[start + k]).toBeCloseTo((y[k] ?? 0) * ((g[k] ?? 0) - inner), 10);
          }
        }
      }),
    );
  });

  it('is the same, bit for bit, for every kind of array', () => {
    fc.assert(
      fc.property(batch, ({ classes, logits, labelRows }) => {
        const [z, l] = [Float32Array.from(logits), Float32Array.from(labelRows)];
        const ofFloat32 = loss(z, l, classes);
        expect(loss(Float64Array.from(z), Array.from(l), classes)).toEqual(ofFloat32);
        expect(loss(Array.from(z), Float64Array.from(l), classes)).toEqual(ofFloat32);
      }),
      { numRuns: 20 },
    );
  });

  it('is finite where softmax underflows or saturates', () => {
    const { loss: value, logitGradient } = loss([1000, 0, -1000], [1.5, -0.25, -0.25], 3);
    expect(Number.isFinite(value)).toBe(true);
    expect(logitGradient.every(Number.isFinite)).toBe(true);
  });
});

describe('cross-entropy', () => {
  it('has the gradient (Σ l)·y − l, so that a perfect prediction still pulls when g[p,p] > 1', () => {
    const { logitGradient } = crossEntropy([800, 0], [1.5, -0.5], 2);
    expect(Array.from(logitGradient)).toEqual([-0.5, 0.5]);
  });

  it('goes below zero with negative label entries', () => {
    expect(crossEntropy([0, -10], [1.5, -0.5], 2).loss).toBeLessThan(0);
  });
});

describe('focal', () => {
  it('is cross-entropy for γ = 0', () => {
    fc.assert(
      fc.property(batch, ({ classes, logits, labelRows }) => {
        const ours = focal({ gamma: 0 })(logits, labelRows, classes);
        const reference = crossEntropy(logits, labelRows, classes);
        expect(ours.loss).toBeCloseTo(reference.loss, 10);
        ours.logitGradient.forEach((g, i) => {
          expect(g).toBeCloseTo(reference.logitGradient[i] ?? Number.NaN, 10);
        });
      }),
    );
  });

  it('weights classes by α', () => {
    const alpha = [2, 0.5];
    const label = [0.75, -0.5];
    const weighted = label.map((l, q) => l * (alpha[q] ?? 1));
    expect(focal({ gamma: 2, alpha })([0.3, -0.4], label, 2)).toEqual(focal({ gamma: 2 })([0.3, -0.4], weighted, 2));
  });
});

describe('the change that encoding makes to back-propagation (the appendix, μ = 1)', () => {
  const setting = fc
    .record({
      classes: fc.integer({ min: 2, max: 40 }),
      seed: fc.integer(),
      enhancementRate: fc.double({ min: 0, max: 30, noNaN: true }),
    })
    .map(({ classes, seed, enhancementRate }) => {
      const random = uniform(seed);
      // S' in float64 with rows that sum to 1 as exactly as float64 can
      const shares = Float64Array.from(softmaxRows(classes, classes, 4, random));
      for (let p = 0; p < classes; p++) {
        const row = shares.subarray(p * classes, (p + 1) * classes);
        const sum = row.reduce((a, b) => a + b);
        row.forEach((value, q) => {
          row[q] = value / sum;
        });
      }
      const cost = costMatrix(shares);
      const generator = updateGeneratorMatrix(identityMatrix(classes), cost, { enhancementRate, updatingRate: 1 });
      const labels = Array.from({ length: 5 }, () => Math.floor(random() * classes));
      const logits = Float64Array.from({ length: 5 * classes }, () => 6 * random() - 3);
      return { classes, enhancementRate, cost, generator, labels, logits };
    });

  const expectChange = (
    { classes, labels, cost }: { classes: number; labels: number[]; cost: Float64Array },
    change: Float64Array,
    factor: number,
  ) => {
    expectEvery(
      change,
      classes,
      (value, i, k) => Math.abs(value + factor * entry(cost, classes, labels[i] ?? 0, k)) < 1e-12,
    );
  };

  it('is −ε·c[p,k] at the logits for cross-entropy', () => {
    fc.assert(
      fc.property(setting, (s) => {
        expectChange(s, backPropagationChange(crossEntropy, s.logits, s.labels, s.generator), s.enhancementRate);
      }),
    );
  });

  it('is −2ε·c[p,k]/N at the probabilities for mean square error', () => {
    fc.assert(
      fc.property(setting, (s) => {
        const change = backPropagationChange(meanSquareError, s.logits, s.labels, s.generator, 'probabilities');
        expectChange(s, change, (2 * s.enhancementRate) / s.classes);
      }),
    );
  });
});
