import { TreePredictor, TreeTrainer } from '@evenhand/trees/node';
import { describe, expect, it } from 'vitest';
import { fit, predict, TreesError } from '../src/index.js';
import { randomTable } from './random-table.js';

const table = randomTable({ seed: 8, rows: 700, columns: 4, classes: 3, missing: 0.1, categories: 6 });
const folds = Int32Array.from(table.labels, (_, i) => i % 3);
const { model } = fit({ ...table, folds }, { rounds: 8 });

describe('one member per row', () => {
  it('is what a model of that member alone says', () => {
    const received = predict(model, table, folds);
    for (const fold of [0, 1, 2]) {
      const alone = predict({ ...model, members: model.members.slice(fold, fold + 1) }, table);
      for (let row = fold; row < folds.length; row += 3)
        expect(received.subarray(3 * row, 3 * row + 3)).toEqual(alone.subarray(3 * row, 3 * row + 3));
    }
  });

  it('is what the training said of rows that the member left out, bit for bit', async () => {
    const trainer = await TreeTrainer.start({ ...table, folds }, { threads: 1 });
    try {
      for (let round = 0; round < 8; round++) await trainer.advance();
      expect(trainer.heldOutProbabilities()).toEqual(predict(model, table, folds));
    } finally {
      await trainer.close();
    }
  });

  it('refuses a member that is not there, and too few of them', () => {
    expect(() =>
      predict(
        model,
        table,
        folds.map(() => 3),
      ),
    ).toThrow(TreesError);
    expect(() =>
      predict(
        model,
        table,
        folds.map(() => 3),
      ),
    ).toThrow(/member of row 0 is 3; expected 0 to 2/);
    expect(() => predict(model, table, folds.subarray(1))).toThrow(/members for 699 rows; expected 700/);
  });
});

it.each([1, 2, 5])('predicting in %i threads gives the same bits', async (threads) => {
  const predictor = new TreePredictor(model, threads);
  try {
    const [all, held, none] = await Promise.all([
      predictor.predict(table),
      predictor.predict(table, folds),
      predictor.predict({ values: new Float32Array(), columns: 4 }),
    ]);
    expect(all).toEqual(predict(model, table));
    expect(held).toEqual(predict(model, table, folds));
    expect(none).toHaveLength(0);
  } finally {
    await predictor.close();
  }
});

it('the loss of training is that of the rows that members learn from', async () => {
  const trainer = await TreeTrainer.start({ ...table, folds }, { threads: 2 });
  try {
    for (let round = 0; round < 8; round++) await trainer.advance();
    const losses = [0, 1, 2].flatMap((member) => {
      const said = predict(
        model,
        table,
        folds.map(() => member),
      );
      return Array.from(table.labels).flatMap((label, row) =>
        folds[row] === member ? [] : [-Math.log(said[3 * row + label] ?? 0)],
      );
    });
    const mean = losses.reduce((a, b) => a + b, 0) / losses.length;
    expect(await trainer.trainingLoss()).toBeCloseTo(mean, 5);
  } finally {
    await trainer.close();
  }
});

it('a baseline is what training begins with', () => {
  const baseline = Float32Array.of(0.5, 0, -1);
  const begun = fit({ ...table, baseline }, { rounds: 1 }).model;
  expect(begun.members[0]?.baseline).toEqual(baseline);
});
