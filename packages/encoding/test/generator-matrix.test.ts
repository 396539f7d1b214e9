import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  classCounts,
  costMatrix,
  type EncodingPart,
  identityMatrix,
  normaliseRows,
  softConfusionMatrix,
  updateGeneratorMatrix,
} from '../src/index.js';
import { entry, expectEvery, expectSame, type Outputs, outputs, permutation, permuted } from './arbitraries.js';

const rates = fc.record({
  enhancementRate: fc.double({ min: 0, max: 100, noNaN: true }),
  updatingRate: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Rates of each of up to 200 classes. */
const classRates = fc.record({
  enhancementRate: fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 200, maxLength: 200 }),
  updatingRate: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 200, maxLength: 200 }),
});

function costOf({ classes, labels, probabilities }: Outputs): Float64Array {
  return costMatrix(normaliseRows(softConfusionMatrix(labels, probabilities, classes), classCounts(labels, classes)));
}

/** G after several updates from the same measurement, starting at I. */
function updated(measured: Outputs, update: Parameters<typeof updateGeneratorMatrix>[2], times: number): Float64Array {
  const cost = costOf(measured);
  let generator = identityMatrix(measured.classes);
  for (let t = 0; t < times; t++) generator = updateGeneratorMatrix(generator, cost, update);
  return generator;
}

function rowSums(matrix: Float64Array, classes: number): number[] {
  return Array.from({ length: classes }, (_, p) =>
    matrix.subarray(p * classes, (p + 1) * classes).reduce((a, b) => a + b),
  );
}

describe('cost matrix', () => {
  it('is at most 0 on the diagonal, at least 0 elsewhere, and sums to 0 in measured rows', () => {
    fc.assert(
      fc.property(outputs(), (measured) => {
        const { classes, labels } = measured;
        const cost = costOf(measured);
        const counts = classCounts(labels, classes);
        expectEvery(cost, classes, (c, p, q) => {
          if (counts[p] === 0) return Number.isNaN(c);
          return p === q ? c <= 1e-6 : c >= 0;
        });
        // float32 rows sum to 1 only to 1e-6
        expectEvery(rowSums(cost, classes), 1, (sum, p) => counts[p] === 0 || Math.abs(sum) < 1e-5);
      }),
    );
  });
});

describe('generator matrix', () => {
  it('keeps rows at sum 1, the diagonal at 1 or more and the rest at 0 or less, after every update', () => {
    fc.assert(
      fc.property(outputs(), rates, (measured, update) => {
        const { classes } = measured;
        const tolerance = 1e-5 * (1 + update.enhancementRate); // what float32 probabilities miss of 1, times ε
        for (const times of [1, 2, 7]) {
          const generator = updated(measured, update, times);
          expectEvery(generator, classes, (g, p, q) => (p === q ? g >= 1 - tolerance : g <= 0));
          expectEvery(rowSums(generator, classes), 1, (sum) => Math.abs(sum - 1) < tolerance);
        }
      }),
    );
  });

  it('is exactly I for ε = 0 or μ = 0, whatever the other rate and however many updates', () => {
    fc.assert(
      fc.property(outputs(), rates, fc.boolean(), (measured, update, which) => {
        const still = which ? { ...update, enhancementRate: 0 } : { ...update, updatingRate: 0 };
        const generator = updated(measured, still, 3);
        const identity = identityMatrix(measured.classes);
        expectEvery(generator, measured.classes, (g, p, q) => Object.is(g, entry(identity, measured.classes, p, q)));
      }),
    );
  });

  it('follows G = (1−μ)·G* + μ·(I − ε·C)', () => {
    fc.assert(
      fc.property(outputs(20), rates, (measured, update) => {
        const { enhancementRate: e, updatingRate: m } = update;
        const cost = costOf(measured);
        const identity = identityMatrix(measured.classes);
        const first = updateGeneratorMatrix(identity, cost, update);
        const second = updateGeneratorMatrix(first, cost, { ...update, enhancementRate: 2 * e });
        expectEvery(second, measured.classes, (g, p, q) => {
          const c = entry(cost, measured.classes, p, q);
          const one = p === q ? 1 : 0;
          const once = (1 - m) * one + m * (one - e * c);
          const twice = (1 - m) * once + m * (one - 2 * e * c);
          return Number.isNaN(c) || Math.abs(g - twice) < 1e-12 * (1 + e);
        });
      }),
    );
  });

  it('leaves the row of a class that was not measured as it was', () => {
    fc.assert(
      fc.property(outputs(50, 10), outputs(50, 10), rates, (before, now, update) => {
        const { classes } = now;
        const counts = classCounts(now.labels, classes);
        const previous = before.classes === classes ? updated(before, update, 2) : updated(now, update, 1);
        const next = updateGeneratorMatrix(previous, costOf(now), update);
        for (const [p, count] of counts.entries()) {
          if (count > 0) continue;
          const row = (matrix: Float64Array) => matrix.subarray(p * classes, (p + 1) * classes);
          expectSame(row(next), row(previous));
        }
      }),
    );
  });

  it('knows no order of classes', () => {
    fc.assert(
      fc.property(outputs(40), rates, fc.integer(), (measured, update, seed) => {
        const { classes } = measured;
        const to = permutation(classes, seed);
        const after = updated(permuted(measured, to), update, 3);
        expectEvery(updated(measured, update, 3), classes, (g, p, q) =>
          Object.is(g, entry(after, classes, to[p] ?? 0, to[q] ?? 0)),
        );
      }),
    );
  });

  it.each<[EncodingPart, (onDiagonal: boolean) => boolean, number]>([
    ['re-weighting', (onDiagonal) => onDiagonal, 0],
    ['cost-sensitiveness', (onDiagonal) => !onDiagonal, 1],
  ])('%s: masking in every update is masking after the last', (part, keeps, otherwise) => {
    fc.assert(
      fc.property(outputs(60), rates, (measured, update) => {
        const full = updated(measured, update, 4);
        const masked = full.map((g, i) => (keeps(i % (measured.classes + 1) === 0) ? g : otherwise));
        expectSame(updated(measured, { ...update, part }, 4), masked);
      }),
    );
  });

  describe('with a rate per class', () => {
    it('has in each row what the rates of its class give to all', () => {
      fc.assert(
        fc.property(outputs(20), classRates, (measured, drawn) => {
          const { classes } = measured;
          const enhancementRate = drawn.enhancementRate.slice(0, classes);
          const updatingRate = Float64Array.from(drawn.updatingRate.slice(0, classes));
          const generator = updated(measured, { enhancementRate, updatingRate }, 3);
          for (let p = 0; p < classes; p++) {
            const alone = { enhancementRate: enhancementRate[p] ?? 0, updatingRate: updatingRate[p] ?? 0 };
            const row = (matrix: Float64Array) => matrix.subarray(p * classes, (p + 1) * classes);
            expectSame(row(generator), row(updated(measured, alone, 3)));
          }
        }),
      );
    });

    it('keeps rows at sum 1, and leaves rows with ε = 0 or μ = 0 one-hot bit for bit', () => {
      fc.assert(
        fc.property(outputs(40), classRates, fc.boolean(), (measured, drawn, which) => {
          const { classes } = measured;
          const still = (rate: number, p: number, isStill: boolean) => (isStill && p % 2 === 0 ? 0 : rate);
          const update = {
            enhancementRate: drawn.enhancementRate.slice(0, classes).map((rate, p) => still(rate, p, which)),
            updatingRate: drawn.updatingRate.slice(0, classes).map((rate, p) => still(rate, p, !which)),
          };
          const generator = updated(measured, update, 3);
          const identity = identityMatrix(classes);
          expectEvery(generator, classes, (g, p, q) => p % 2 === 1 || Object.is(g, entry(identity, classes, p, q)));
          expectEvery(rowSums(generator, classes), 1, (sum) => Math.abs(sum - 1) < 1e-5 * 101);
        }),
      );
    });

    it('knows no order of classes', () => {
      fc.assert(
        fc.property(outputs(40), classRates, fc.integer(), (measured, drawn, seed) => {
          const { classes } = measured;
          const to = permutation(classes, seed);
          const update = {
            enhancementRate: drawn.enhancementRate.slice(0, classes),
            updatingRate: drawn.updatingRate.slice(0, classes),
          };
          const renamed = (rates: readonly number[]) => {
            const result = new Float64Array(classes);
            for (const [p, rate] of rates.entries()) result[to[p] ?? 0] = rate;
            return result;
          };
          const after = updated(
            permuted(measured, to),
            { enhancementRate: renamed(update.enhancementRate), updatingRate: renamed(update.updatingRate) },
            3,
          );
          expectEvery(updated(measured, update, 3), classes, (g, p, q) =>
            Object.is(g, entry(after, classes, to[p] ?? 0, to[q] ?? 0)),
          );
        }),
      );
    });
  });
});
