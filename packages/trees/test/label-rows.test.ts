import { describe, expect, it } from 'vitest';
import { fit, predict } from '../src/index.js';
import { randomTable } from './random-table.js';

const shape = { seed: 11, rows: 400, columns: 4, classes: 3, missing: 0, categories: 0 };
const table = randomTable(shape);

function rowsOf(...rows: readonly (readonly number[])[]): { rows: Float32Array } {
  return { rows: Float32Array.from(rows.flat()) };
}

const identity = rowsOf([1, 0, 0], [0, 1, 0], [0, 0, 1]);
const identityOfTwo = rowsOf([1, 0], [0, 1]);
/** As enhancement encoding makes them: negative, above 1. */
const enhanced = rowsOf([1.5, -0.3, -0.2], [-0.5, 2, -0.5], [-0.1, -0.7, 1.8]);

describe('label rows', () => {
  const options = { rounds: 10 };
  const plain = predict(fit(table, options).model, table);

  it('the identity is one-hot training, bit for bit', () => {
    expect(predict(fit({ ...table, labelRows: identity }, options).model, table)).toEqual(plain);
  });

  it('one label row per row of the data is the same as one per class', () => {
    const perRow = new Float32Array(table.labels.length * 3);
    table.labels.forEach((label, i) => {
      perRow.set(enhanced.rows.subarray(3 * label, 3 * label + 3), 3 * i);
    });
    const own = { ...table, labels: Int32Array.from(table.labels, (_, i) => i), labelRows: { rows: perRow } };
    const byClass = fit({ ...table, labelRows: enhanced }, options).model;
    expect(predict(fit(own, options).model, table)).toEqual(predict(byClass, table));
  });

  it('weights of label rows are those of their rows', () => {
    const classWeights = Float32Array.of(1, 4, 2);
    const weights = Float32Array.from(table.labels, (label) => classWeights[label] ?? 0);
    const byRow = fit({ ...table, weights }, options).model;
    const byLabel = fit({ ...table, labelRows: { ...identity, weights: classWeights } }, options).model;
    expect(predict(byLabel, table)).toEqual(predict(byRow, table));
  });

  it('a whole weight is as many rows', () => {
    const weights = Float32Array.from(table.labels, (_, i) => 1 + (i % 3));
    const rows = Array.from(weights, (weight, i) => Array.from({ length: weight }, () => i)).flat();
    // Of few values every one has a bin of its own, however often it is there.
    const coarse = { ...table, values: table.values.map(Math.round) };
    const repeated = {
      ...coarse,
      values: Float32Array.from(rows.flatMap((i) => [...coarse.values.subarray(4 * i, 4 * i + 4)])),
      labels: Int32Array.from(rows, (i) => table.labels[i] ?? 0),
    };
    const least = { ...options, minimalLeafRows: 1, minimalLeafHessian: 1 };
    const [one, other] = [{ ...coarse, weights }, repeated].map((data) => predict(fit(data, least).model, coarse));
    one?.forEach((p, i) => {
      expect(p).toBeCloseTo(other?.[i] ?? Number.NaN, 5);
    });
  });

  it('offsets are in training only: those of the log shares make all classes equally likely at first', () => {
    const counts = [0, 1, 2].map((k) => table.labels.filter((label) => label === k).length);
    const logShares = counts.map((count) => Math.log(count / table.labels.length));
    const offsets = Float32Array.from([...logShares, ...logShares, ...logShares]);
    const { model } = fit({ ...table, labelRows: { ...identity, offsets } }, options);
    model.members[0]?.baseline.forEach((score) => {
      expect(score).toBeCloseTo(0, 5);
    });
  });
});

describe('labels outside of the simplex', () => {
  // Two blobs that every tree tells apart: all rows are soon saturated, and the loss has no lower bound.
  const values = Float32Array.from({ length: 200 }, (_, i) => i);
  const labels = Int32Array.from(values, (value) => (value < 100 ? 0 : 1));
  const data = { values, columns: 1, classes: 2, labels, labelRows: rowsOf([2, -1], [-1, 2]) };
  const rounds = 300;

  it('scores stay finite: no leaf says more than the bound, and they grow by a constant at most', () => {
    const { model } = fit(data, { rounds, learningRate: 1, minimalLeafHessian: 0 });
    const steps = model.members[0]?.rounds.map(([tree]) => Math.max(...(tree?.values.map(Math.abs) ?? [])));
    expect(Math.max(...(steps ?? []))).toBeLessThanOrEqual(5);
    expect(predict(model, data).every(Number.isFinite)).toBe(true);
  });

  /** Boosting of the two blobs by hand, a leaf for each, with what is added to the exact Hessian y(1 − y). */
  const byHand = (floor: number) => {
    let score = 0;
    return Array.from({ length: rounds }, () => {
      const y = 1 / (1 + Math.exp(-score));
      score -= (y - 2) / (y * (1 - y) + floor);
      return score;
    });
  };

  it('with the bound of the Hessian, e/4, scores are those of boosting by hand', () => {
    const { model } = fit(data, { rounds: 20, learningRate: 1, leaves: 2, minimalLeafHessian: 0 });
    const sums = byHand(1 / 4);
    let own = 0;
    for (const [round, [tree]] of (model.members[0]?.rounds ?? []).entries()) {
      own += Math.max(...(tree?.values ?? []));
      expect(own).toBeCloseTo(sums[round] ?? Number.NaN, 3);
    }
  });

  it('without it they diverge: Newton steps g/h double the exponent round by round', () => {
    expect(byHand(1 / 4).every(Number.isFinite)).toBe(true);
    expect(byHand(0).every(Number.isFinite)).toBe(false);
  });

  it('a rare row that was given up makes a leaf of thousands; the bound of leaves keeps it at 100', () => {
    // All rows but one are of class 0, and every round says so more clearly, until the one is found.
    const lonely = (maximalLeafValue: number) => {
      const own = {
        ...data,
        labels: Int32Array.from(values, (value) => (value === 0 ? 1 : 0)),
        labelRows: identityOfTwo,
      };
      const options = { rounds: 1, learningRate: 1, minimalLeafRows: 1, minimalLeafHessian: 0, leaves: 2 };
      const { model } = fit({ ...own, baseline: Float32Array.of(0, -12) }, { ...options, maximalLeafValue });
      return Math.max(...(model.members[0]?.rounds[0]?.[0]?.values ?? []));
    };
    expect(lonely(Number.POSITIVE_INFINITY)).toBeGreaterThan(1e5);
    expect(lonely(100)).toBe(100);
  });

  it('leaves are bounded by the option', () => {
    const { model } = fit(data, { rounds: 20, learningRate: 1, maximalLeafValue: 0.5 });
    const values = model.members.flatMap((member) => member.rounds.flatMap(([tree]) => [...(tree?.values ?? [])]));
    expect(Math.max(...values.map(Math.abs))).toBe(0.5);
  });
});

it.each([{ name: 'focal' as const, gamma: 2 }, { name: 'mean-square-error' as const }])('learns with $name', (loss) => {
  const { model } = fit(table, { rounds: 60, loss });
  const probabilities = predict(model, table);
  const right = table.labels.filter((label, row) => {
    const own = probabilities.subarray(3 * row, 3 * row + 3);
    return own.indexOf(Math.max(...own)) === label;
  });
  expect(right.length / table.labels.length).toBeGreaterThan(0.9);
});
