import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TrainingEvent, train } from 'evenhand';
import { readMnist } from 'evenhand/data';
import { type Comparison, compare } from './measure.js';

/** Many short runs: how fast a session is differs from one to the next by more than what is measured here. */
const ROUNDS = 24;
/** Of one run; the first is the slowest. */
const EPOCHS = 2;

/**
 * What enhancement costs: an epoch of LeNet-5 on long-tailed MNIST against one with one-hot labels, whole training runs
 * alternating in one process, the best epoch of each. Ours is the epoch's steps, the prediction of the validation set and the
 * encoding of the labels; of one-hot only the steps count, which need neither. A ratio of 0.971 is an epoch 1.03 times as long.
 */
export async function benchOverhead(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const dataset = await readMnist();
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-bench-'));
  let runs = 0;
  const bestEpoch = async (name: 'enhancement' | 'one-hot') => {
    const seconds: number[] = [];
    const onEvent = (event: TrainingEvent) => {
      if (event.kind !== 'epoch') return;
      seconds.push(event.seconds.training + (name === 'one-hot' ? 0 : event.seconds.encoding));
    };
    await train(
      {
        data: { source: 'mnist', imbalance: { kind: 'mnist-long-tail' } },
        method: { name },
        epochs: quick ? 1 : EPOCHS,
        threads: 2,
      },
      { folder: join(folder, String(runs++)), dataset, onEvent },
    );
    return 1000 * Math.min(...seconds);
  };
  const name = 'epoch of enhancement, LeNet-5, long-tailed MNIST, batch 128';
  progress(`overhead: ${name}`);
  const oneHot = { run: async () => new Map([['one-hot', await bestEpoch('one-hot')]]) };
  try {
    const work = { name, ours: () => bestEpoch('enhancement'), peerWork: {} };
    return [await compare(work, oneHot, quick ? 1 : ROUNDS)];
  } finally {
    await rm(folder, { recursive: true });
  }
}
