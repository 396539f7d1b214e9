import { createModel, createProgram, crossEntropy, type Model, type Program, sgd } from '@evenhand/engine';
import { Trainer } from '@evenhand/engine/node';
import { type Comparison, compare } from './measure.js';
import { PythonPeer } from './python-peer.js';

const CLASSES = 10;

interface Case {
  readonly model: Model;
  readonly batch: number;
  /** Steps of ours, and of the peer, in one round. */
  readonly runs: number;
  readonly rounds: number;
}

/** Training and prediction, with two threads in the trainer's own thread, against PyTorch with one and with two. */
export async function benchEngine(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const peer = PythonPeer.start(
    'torch_training.py',
    ['torch'],
    'on Debian: apt-get install python3-torch libopenblas0-pthread',
  );
  const image = { input: [3, 32, 32], classes: CLASSES };
  const cases: Case[] = [
    { model: createModel('mlp', { input: [30], classes: CLASSES }), batch: 256, runs: 200, rounds: 6 },
    { model: createModel('lenet5', { input: [1, 28, 28], classes: CLASSES }), batch: 128, runs: 30, rounds: 6 },
    { model: createModel('vit', image), batch: 128, runs: 2, rounds: 4 },
    { model: createModel('resnet32', image), batch: 128, runs: 2, rounds: 4 },
  ];
  const comparisons: Comparison[] = [];
  try {
    for (const { model, batch, runs, rounds } of quick ? cases.slice(0, 2) : cases) {
      const work = await engineWork(model, batch, quick ? 2 : runs);
      for (const { name, ours, request } of work.comparisons) {
        progress(`engine: ${name}`);
        comparisons.push(await compare({ name, ours, peerWork: request }, peer, quick ? 1 : rounds));
      }
      await work.close();
    }
  } finally {
    peer?.stop();
  }
  return comparisons;
}

async function engineWork(model: Model, batch: number, runs: number) {
  const program = createProgram(model, {
    batchSize: batch,
    evaluationBatch: 256,
    labels: 'indices',
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
    seed: 1,
  });
  const trainer = await Trainer.start(program, { threads: 2 });
  const feeds = randomFeeds(program);
  const rows = randomValues(256 * model.input.reduce((a, b) => a * b, 1));
  let step = 0;
  const train = () => trainer.step({ ...feeds, learningRate: 0.01, step: step++ });
  const predict = () => trainer.predict(rows);
  const request = (work: string, size: number) => ({ work, model: model.name, batch: size, runs });
  return {
    comparisons: [
      { name: `train ${model.name}, batch ${batch}`, ours: bestOf(runs, train), request: request('train', batch) },
      { name: `predict ${model.name}, batch 256`, ours: bestOf(runs, predict), request: request('predict', 256) },
    ],
    close: () => trainer.close(),
  };
}

/** The best time of several runs, in milliseconds. */
function bestOf(runs: number, run: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < runs; i++) {
      const start = performance.now();
      await run();
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
}

function randomFeeds({ batchSize, feeds }: Program) {
  const input = feeds.find(({ name }) => name === 'input');
  const size = input?.shape.reduce((a, b) => a * b, 1) ?? 0;
  return { input: randomValues(size), labels: Int32Array.from({ length: batchSize }, (_, i) => i % CLASSES) };
}

/** About normally distributed. */
function randomValues(length: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, () => 2 * (Math.random() + Math.random() + Math.random()) - 3);
}
