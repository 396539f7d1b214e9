import { readFileSync } from 'node:fs';
import { blockUntilReady, defaultDevice, init, jit, lax, nn, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import { answer, bestStep } from './answer.js';

/**
 * Training steps of LeNet-5 in jax-js on its Wasm backend, the whole step compiled. Neither weight decay nor running
 * statistics, which ours has: that favours jax-js. Its threads need the Worker of browsers, so that it has one in Node.
 */
const CLASSES = 10;
await init('wasm');
defaultDevice('wasm');

// A type, not an interface: jax-js maps over it as a tree.
type LeNet5 = {
  conv1: np.Array;
  bias1: np.Array;
  conv2: np.Array;
  bias2: np.Array;
  fc1: np.Array;
  bias3: np.Array;
  fc2: np.Array;
  bias4: np.Array;
  classifier: np.Array;
  bias5: np.Array;
  scale: np.Array;
  shift: np.Array;
};

// Every function takes its arrays over; `.ref` keeps one for another use.
const step = jit((model: LeNet5, velocity: LeNet5, input: np.Array, labels: np.Array): [np.Array, LeNet5, LeNet5] => {
  const [loss, gradient] = valueAndGrad(crossEntropy)(tree.ref(model), input, labels);
  const moved = tree.map((v: np.Array, g: np.Array) => v.mul(0.9).add(g), velocity, gradient);
  const next = tree.map((w: np.Array, v: np.Array) => w.sub(v.mul(0.01)), model, tree.ref(moved));
  return [loss, next, moved];
});

let model = initial();
let velocity = tree.map((w: np.Array) => np.zeros(w.shape), model);
const batches = new Map<number, { readonly input: np.Array; readonly labels: np.Array }>();

await answer(async ({ batch, runs }) => {
  let feeds = batches.get(batch);
  if (feeds === undefined) {
    feeds = randomBatch(batch);
    batches.set(batch, feeds);
    await train(feeds); // compiles
  }
  const { input, labels } = feeds;
  return { [`jax-js ${version()}, Wasm`]: await bestStep(runs, () => train({ input, labels })) };
});

async function train({ input, labels }: { readonly input: np.Array; readonly labels: np.Array }): Promise<void> {
  const [loss, next, moved] = step(model, velocity, input.ref, labels.ref);
  model = next;
  velocity = moved;
  await blockUntilReady([next, moved]);
  await loss.data();
}

function crossEntropy(parameters: LeNet5, input: np.Array, labels: np.Array): np.Array {
  return labels
    .mul(nn.logSoftmax(logits(parameters, input), -1))
    .sum(1)
    .mean()
    .neg();
}

function logits(parameters: LeNet5, input: np.Array): np.Array {
  const { conv1, bias1, conv2, bias2, fc1, bias3, fc2, bias4, classifier, bias5, scale, shift } = parameters;
  const first = maxPool(nn.relu(convolve(input, conv1, 2).add(bias1)));
  const second = maxPool(nn.relu(convolve(first, conv2, 0).add(bias2))).reshape([-1, 400]);
  const third = nn.relu(np.matmul(second, fc1).add(bias3));
  const fourth = nn.relu(np.matmul(third, fc2).add(bias4));
  const rows = np.matmul(fourth, classifier).add(bias5);
  const centred = rows.ref.sub(rows.mean(0, { keepdims: true }));
  const variance = np.square(centred.ref).mean(0, { keepdims: true });
  return centred
    .div(np.sqrt(variance.add(1e-5)))
    .mul(scale)
    .add(shift);
}

function convolve(input: np.Array, kernel: np.Array, padding: number): np.Array {
  return lax.convGeneralDilated(
    input,
    kernel,
    [1, 1],
    [
      [padding, padding],
      [padding, padding],
    ],
  );
}

function maxPool(input: np.Array): np.Array {
  const [batch = 0, channels = 0, height = 0, width = 0] = input.shape;
  return input.reshape([batch, channels, height / 2, 2, width / 2, 2]).max([3, 5]);
}

function initial(): LeNet5 {
  return {
    conv1: normal([6, 1, 5, 5], 25),
    bias1: np.zeros([6, 1, 1]),
    conv2: normal([16, 6, 5, 5], 150),
    bias2: np.zeros([16, 1, 1]),
    fc1: normal([400, 120], 400),
    bias3: np.zeros([120]),
    fc2: normal([120, 84], 120),
    bias4: np.zeros([84]),
    classifier: normal([84, CLASSES], 84),
    bias5: np.zeros([CLASSES]),
    scale: np.ones([CLASSES]),
    shift: np.zeros([CLASSES]),
  };
}

function randomBatch(batch: number) {
  const labels = new Float32Array(batch * CLASSES);
  for (let i = 0; i < batch; i++) labels[i * CLASSES + (i % CLASSES)] = 1;
  return { input: normal([batch, 1, 28, 28], 1), labels: np.array(labels, { shape: [batch, CLASSES] }) };
}

/** About normally distributed, with variance 1 / inputs. */
function normal(shape: number[], inputs: number): np.Array {
  const length = shape.reduce((a, b) => a * b, 1);
  const value = () => (2 * (Math.random() + Math.random() + Math.random()) - 3) / Math.sqrt(inputs);
  return np.array(Float32Array.from({ length }, value), { shape });
}

function version(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@jax-js/jax'));
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}
