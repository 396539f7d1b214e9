import { describe, expect, it } from 'vitest';
import { fit, memoryOf, predict, type TrainingData, type TreeOptions, TreesError } from '../src/index.js';
import { randomTable } from './random-table.js';

const table = randomTable({ seed: 5, rows: 120, columns: 3, classes: 3, missing: 0, categories: 0 });
const { labels } = table;

describe('what cannot be learned from is refused, with what was expected', () => {
  const changed = (index: number, value: number) => table.values.map((old, i) => (i === index ? value : old));
  it.each<[string, Partial<TrainingData>, TreeOptions, RegExp]>([
    ['no column', { values: new Float32Array(0), columns: 0 }, {}, /0 columns; expected at least 1/],
    ['no row', { values: new Float32Array(0) }, {}, /0 values cannot be rows of 3/],
    ['half a row', { values: table.values.subarray(1) }, {}, /359 values cannot be rows of 3; expected a multiple/],
    [
      'an infinite value',
      { values: changed(7, Number.POSITIVE_INFINITY) },
      {},
      /row 2, column 1 is Infinity; expected .*NaN/,
    ],
    ['one class', { classes: 1 }, {}, /1 classes; expected at least 2/],
    ['rows of one class', { labels: new Int32Array(120) }, {}, /all rows are of class 0; expected rows of at least 2/],
    [
      'a fold without which one class is left',
      { folds: Int32Array.from(labels, (label) => (label === 0 ? -1 : 0)) },
      {},
      /are of class 0; expected rows of at least 2 of the 3 classes. Use fewer folds/,
    ],
    ['weights that are all 0', { weights: new Float32Array(120) }, {}, /all rows have weight 0; expected some/],
    [
      'a baseline of another length',
      { baseline: Float32Array.of(0, 1) },
      {},
      /"baseline" is 0, 1; expected 3 finite numbers/,
    ],
    ['a negative weight', { weights: new Float32Array(120).fill(-1) }, {}, /weight of row 0 is -1; expected a finite/],
    ['too few weights', { weights: new Float32Array(7) }, {}, /7 weights; expected 120/],
    ['too few labels', { labels: labels.subarray(1) }, {}, /119 labels; expected 120/],
    ['an unknown label', { labels: labels.map(() => 3) }, {}, /label of row 0 is 3; expected 0 to 2/],
    ['label rows that are not finite', { labelRows: { rows: new Float32Array(9).fill(Number.NaN) } }, {}, /not finite/],
    [
      'label rows of another width',
      { labelRows: { rows: new Float32Array(8) } },
      {},
      /8 entries; expected a multiple of the 3/,
    ],
    ['a category column that is not there', { categorical: [3] }, {}, /names column 3; expected 0 to 2/],
    ['patience without folds', {}, { patience: 3 }, /"patience" needs rows to stop by/],
    ['no rounds', {}, { rounds: 0 }, /"rounds" is 0; expected a number from 1/],
    ['half a leaf', {}, { leaves: 2.5 }, /"leaves" is 2.5; expected a whole number/],
    ['256 bins', {}, { bins: 256 }, /"bins" is 256; expected a number from 2 to 255/],
    ['a learning rate that is none', {}, { learningRate: Number.NaN }, /"learningRate" is NaN/],
    [
      'too little memory',
      {},
      { memory: 1e5 },
      /120 rows, 3 columns, 3 classes and 1 members would take \d+ MiB.*at most 1 MiB/,
    ],
  ])('%s', (_, data, options, message) => {
    const attempt = () => fit({ ...table, ...data }, options);
    expect(attempt).toThrow(TreesError);
    expect(attempt).toThrow(message);
  });

  it('other columns than in training', () => {
    const { model } = fit(table, { rounds: 1 });
    expect(() => predict(model, { values: new Float32Array(4), columns: 4 })).toThrow(/has 4 columns; expected 3/);
  });
});

describe('what can be learned from although it is odd', () => {
  it('constant and entirely missing columns are never asked for', () => {
    const values = table.values.map((value, i) => (i % 3 === 0 ? 7 : i % 3 === 1 ? Number.NaN : value));
    const { model } = fit({ ...table, values }, { rounds: 5 });
    const asked = model.members.flatMap(({ rounds }) => rounds.flat().flatMap(({ features }) => [...features]));
    expect(new Set(asked)).toEqual(new Set([-1, 2]));
  });

  it('a table without any usable column answers with the shares of the classes', () => {
    const values = new Float32Array(120).fill(3);
    const { model } = fit({ ...table, values, columns: 1 }, { rounds: 3 });
    const [first = 0] = predict(model, { values: Float32Array.of(3), columns: 1 });
    expect(first).toBeCloseTo(labels.filter((label) => label === 0).length / 120, 5);
  });

  it('more bins than rows: every value has its own', () => {
    const { model } = fit({ ...table, values: Float32Array.from(labels, (_, i) => i), columns: 1 }, { rounds: 1 });
    expect(model.columns[0]).toMatchObject({ kind: 'number', edges: { length: 119 } });
  });

  it('a million categories: the most frequent 255 have bins, all others are one', () => {
    const rows = 1_000_300;
    // Category 5 is there 301 times, and all of it is of class 1.
    const values = Float32Array.from({ length: rows }, (_, i) => (i < 300 ? 5 : i - 300));
    const own = Int32Array.from(values, (value) => (value === 5 ? 1 : 0));
    const { model } = fit(
      { values, columns: 1, categorical: [0], classes: 2, labels: own },
      { rounds: 2, learningRate: 1 },
    );
    const [column] = model.columns;
    expect(column).toMatchObject({ kind: 'category', categories: { length: 255, 0: 5 } });
    const probability = (value: number) => predict(model, { values: Float32Array.of(value), columns: 1 })[1] ?? 0;
    expect(probability(5)).toBeGreaterThan(0.9);
    expect([probability(999_999), probability(2e6), probability(Number.NaN)].every((p) => p < 0.1)).toBe(true);
  });

  it('a class without rows is never likely', () => {
    const { model } = fit({ ...table, classes: 4 }, { rounds: 3 });
    const probabilities = predict(model, table);
    expect(Math.max(...probabilities.filter((_, i) => i % 4 === 3))).toBeLessThan(1e-5);
  });
});

it('the memory is known before it is taken, and grows with rows and members', () => {
  const folds = Int32Array.from(labels, (_, i) => i % 4);
  expect(memoryOf({ ...table, folds })).toBeGreaterThan(memoryOf(table));
  expect(() => fit(table, { memory: memoryOf(table), rounds: 1 })).not.toThrow();
});
