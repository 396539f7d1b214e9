import { join } from 'node:path';
import { createModel, createProgram, crossEntropy, sgd } from '@evenhand/engine';
import { expect, it } from 'vitest';
import { openRun, resume, train } from '../../src/index.js';
import { withGuides } from '../../src/training/guides.js';
import { restartClassifier } from '../../src/training/restart-classifier.js';
import { temporaryFolder } from '../runs/examples.js';
import { NETWORK_RESULTS, resultsOf, tableConfig, writeTable } from './problem.js';

const checkpointOf = async (folder: string) => (await (await openRun(folder)).checkpoint('last'))?.checkpoint.state;

it('trains as one-hot does until training is over, and then answers otherwise, to the same bytes when it goes on', async () => {
  const folder = await temporaryFolder();
  const source = await writeTable(folder);
  const model = { name: 'mlp', hidden: [16], dropout: 0.2, logitNorm: false } as const;
  const options = { model, folds: 3, refit: true } as const;
  const plain = tableConfig(source, { ...options, method: { name: 'one-hot' } });
  const retrained = tableConfig(source, { ...options, method: { name: 'classifier-retraining', retrainingEpochs: 3 } });
  const [first, second] = [join(folder, 'plain'), join(folder, 'retrained')];
  await train(plain, { folder: first, importance: false });
  const notes = (await train(retrained, { folder: second, importance: false })).notes;
  expect(notes.join(' ')).toContain('the last layer is trained anew for 3 epochs');
  expect(await checkpointOf(second)).toEqual(await checkpointOf(first));
  const [before, after] = [await resultsOf(first, ['predictions.csv']), await resultsOf(second, NETWORK_RESULTS)];
  expect(after.get('predictions.csv')).not.toEqual(before.get('predictions.csv'));
  await resume(second, { importance: false });
  expect(await resultsOf(second, NETWORK_RESULTS)).toEqual(after);
});

it('begins with the last layer as it was at first, and an optimizer that knows nothing', () => {
  const program = createProgram(createModel('mlp', { input: [2], classes: 3, hidden: [4] }), {
    batchSize: 4,
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9 }),
    labels: 'indices',
    seed: 1,
  });
  const trained = new Map(
    program.state.map(({ name, shape, initial }) => [name, { shape, data: initial.map((value) => value + 1) }]),
  );
  const restarted = restartClassifier(program, trained);
  for (const { name, kind, initial } of program.state) {
    const isNew = kind === 'slot' || name.startsWith('classifier/');
    expect(restarted.get(name)?.data, name).toEqual(isNew ? initial : trained.get(name)?.data);
  }
});

it('guides are as many as the instances of a network, from its own rows, and of all classes alike', () => {
  const labels = Int32Array.from({ length: 200 }, (_, row) => (row % 100 < 90 ? 0 : row % 100 < 98 ? 1 : 2));
  const rowsOf = (network: number) =>
    [0, 1, 2].map((label) =>
      labels.map((_, row) => row).filter((row) => labels[row] === label && Math.floor(row / 100) === network),
    );
  const batch = Int32Array.from({ length: 600 }, (_, i) => (i < 300 ? 0 : 100));
  const guided = withGuides(batch, [rowsOf(0), rowsOf(1)], { seed: 1, epoch: 0, step: 0 });
  expect(guided).toHaveLength(1200);
  for (const network of [0, 1]) {
    const [own, guides] = [0, 300].map((from) => guided.subarray(600 * network + from, 600 * network + from + 300));
    expect(own).toEqual(batch.subarray(300 * network, 300 * network + 300));
    const counts = [0, 0, 0];
    for (const row of guides ?? []) {
      expect(Math.floor(row / 100)).toBe(network);
      counts[labels[row] ?? 0] = (counts[labels[row] ?? 0] ?? 0) + 1;
    }
    // 100 each; a standard deviation is 8.
    for (const count of counts) expect(Math.abs(count - 100)).toBeLessThan(40);
  }
});
