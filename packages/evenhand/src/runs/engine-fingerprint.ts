import { createHash } from 'node:crypto';
import {
  createProgram,
  crossEntropy,
  layers,
  type Model,
  operations,
  ProgramSession,
  sgd,
  writeSafetensors,
} from '@evenhand/engine';
import { detectTarget, loadRuntime } from '@evenhand/engine/node';

const CLASSES = 3;
const IMAGE = [3, 8, 8] as const;
const BATCH = 8;
const STEPS = 3;
/** Hexadecimal digits that are kept: enough to tell engines apart, and few enough to be read. */
const DIGITS = 16;

/** Convolutions of both strides, in blocks of channels where the machine has them, with what stands between and behind them. */
const NETWORK: Model = {
  name: 'fingerprint',
  input: IMAGE,
  classes: CLASSES,
  build: (network, x) => {
    const { batchNorm, conv2d, globalAveragePool, linear } = layers;
    const conv1 = conv2d(network, x, { name: 'conv1', channels: 16, kernel: 3, padding: 1 });
    const wide = operations.relu(batchNorm(network, conv1, { name: 'norm1' }));
    const conv2 = conv2d(network, wide, { name: 'conv2', channels: 32, kernel: 3, padding: 1, stride: 2 });
    const small = operations.relu(batchNorm(network, conv2, { name: 'norm2' }));
    const logits = linear(network, globalAveragePool(network, small, { name: 'pool' }), {
      name: 'classifier',
      units: CLASSES,
    });
    return batchNorm(network, logits, { name: 'logitNorm' });
  },
};

let known: Promise<string> | undefined;

/**
 * Tells engines apart by what they compute: the hash of weights, statistics and momentum after three fixed steps of a small fixed network.
 * Where it is the same, the same configuration may be expected to train to the same bytes; another version of the engine or of ONNX Runtime,
 * or another kind of processor, may have another one. Computed once per process.
 */
export function engineFingerprint(): Promise<string> {
  known ??= compute();
  return known;
}

async function compute(): Promise<string> {
  const program = createProgram(NETWORK, {
    batchSize: BATCH,
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
    labels: 'indices',
    seed: 1,
    target: await detectTarget(),
  });
  const session = await ProgramSession.create(await loadRuntime(), program, { threads: 1 });
  try {
    for (let step = 0; step < STEPS; step++) await session.step(feedsOf(step));
    const state = writeSafetensors(await session.state());
    return createHash('sha256').update(state).digest('hex').slice(0, DIGITS);
  } finally {
    await session.close();
  }
}

/** Whole numbers divided by 64, which no two machines round differently. */
function feedsOf(step: number) {
  const size = BATCH * IMAGE.reduce((product, length) => product * length, 1);
  return {
    input: Float32Array.from({ length: size }, (_, i) => ((i * 29 + ((i * i) % 23) * 5 + step * 13) % 64) / 64),
    labels: Int32Array.from({ length: BATCH }, (_, row) => (row + step) % CLASSES),
    learningRate: 0.1,
    step,
  };
}
