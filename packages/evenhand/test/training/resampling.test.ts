import { join } from 'node:path';
import { smote } from '@evenhand/resampling';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import { learnerConfig } from '../../src/config/schema.js';
import { type ConfigInput, type Dataset, openRun, type TrainingEvent, train, UserError } from '../../src/index.js';
import type { RowsToResample } from '../../src/methods/method.js';
import { isMethodName, methods } from '../../src/methods/registry.js';
import { distanceSpace } from '../../src/methods/resampling/distance-space.js';
import { readMnist } from '../../src/sources/mnist.js';
import { NetworkPlan } from '../../src/training/learners/network-plan.js';
import { resampleRows } from '../../src/training/resample-rows.js';
import { rowsOfNetworks } from '../../src/training/rows-of-networks.js';
import { setUpTraining } from '../../src/training/set-up.js';
import { temporaryFolder } from '../runs/examples.js';
import { resultsOf, tableConfig, writeTable } from './problem.js';

async function setUp(given: ConfigInput) {
  const { model, portfolio: _, ...shared } = parseConfig(given);
  if (model.name === 'auto') throw new Error('the test wants one network');
  const { learner, ...setup } = await setUpTraining(learnerConfig(shared, model), () => undefined, {});
  if (!(learner instanceof NetworkPlan)) throw new Error('the test wants a network');
  return { ...setup, program: learner.program, batchesOf: (epoch: number) => learner.batches.of(epoch) };
}

/** What each network sees in the first epoch, as indices of the instances. */
function seenBy({ batchesOf, program: { pack, batchSize } }: Awaited<ReturnType<typeof setUp>>): Set<number>[] {
  const seen = Array.from({ length: pack }, () => new Set<number>());
  for (const batch of batchesOf(0)) {
    for (const [i, row] of batch.entries()) seen[Math.floor(i / batchSize)]?.add(row);
  }
  return seen;
}

describe('methods that resample', () => {
  it('are given the rows of one network and no others: nothing that measures it', async () => {
    const setup = await setUp(tableConfig(await writeTable(await temporaryFolder()), { folds: 4 }));
    const { split, instances } = setup;
    const given: RowsToResample[] = [];
    const resample = (rows: RowsToResample, seed: number) => {
      given.push(rows);
      return smote(rows.features, rows.labels, { seed, lenient: true });
    };
    resampleRows({ instances, rows: rowsOfNetworks(split) }, { method: { resample }, name: 'smote', seed: 1 });
    expect(given).toHaveLength(4);
    for (const [network, { features, labels }] of given.entries()) {
      const outside = split.training.filter((_, row) => split.folds?.[row] !== network);
      expect(features).toEqual(instances.inputs(outside));
      expect([...labels]).toEqual(Array.from(outside, (instance) => instances.labels[instance]));
    }
  });

  it('give each network rows of its own, and the same ones again with the same seed', async () => {
    const source = await writeTable(await temporaryFolder());
    const options = { folds: 3, method: { name: 'smote' } } as const;
    const [first, again] = [await setUp(tableConfig(source, options)), await setUp(tableConfig(source, options))];
    const other = await setUp(tableConfig(source, { ...options, seed: 1 }));
    const original = first.dataset.labels.length;
    const made = (setup: typeof first) =>
      seenBy(setup).map((rows) => Int32Array.from(rows).filter((row) => row >= original));
    const synthetic = made(first);
    expect(synthetic.every(({ length }) => length > 0)).toBe(true);
    expect(new Set(synthetic.flatMap((rows) => [...rows])).size).toBe(synthetic.flatMap((rows) => [...rows]).length);
    for (const [network, rows] of synthetic.entries()) {
      expect(again.instances.inputs(rows)).toEqual(first.instances.inputs(rows));
      expect(other.instances.inputs(made(other)[network] ?? rows)).not.toEqual(first.instances.inputs(rows));
    }
  });

  it('make rows of which every category, truth value and flag is one that there is, and every number lies between two', async () => {
    for (const name of ['smote', 'smote-nc', 'adasyn', 'rose', 'cluster-centroids', 'smote-enn'] as const) {
      const source = await writeTable(await temporaryFolder());
      const { instances, dataset, split } = await setUp(tableConfig(source, { method: { name } }));
      if (instances.kind !== 'table') throw new Error('the test wants a table');
      // x, y, member; the flag of y; the code of colour.
      expect(instances.discrete).toEqual([2, 3, 4]);
      const original = instances.inputs(split.training);
      const made = Int32Array.from(
        { length: instances.labels.length - dataset.labels.length },
        (_, i) => dataset.labels.length + i,
      );
      const synthetic = instances.inputs(made);
      expect(made.length).toBeGreaterThan(10);
      for (const column of [0, 1, 2, 3, 4]) {
        const valuesOf = (rows: Float32Array) => rows.filter((_, i) => i % 5 === column);
        const known = new Set(valuesOf(original));
        const values = valuesOf(synthetic);
        if (column > 1)
          expect(
            values.every((value) => known.has(value)),
            `${name}, column ${column}`,
          ).toBe(true);
        else if (name !== 'rose') {
          const [least, most] = [Math.min(...known), Math.max(...known)];
          expect(values.every((value) => value >= least - 1e-6 && value <= most + 1e-6)).toBe(true);
        }
      }
    }
  });

  it('take a class with a single row in folds, and one that the network does not see at all', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder, [40, 20, 1]);
    for (const name of ['smote', 'random-under-sampling', 'near-miss', 'adasyn', 'smote-nc'] as const) {
      const { evaluation } = await train(tableConfig(source, { method: { name }, folds: 3, epochs: 1 }), {
        folder: join(folder, name),
        importance: false,
      });
      expect(evaluation.counts.training).toEqual([32, 16, 1]);
    }
  });

  it('say what the network learns from', async () => {
    const folder = await temporaryFolder();
    const notes: string[] = [];
    const onEvent = (event: TrainingEvent) => {
      if (event.kind === 'started') notes.push(...event.notes);
    };
    const config = tableConfig(await writeTable(folder), { method: { name: 'random-under-sampling' }, epochs: 1 });
    await train(config, { folder: join(folder, 'run'), onEvent });
    expect(notes).toContain(
      'The network learns from 48 instances after random-under-sampling: =cmd 16, __proto__ 16, plain 16.',
    );
  });

  it('take the classes to be as common as they are after resampling', async () => {
    const source = await writeTable(await temporaryFolder());
    const { assumedLogPrior, learnedCounts } = await setUp(
      tableConfig(source, { method: { name: 'smote', balance: 0.5 } }),
    );
    expect(learnedCounts).toEqual([96, 48, 48]);
    for (const [p, share] of [0.5, 0.25, 0.25].entries()) expect(assumedLogPrior[p]).toBeCloseTo(Math.log(share), 6);
  });

  it('resample all rows for a refit, and come to the same bytes when they go on', async () => {
    const folder = await temporaryFolder();
    const config = tableConfig(await writeTable(folder), {
      method: { name: 'smote' },
      folds: 3,
      refit: true,
      epochs: 2,
    });
    await train(config, { folder: join(folder, 'one') });
    await train(config, { folder: join(folder, 'two') });
    expect(await resultsOf(join(folder, 'one'))).toEqual(await resultsOf(join(folder, 'two')));
    const { refit } = await (await openRun(join(folder, 'one'))).evaluation();
    expect(refit).toMatchObject({ rows: 144 });
  });

  it('resample held-out rows too once they train', async () => {
    const source = await writeTable(await temporaryFolder());
    const data = { source, target: 'class', giveBack: 0.5 };
    const { batchesOf, instances } = await setUp(
      tableConfig(source, { data, method: { name: 'random-under-sampling' } }),
    );
    const sizes = [0, 2].map((epoch) => {
      const seen = new Set(batchesOf(epoch).flatMap((batch) => [...batch]));
      return [0, 1, 2].map((label) => [...seen].filter((row) => instances.labels[row] === label).length);
    });
    expect(sizes).toEqual([
      [11, 11, 11],
      [16, 16, 16],
    ]);
  });
});

describe('distances for tables with categories', () => {
  it('two different values add 1 to the squared distance, numbers their difference squared', () => {
    const rows = { width: 3, discrete: [1, 2], labels: Int32Array.of(0, 0, 1) };
    const space = distanceSpace({ ...rows, features: Float32Array.of(0, 4, 1, 3, 4, 0, 3, 9, 0) });
    const columns = space.length / 3;
    const squared = (a: number, b: number) =>
      Array.from(
        { length: columns },
        (_, c) => ((space[a * columns + c] ?? 0) - (space[b * columns + c] ?? 0)) ** 2,
      ).reduce((sum, one) => sum + one, 0);
    expect(squared(0, 1)).toBeCloseTo(9 + 1, 5);
    expect(squared(1, 2)).toBeCloseTo(1, 5);
    expect(squared(0, 2)).toBeCloseTo(9 + 2, 5);
  });
});

describe('images', () => {
  let dataset: Dataset;
  beforeAll(async () => {
    const { labels, pixels } = await readMnist();
    const chosen = [24, 12, 10].flatMap((count, digit) =>
      [...labels.keys()].filter((image) => labels[image] === digit).slice(0, count),
    );
    dataset = {
      kind: 'images',
      name: 'a few digits',
      classNames: ['0', '1', '2'],
      labels: Int32Array.from(chosen, (image) => labels[image] ?? 0),
      contentHash: 'a few digits',
      shape: [1, 28, 28],
      pixels: Uint8Array.from(chosen.flatMap((image) => [...pixels.subarray(784 * image, 784 * (image + 1))])),
      notes: [],
    };
  });

  it.each(Object.keys(methods).filter(isMethodName))('%s trains on them, or says what does', async (name) => {
    const folder = await temporaryFolder();
    const options = name === 'class-weights' ? { weights: { 2: 5 } } : {};
    const config = {
      data: { source: 'mnist' },
      model: { name: 'mlp', hidden: [8] },
      method: { name, ...options },
      epochs: 1,
      threads: 1,
    };
    const run = train(parseConfig(config), { folder: join(folder, 'run'), dataset });
    if (methods[name].tablesOnly !== true) {
      expect((await run).epochs).toBe(1);
      return;
    }
    await expect(run).rejects.toThrow(UserError);
    if (methods[name].treesOnly === true) return;
    await expect(run).rejects.toThrow(
      `the method "${name}" goes by distances between rows of a table; between pixels they mean little. ` +
        'For images choose over-sampling or random-under-sampling',
    );
  });
});
