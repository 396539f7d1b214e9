import { type Shape, sizeOf } from '../../src/graph/tensor.js';
import { linear } from '../../src/layers/linear.js';
import { batchNorm } from '../../src/layers/normalisation.js';
import { binaryCrossEntropy } from '../../src/losses/binary-cross-entropy.js';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import { focal } from '../../src/losses/focal.js';
import { hinge } from '../../src/losses/hinge.js';
import type { Loss } from '../../src/losses/loss.js';
import { meanSquareError } from '../../src/losses/mean-square-error.js';
import { squaredError } from '../../src/losses/squared-error.js';
import { lenet5 } from '../../src/models/lenet.js';
import { mlp } from '../../src/models/mlp.js';
import { resnet32, resnet34 } from '../../src/models/resnet.js';
import { vit } from '../../src/models/transformer.js';
import type { Model } from '../../src/network/network.js';
import { relu } from '../../src/operations/relu.js';
import { adam, adamw } from '../../src/optimizers/adam.js';
import { clipByNorm } from '../../src/optimizers/clip-by-norm.js';
import { chain, type Optimizer } from '../../src/optimizers/optimizer.js';
import { sgd } from '../../src/optimizers/sgd.js';
import type { Program } from '../../src/training/program.js';
import golden from '../golden/training.json' with { type: 'json' };

/** What scripts/golden_training.py made with PyTorch; this file draws the same weights, batches and labels. */
export const { madeWith } = golden;

export interface GoldenCase {
  readonly model: string;
  readonly loss: string;
  readonly optimizer: string;
  readonly batch: number;
  readonly losses: readonly number[];
  /** Sum, sum of squares, and entries that lie evenly apart, of every parameter and statistic after the last step. */
  readonly state: Readonly<Record<string, readonly number[]>>;
}

export const cases: readonly GoldenCase[] = golden.cases.map(({ state, ...rest }) => ({
  ...rest,
  state: Object.fromEntries(
    Object.entries(state).filter((entry): entry is [string, number[]] => Array.isArray(entry[1])),
  ),
}));

export const learningRate = 0.01;

/** Two linear layers and a batch norm. No bias before the norm, which would take it out again. */
export const tiny: Model = {
  name: 'tiny',
  input: [6],
  classes: 4,
  build: (network, x) => {
    const hidden = relu(linear(network, x, { name: 'hidden', units: 8 }));
    const logits = linear(network, hidden, { name: 'classifier', units: 4, bias: false });
    return batchNorm(network, logits, { name: 'logitNorm' });
  },
};

export const goldenModels: Readonly<Record<string, Model>> = {
  tiny,
  mlp: mlp({ input: [30], classes: 10 }),
  lenet5: lenet5({ input: [1, 28, 28], classes: 10 }),
  resnet32: resnet32({ input: [3, 32, 32], classes: 10 }),
  resnet34: resnet34({ input: [3, 64, 64], classes: 10 }),
  vit: vit({ input: [1, 8, 8], classes: 4, patch: 4, width: 8, depth: 2, heads: 2 }),
};

export const goldenLosses: Readonly<Record<string, Loss>> = {
  crossEntropy,
  meanSquareError,
  focal: focal({ gamma: 2 }),
  'focal γ=0.5': focal({ gamma: 0.5 }),
  'focal γ=1': focal({ gamma: 1 }),
  hinge,
  squaredError,
  binaryCrossEntropy,
};

export const goldenOptimizers: Readonly<Record<string, Optimizer>> = {
  sgd: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
  nesterov: sgd({ momentum: 0.9, weightDecay: 5e-4, nesterov: true }),
  adam: adam({ weightDecay: 0.1 }),
  adamw: adamw({ weightDecay: 0.1 }),
  steadyAdamw: adamw({ weightDecay: 0.1, epsilon: 1e-3 }),
  steadierAdamw: adamw({ weightDecay: 0.1, epsilon: 1e-1 }),
  clippedAdamw: chain([clipByNorm(0.3)], adamw({ beta1: 0.8, beta2: 0.99, epsilon: 1e-3, weightDecay: 0.1 })),
};

/** Numbers from −1 to 1, decided by a name. */
export function draw(name: string, count: number): Float64Array {
  let state = 0;
  for (const character of name) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0;
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = (state >>> 8) / 2 ** 23 - 1;
  }
  return values;
}

export function drawLabels(name: string, count: number, classes: number): number[] {
  return Array.from(draw(name, count), (value) => Math.floor(((value + 1) / 2) * classes));
}

/** The program, with the parameters' first values of the golden cases. */
export function withGoldenWeights(program: Program): Program {
  return {
    ...program,
    state: program.state.map((entry) =>
      entry.kind === 'parameter' ? { ...entry, initial: initial(entry.name, entry.shape) } : entry,
    ),
  };
}

function initial(name: string, shape: Shape): Float32Array {
  const values = draw(name, sizeOf(shape));
  if (shape.length > 1) {
    const fanIn = shape.length === 2 ? (shape[0] ?? 1) : sizeOf(shape.slice(1));
    return Float32Array.from(values, (value) => value * Math.sqrt(6 / fanIn));
  }
  return Float32Array.from(values, (value) => (name.endsWith('/scale') ? 1 + 0.2 * value : 0.1 * value));
}

/** Diagonal above 1, the rest below 0; rows sum to 1, but the last one does not. */
export function generatorMatrix(classes: number): number[] {
  return Array.from({ length: classes }, (_, p) => {
    const row = Array.from({ length: classes }, (_, q) =>
      p === q ? 0 : (-(0.1 + 0.05 * ((3 * p + 7 * q) % 5)) * 4) / classes,
    );
    row[p] = 1 - row.reduce((a, b) => a + b) + (p === classes - 1 ? 0.5 : 0);
    return row;
  }).flat();
}

/** As the script sums up a tensor. */
export function checksum(values: Float32Array, entries: number): number[] {
  const places = Array.from({ length: entries }, (_, i) => Math.floor((i * (values.length - 1)) / (entries - 1)));
  const sum = values.reduce((a, b) => a + b, 0);
  const squares = values.reduce((a, b) => a + b * b, 0);
  return [sum, squares, ...places.map((place) => values[place] ?? Number.NaN)];
}
