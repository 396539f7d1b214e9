import { createModel, type Model, pack } from '@evenhand/engine';
import { type Comparison, compare } from './measure.js';
import { Peer } from './peer.js';
import { CLASSES, PREDICTED_BATCHES, startTraining } from './training.js';

interface Case {
  readonly model: Model;
  readonly batch: number;
  /** Steps of ours, and of PyTorch, in one round. */
  readonly runs: number;
  readonly rounds: number;
  /** Steps of ours in one call. */
  readonly together: number;
  /** Slower peers, which have only this model, to which ours is compared as well. */
  readonly others?: readonly OtherPeer[];
}

interface OtherPeer {
  readonly name: string;
  readonly script: URL;
  readonly needed: string;
  readonly runs: number;
  readonly rounds: number;
}

const OTHERS: readonly OtherPeer[] = [
  {
    name: 'TensorFlow.js',
    script: new URL('./peers/tensorflow-lenet5.js', import.meta.url),
    needed: '@tensorflow/tfjs',
    runs: 1,
    rounds: 2,
  },
  {
    name: 'jax-js',
    script: new URL('./peers/jax-lenet5.js', import.meta.url),
    needed: '@jax-js/jax',
    runs: 2,
    rounds: 3,
  },
];

/**
 * Training and prediction, with two threads in the trainer's own thread, against PyTorch with one and with two; training
 * against what else there is in JavaScript; and memory. Every peer is a process of its own, idle while ours runs.
 */
export async function benchEngine(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const image = { input: [3, 32, 32], classes: CLASSES };
  const lenet5 = createModel('lenet5', { input: [1, 28, 28], classes: CLASSES });
  const mlp = createModel('mlp', { input: [30], classes: CLASSES });
  const small = { batch: 256, runs: 400, rounds: 20, together: 50 };
  const cases: Case[] = [
    { ...small, model: mlp },
    { ...small, model: pack(mlp, NETWORKS), runs: 100, together: 10 },
    { model: lenet5, batch: quick ? 8 : 128, runs: 48, rounds: 6, together: 4, others: OTHERS },
    { model: createModel('vit', image), batch: 128, runs: 4, rounds: 4, together: 1 },
    { model: createModel('resnet32', image), batch: 128, runs: 4, rounds: 6, together: 1 },
  ];
  const comparisons: Comparison[] = [];
  const torch = startTorch();
  try {
    for (const one of quick ? cases.slice(0, 3) : cases) {
      comparisons.push(...(await benchCase(quick ? quickened(one) : one, torch, progress)));
    }
  } finally {
    torch?.stop();
  }
  comparisons.push(await benchPack(mlp, quick ? { ...small, runs: 2, rounds: 1, together: 1 } : small, progress));
  comparisons.push(await benchMemory(quick ? 8 : 128, progress));
  return comparisons;
}

function startTorch(): Peer | null {
  return Peer.python('torch_training.py', ['torch'], 'on Debian: apt-get install python3-torch libopenblas0-pthread');
}

function quickened({ others = [], ...one }: Case): Case {
  return { ...one, runs: 2, rounds: 1, together: 1, others: others.map((other) => ({ ...other, runs: 1, rounds: 1 })) };
}

async function benchCase(one: Case, torch: Peer | null, progress: (text: string) => void): Promise<Comparison[]> {
  const { model, batch, runs, rounds, together, others = [] } = one;
  const { train, predict, close } = await startTraining(model, batch);
  const training = { name: `train ${model.name}, batch ${batch}`, ours: throughput(runs, together, train) };
  const prediction = { name: `predict ${model.name}, batch 256`, ours: bestOf(runs, predict) };
  const request = { model: model.name, runs };
  const comparisons: Comparison[] = [];
  progress(`engine: ${training.name}`);
  comparisons.push(await compare({ ...training, peerWork: { ...request, work: 'train', batch } }, torch, rounds));
  for (const other of others) {
    const name = `${training.name}, against ${other.name}`;
    progress(`engine: ${name}`);
    const peer = Peer.node(other.script, other.needed);
    try {
      const peerWork = { batch, runs: other.runs };
      comparisons.push(await compare({ ...training, name, peerWork }, peer, other.rounds));
    } finally {
      peer?.stop();
    }
  }
  progress(`engine: ${prediction.name}`);
  comparisons.push(
    await compare({ ...prediction, peerWork: { ...request, work: 'predict', batch: 256 } }, torch, rounds),
  );
  await close();
  return comparisons;
}

/** Networks of the pack. */
const NETWORKS = 8;

/** A step of a pack beside one of its networks alone: the ratio is what it would be if all its networks were free. */
async function benchPack(
  model: Model,
  { batch, runs, rounds, together }: Omit<Case, 'model'>,
  progress: (text: string) => void,
): Promise<Comparison> {
  const name = `train pack of ${NETWORKS} ${model.name}, against one`;
  progress(`engine: ${name}`);
  const several = await startTraining(pack(model, NETWORKS), batch);
  const one = await startTraining(model, batch);
  const alone = throughput(runs, together, one.train);
  const peer = { run: async () => new Map([['one of its networks', await alone()]]) };
  try {
    return await compare({ name, ours: throughput(runs, together, several.train), peerWork: {} }, peer, rounds);
  } finally {
    await several.close();
    await one.close();
  }
}

/** Both sides in a fresh process, which has held nothing else. */
async function benchMemory(batch: number, progress: (text: string) => void): Promise<Comparison> {
  const work = { batch, runs: 3 };
  const name = 'peak memory resnet32';
  progress(`engine: ${name}`);
  const ours = Peer.start(process.execPath, new URL('./peers/evenhand-memory.js', import.meta.url));
  const torch = startTorch();
  const peakOfOurs = async () => Math.max(...(await ours.run(work)).values());
  try {
    const peerWork = { ...work, work: 'memory', model: 'resnet32' };
    return await compare({ name, unit: 'MB', ours: peakOfOurs, peerWork }, torch, 1);
  } finally {
    ours.stop();
    torch?.stop();
  }
}

/**
 * Milliseconds a step, the mean of a round's steps on both sides; of the rounds, the best counts. The next batches are posted
 * while others are trained, as the trainer is used.
 */
function throughput(runs: number, together: number, train: (steps: number) => Promise<unknown>): () => Promise<number> {
  return async () => {
    const calls = Math.ceil(runs / together);
    const start = performance.now();
    let running = train(together);
    for (let i = 1; i < calls; i++) {
      const next = train(together);
      await running;
      running = next;
    }
    await running;
    return (performance.now() - start) / (calls * together);
  };
}

/** Milliseconds for a batch: the best of several runs of all batches, where the peers' is their best single batch. */
function bestOf(runs: number, run: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < runs; i++) {
      const start = performance.now();
      await run();
      best = Math.min(best, (performance.now() - start) / PREDICTED_BATCHES);
    }
    return best;
  };
}
