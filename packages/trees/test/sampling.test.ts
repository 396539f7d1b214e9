// As they are built: threads are started from files.
import { fit as fitInThreads, TreeTrainer } from '@evenhand/trees/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberBin } from '../src/bins/column.js';
import { findNumberBins } from '../src/bins/find-bins.js';
import { drawColumns } from '../src/boosting/sample.js';
import { sharesOfBins } from '../src/boosting/self-paced.js';
import { fit, gainImportance, predict, type TrainingData, type TreeModel, type TreeOptions } from '../src/index.js';
import { randomNumbers } from '../src/random.js';
import { logLoss } from './metrics.js';
import { randomTable } from './random-table.js';

const joined = (values: Float32Array) => Float32Array.from([...values, ...values]);
const shape = { seed: 21, rows: 500, columns: 5, classes: 3, missing: 0.05, categories: 6 };
const table = randomTable(shape);
const folds = Int32Array.from(table.labels, (_, i) => i % 3);

describe('bins', () => {
  it('edges are float32, rise, and divide the values: each bin has some', () => {
    const values = fc.array(fc.float({ noDefaultInfinity: true, noNaN: true }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 255 }), (drawn, bins) => {
        const { edges } = findNumberBins(Float32Array.from(drawn), bins);
        expect(edges.length).toBeLessThan(bins);
        expect(edges.every((edge, i) => i === 0 || edge > (edges[i - 1] ?? 0))).toBe(true);
        const used = new Set(drawn.map((value) => numberBin(edges, Math.fround(value))));
        expect(used.size).toBe(edges.length + 1);
      }),
    );
  });
});

describe('draws', () => {
  it('take as many columns as the share says, others in every round, the same for the same seed', () => {
    const drawn = Array.from({ length: 50 }, (_, round) => drawColumns(10, 0.35, [1, 0, round, 0]));
    expect(drawn.every((columns) => columns.reduce((a, b) => a + b, 0) === 4)).toBe(true);
    expect(new Set(drawn.map((columns) => columns.join())).size).toBeGreaterThan(30);
    expect(drawColumns(10, 0.35, [1, 0, 7, 0])).toEqual(drawn[7]);
  });

  it('another seed gives other trees, the same seed the same', () => {
    const trees = [1, 1, 2].map((seed) => fit(table, { rounds: 5, rowShare: 0.6, columnShare: 0.5, seed }).model);
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[2]).not.toEqual(trees[0]);
  });
});

describe('shares of the classes', () => {
  const baseline = new Float32Array(3);

  it('of 1 change nothing, and one that is next to nothing is as if the rows of the class had no weight', () => {
    const plain = fit({ ...table, baseline }, { rounds: 4 }).model;
    expect(fit({ ...table, baseline }, { rounds: 4, classShares: [1, 1, 1] }).model).toEqual(plain);
    const weights = Float32Array.from(table.labels, (label) => (label === 0 ? 0 : 1));
    const without = fit({ ...table, baseline, weights }, { rounds: 4 }).model;
    expect(fit({ ...table, baseline }, { rounds: 4, classShares: [1e-12, 1, 1] }).model).toEqual(without);
  });

  it('are drawn anew in every round: two rounds learn from more rows than one', () => {
    const one = fit(table, { rounds: 2, classShares: [0.2, 1, 1], seed: 1 }).model;
    const [first, second] = one.members[0]?.rounds ?? [];
    expect(second).not.toEqual(first);
    expect(fit(table, { rounds: 2, classShares: [0.2, 1, 1], seed: 1 }).model).toEqual(one);
    expect(fit(table, { rounds: 2, classShares: [0.2, 1, 1], seed: 2 }).model).not.toEqual(one);
  });

  describe('with bags', () => {
    // Classes at random: who is learned from is learned by heart, and who is not is taken for the class around it.
    const random = randomNumbers(5);
    const noise = {
      values: Float32Array.from({ length: 200 }, (_, row) => row),
      columns: 1,
      classes: 2,
      labels: Int32Array.from({ length: 200 }, () => Number(random() < 0.5)),
    };
    const options = {
      rounds: 60,
      learningRate: 0.3,
      leaves: 200,
      minimalLeafRows: 1,
      classShares: [0.3, 1],
      seed: 3,
    } as const;
    const known = (model: TreeModel) => {
      const probabilities = predict(model, noise);
      return Array.from(noise.labels, (label, row) => label === 0 && (probabilities[2 * row] ?? 0) > 0.5);
    };
    const count = (flags: readonly boolean[]) => flags.filter(Boolean).length;
    const rare = noise.labels.filter((label) => label === 0).length;

    it('drawn once, only these rows are ever learned from; drawn anew in every round, nearly all are', () => {
      const once = known(fit(noise, { ...options, classDraw: 'once' }).model);
      const each = known(fit(noise, options).model);
      expect(count(once) / rare).toBeGreaterThan(0.15);
      expect(count(once) / rare).toBeLessThan(0.6);
      expect(count(each) / rare).toBeGreaterThan(0.8);
    });

    it('each member has one of its own', () => {
      const left = noise.labels.map((_, row) => (row === 0 ? 0 : row === 1 ? 1 : -1));
      const { model } = fit({ ...noise, folds: left }, { ...options, classDraw: 'once' });
      const [first, second] = model.members.map((member) => known({ ...model, members: [member] }));
      const both = first?.filter((flag, row) => flag && second?.[row] === true) ?? [];
      expect(count(first ?? [])).toBeGreaterThan(count(both) + 10);
    });
  });

  describe('by hardness', () => {
    it('take as many rows as the share says: first as much hardness of every bin, last as many rows', () => {
      // 80 rows with a mean hardness of 0.1 and 20 with 0.4: one in five is wanted.
      const [rows, sums] = [Float64Array.of(80, 0, 20), Float64Array.of(8, 0, 8)];
      const taken = (alpha: number) =>
        sharesOfBins(rows, sums, 0.2, alpha).map((share, bin) => share * (rows[bin] ?? 0));
      for (const [bin, expected] of [16, 0, 4].entries()) expect(taken(0)[bin]).toBeCloseTo(expected, 9);
      for (const [bin, expected] of [10, 0, 10].entries()) expect(taken(1e12)[bin]).toBeCloseTo(expected, 9);
      // A bin has no more than all of its rows.
      const [many, all] = sharesOfBins(Float64Array.of(90, 10), Float64Array.of(9, 9), 0.5, 1e12);
      expect(many).toBeCloseTo(25 / 90, 9);
      expect(all).toBe(1);
    });

    it('is a draw of its own: the same for the same seed, in threads too, and no other in the first round, when all are equally hard', async () => {
      const options = { rounds: 6, classShares: [0.3, 1, 1], classDraw: 'self-paced', seed: 4 } as const;
      const { model } = fit(table, options);
      expect((await fitInThreads(table, { ...options, threads: 2 })).model).toEqual(model);
      const { model: plain } = fit(table, { ...options, classDraw: 'each-round' });
      expect(model.members[0]?.rounds[0]).toEqual(plain.members[0]?.rounds[0]);
      expect(model.members[0]?.rounds[5]).not.toEqual(plain.members[0]?.rounds[5]);
    });
  });

  it('a way to draw that is not there is refused', () => {
    const options: TreeOptions = JSON.parse('{ "classDraw": "twice" }');
    expect(() => fit(table, options)).toThrow(
      'fit: the option "classDraw" is twice; expected each-round, once, self-paced',
    );
  });

  it.each([0, -0.1, 1.1, Number.NaN])('%d is refused', (share) => {
    expect(() => fit(table, { classShares: [1, share, 1] })).toThrow(
      `fit: the option "classShares[1]" is ${share}; expected a number above 0 and at most 1`,
    );
  });
});

describe('members', () => {
  it('learn alone from rows that are theirs: the others are as if these were not there', () => {
    // Few rows: every value has a bin, and rows that are there twice change none.
    const few = randomTable({ ...shape, rows: 120 });
    const half = few.labels.map((_, row) => row % 2);
    const again = { ...few, values: joined(few.values), labels: Int32Array.from([...few.labels, ...few.labels]) };
    const withFolds = (own: number) => Int32Array.from([...half, ...half.map(() => own)]);
    const baseline = new Float32Array(3);
    const membersOf = (data: TrainingData) =>
      fit({ ...data, baseline }, { rounds: 4, minimalLeafRows: 4 }).model.members;
    const [first, second] = membersOf({ ...again, folds: withFolds(-2) });
    expect(second).toEqual(membersOf({ ...few, folds: half })[1]);
    expect(first).toEqual(membersOf({ ...again, folds: withFolds(-1) })[0]);
    expect(() => fit({ ...again, folds: withFolds(-300) })).toThrow('expected −1 to 254, or −2 − m');
  });

  it('learn nothing from the rows that they leave out', () => {
    const options = { rounds: 5 };
    const { model } = fit({ ...table, folds }, options);
    const weights = Float32Array.from(folds, (fold) => (fold === 1 ? 0 : 1));
    const alone = fit({ ...table, weights }, options).model;
    expect(model.members[1]).toEqual(alone.members[0]);
  });

  it('the loss of held-out rows is that of the member that leaves them out, and the best round is kept', () => {
    const { model, heldOutLosses } = fit({ ...table, folds }, { rounds: 200, patience: 10, learningRate: 0.3 });
    const best = heldOutLosses.indexOf(Math.min(...heldOutLosses));
    expect(heldOutLosses).toHaveLength(best + 1 + 10);
    expect(model.members.map(({ rounds }) => rounds.length)).toEqual([best + 1, best + 1, best + 1]);
    const losses = model.members.map((member, m) => {
      const rows = [...folds.keys()].filter((row) => folds[row] === m);
      const values = Float32Array.from(rows.flatMap((row) => [...table.values.subarray(5 * row, 5 * row + 5)]));
      const own = predict({ ...model, members: [member] }, { values, columns: 5 });
      return (
        rows.length *
        logLoss(
          Int32Array.from(rows, (row) => table.labels[row] ?? 0),
          own,
          3,
        )
      );
    });
    expect(losses.reduce((a, b) => a + b, 0) / 500).toBeCloseTo(heldOutLosses[best] ?? 0, 5);
  });
});

describe('threads', () => {
  const options = { rounds: 6, rowShare: 0.8, columnShare: 0.7, seed: 4 };

  it('any number of them trains the same trees as none', async () => {
    const expected = fit({ ...table, folds }, options);
    for (const threads of [1, 2, 3]) {
      expect(await fitInThreads({ ...table, folds }, { ...options, threads })).toEqual(expected);
    }
  });

  it('rounds that were trained before are gone on from, bit for bit, with labels that change on the way', async () => {
    const labels = { rows: Float32Array.of(1.4, -0.2, -0.2, -0.3, 1.6, -0.3, -0.1, -0.1, 1.2) };
    const rounds: Awaited<ReturnType<TreeTrainer['advance']>>[] = [];
    const whole = await TreeTrainer.start({ ...table, folds }, { ...options, threads: 2 });
    for (let round = 0; round < 6; round++) {
      if (round === 2) await whole.setLabels(labels);
      rounds.push(await whole.advance());
    }
    const resumed = await TreeTrainer.start({ ...table, folds }, { ...options, threads: 1 });
    await resumed.restore(rounds.slice(0, 3).map(({ trees }) => trees));
    await resumed.setLabels(labels);
    for (let round = 3; round < 6; round++) expect(await resumed.advance()).toEqual(rounds[round]);
    expect(resumed.heldOutProbabilities()).toEqual(whole.heldOutProbabilities());
    await Promise.all([whole.close(), resumed.close()]);
  });

  it('the event loop stays free while they train', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const large = randomTable({ ...shape, rows: 20_000 });
    await fitInThreads(large, { rounds: 20, threads: 1 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(20);
  });

  it('a mistake is told before threads start', async () => {
    await expect(fitInThreads({ ...table, classes: 1 })).rejects.toThrow(/expected at least 2/);
  });
});

it('the importance of a column is its share in the gain, and noise has little', () => {
  const importance = gainImportance(fit(randomTable({ ...shape, rows: 3000, missing: 0 }), { rounds: 20 }).model);
  expect(importance.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
  expect(Math.max(importance[3] ?? 1, importance[4] ?? 1)).toBeLessThan(Math.min(...importance.subarray(0, 3)));
});
