import type { Tensor } from '../../src/graph/graph.js';
import type { ElementType, Shape } from '../../src/graph/tensor.js';
import {
  averagePool,
  batchNorm,
  categoricalEmbedding,
  conv2d,
  cosineLinear,
  dropoutLayer,
  externalAttention,
  flatten,
  globalAveragePool,
  layerNorm,
  linear,
  maxPool,
  multiHeadAttention,
  patchEmbedding,
  periodicEmbedding,
  positionEmbedding,
  residual,
} from '../../src/layers/index.js';
import type { Network } from '../../src/network/network.js';

export interface LayerCase {
  readonly build: (network: Network, x: Tensor) => Tensor;
  readonly input: Shape;
  readonly type?: ElementType;
  readonly output: Shape;
  /** Shapes of the parameters; `*` behind a name: weight decay pulls at it. */
  readonly parameters: Readonly<Record<string, Shape>>;
  readonly statistics?: Readonly<Record<string, Shape>>;
}

const norm = { 'norm/scale': [3], 'norm/shift': [3] };
const running = { 'norm/mean': [3], 'norm/variance': [3] };

/** Every layer, in every form that it has: the common checks run over them. */
export const layerCases: Readonly<Record<string, LayerCase>> = {
  linear: {
    build: (network, x) => linear(network, x, { name: 'fc', units: 4 }),
    input: [2, 3],
    output: [2, 4],
    parameters: { 'fc/weight*': [3, 4], 'fc/bias': [4] },
  },
  'linear on tokens, without bias': {
    build: (network, x) => linear(network, x, { name: 'fc', units: 4, bias: false }),
    input: [2, 5, 3],
    output: [2, 5, 4],
    parameters: { 'fc/weight*': [3, 4] },
  },
  cosineLinear: {
    build: (network, x) => cosineLinear(network, x, { name: 'fc', units: 4 }),
    input: [2, 3],
    output: [2, 4],
    parameters: { 'fc/weight*': [3, 4] },
  },
  conv2d: {
    build: (network, x) => conv2d(network, x, { name: 'conv', channels: 4, kernel: 3, stride: 2, padding: 1 }),
    input: [2, 3, 7, 6],
    output: [2, 4, 4, 3],
    parameters: { 'conv/weight*': [4, 3, 3, 3], 'conv/bias': [4] },
  },
  'conv2d in groups, without bias': {
    build: (network, x) => conv2d(network, x, { name: 'conv', channels: 6, kernel: 3, groups: 2, bias: false }),
    input: [2, 4, 5, 5],
    output: [2, 6, 3, 3],
    parameters: { 'conv/weight*': [6, 2, 3, 3] },
  },
  'batchNorm of rows': {
    build: (network, x) => batchNorm(network, x, { name: 'norm' }),
    input: [6, 3],
    output: [6, 3],
    parameters: norm,
    statistics: running,
  },
  'batchNorm of images': {
    build: (network, x) => batchNorm(network, x, { name: 'norm' }),
    input: [2, 3, 4, 5],
    output: [2, 3, 4, 5],
    parameters: norm,
    statistics: running,
  },
  layerNorm: {
    build: (network, x) => layerNorm(network, x, { name: 'norm' }),
    input: [2, 4, 3],
    output: [2, 4, 3],
    parameters: norm,
  },
  maxPool: {
    build: (network, x) => maxPool(network, x, { size: 3, stride: 2, padding: 1 }),
    input: [2, 3, 6, 6],
    output: [2, 3, 3, 3],
    parameters: {},
  },
  averagePool: {
    build: (network, x) => averagePool(network, x, { size: 2 }),
    input: [2, 3, 6, 4],
    output: [2, 3, 3, 2],
    parameters: {},
  },
  globalAveragePool: {
    build: (network, x) => globalAveragePool(network, x),
    input: [2, 3, 4, 5],
    output: [2, 3],
    parameters: {},
  },
  dropoutLayer: {
    build: (network, x) => dropoutLayer(network, x, { rate: 0.5 }),
    input: [2, 50],
    output: [2, 50],
    parameters: {},
  },
  flatten: {
    build: (network, x) => flatten(network, x),
    input: [2, 3, 4, 5],
    output: [2, 60],
    parameters: {},
  },
  residual: {
    build: (network, x) =>
      residual(network, x, {
        name: 'block',
        branch: (input) => linear(network, input, { name: 'fc', units: 4 }),
        shortcut: (input) => linear(network, input, { name: 'shortcut', units: 4, bias: false }),
      }),
    input: [2, 3],
    output: [2, 4],
    parameters: { 'block/fc/weight*': [3, 4], 'block/fc/bias': [4], 'block/shortcut/weight*': [3, 4] },
  },
  multiHeadAttention: {
    build: (network, x) => multiHeadAttention(network, x, { name: 'attention', heads: 2 }),
    input: [2, 5, 6],
    output: [2, 5, 6],
    parameters: {
      'attention/qkv/weight*': [6, 18],
      'attention/qkv/bias': [18],
      'attention/projection/weight*': [6, 6],
      'attention/projection/bias': [6],
    },
  },
  externalAttention: {
    build: (network, x) => externalAttention(network, x, { name: 'attention', heads: 2, memory: 7 }),
    input: [2, 5, 6],
    output: [2, 5, 6],
    parameters: {
      'attention/query/weight*': [6, 6],
      'attention/keys/weight*': [3, 7],
      'attention/values/weight*': [7, 3],
      'attention/projection/weight*': [6, 6],
      'attention/projection/bias': [6],
    },
  },
  patchEmbedding: {
    build: (network, x) => patchEmbedding(network, x, { name: 'patches', size: 2, width: 5 }),
    input: [2, 3, 4, 6],
    output: [2, 6, 5],
    parameters: { 'patches/weight*': [12, 5], 'patches/bias': [5] },
  },
  positionEmbedding: {
    build: (network, x) => positionEmbedding(network, x),
    input: [2, 4, 3],
    output: [2, 4, 3],
    parameters: { position: [4, 3] },
  },
  periodicEmbedding: {
    build: (network, x) => periodicEmbedding(network, x, { name: 'numbers', frequencies: 4, width: 2, scale: 0.3 }),
    input: [5, 3],
    output: [5, 9],
    parameters: {
      'numbers/frequency': [3, 4],
      'numbers/phase': [3, 4],
      'numbers/weight*': [3, 4, 2],
      'numbers/bias': [3, 2],
    },
  },
  categoricalEmbedding: {
    build: (network, x) => categoricalEmbedding(network, x, { name: 'colour', categories: 3, width: 4 }),
    input: [2, 5],
    type: 'int32',
    output: [2, 5, 4],
    parameters: { 'colour/weight*': [3, 4] },
  },
};
