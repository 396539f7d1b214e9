import { describe, expect, it } from 'vitest';
import { Graph } from '../../src/graph/graph.js';
import { ShapeError } from '../../src/graph/shape.js';
import { add, div, mul, neg, sub } from '../../src/operations/arithmetic.js';
import { batchNorm, batchNormInference } from '../../src/operations/batch-normalisation.js';
import { broadcastTo } from '../../src/operations/broadcast.js';
import { equal, greater, less, where } from '../../src/operations/comparison.js';
import { concat } from '../../src/operations/concat.js';
import { conv2d } from '../../src/operations/convolution.js';
import { dropout } from '../../src/operations/dropout.js';
import { cos, erf, exp, log, pow, selu, sigmoid, sin, softplus, sqrt, tanh } from '../../src/operations/functions.js';
import { gather } from '../../src/operations/gather.js';
import { layerNorm } from '../../src/operations/layer-normalisation.js';
import { linear, matmul } from '../../src/operations/matmul.js';
import { oneMinusExp } from '../../src/operations/one-minus-exp.js';
import { pad } from '../../src/operations/pad.js';
import { averagePool, maxPool } from '../../src/operations/pooling.js';
import { max, mean, sum, sumOfSquares } from '../../src/operations/reductions.js';
import type { OperationName } from '../../src/operations/registry.js';
import { relu } from '../../src/operations/relu.js';
import { reshape } from '../../src/operations/reshape.js';
import { slice } from '../../src/operations/slice.js';
import { logSoftmax, softmax } from '../../src/operations/softmax.js';
import { split } from '../../src/operations/split.js';
import { transpose } from '../../src/operations/transpose.js';
import { bool, f32, i64, type Mistake, ofAxes, ofImages, ofOne, ofTwo, type Trusting } from './mistake.js';

const mistakes: Readonly<Record<Exclude<OperationName, Trusting>, readonly Mistake[]>> = {
  add: ofTwo('add', add),
  sub: ofTwo('sub', sub),
  mul: ofTwo('mul', mul),
  div: ofTwo('div', div),
  equal: ofTwo('equal', equal),
  greater: ofTwo('greater', greater),
  less: ofTwo('less', less),
  neg: ofOne('neg', neg),
  exp: ofOne('exp', exp),
  log: ofOne('log', log),
  sqrt: ofOne('sqrt', sqrt),
  pow: ofOne('pow', (x) => pow(x, 2)),
  sigmoid: ofOne('sigmoid', sigmoid),
  softplus: ofOne('softplus', softplus),
  tanh: ofOne('tanh', tanh),
  erf: ofOne('erf', erf),
  cos: ofOne('cos', cos),
  sin: ofOne('sin', sin),
  selu: ofOne('selu', selu),
  oneMinusExp: ofOne('oneMinusExp', oneMinusExp),
  relu: ofOne('relu', relu),
  softmax: ofAxes('softmax', softmax),
  logSoftmax: ofAxes('logSoftmax', logSoftmax),
  sum: ofAxes('sum', (x, axis) => sum(x, { axes: [axis] })),
  mean: ofAxes('mean', (x, axis) => mean(x, { axes: [axis] })),
  max: ofAxes('max', (x, axis) => max(x, { axes: [axis] })),
  sumOfSquares: ofOne('sumOfSquares', sumOfSquares),
  where: [
    [[f32(2), f32(2), f32(2)], where, 'where(float32[2], float32[2], float32[2]): expected bool, received float32[2]'],
    [[bool(2), f32(2), i64(2)], where, 'where(bool[2], float32[2], int64[2]): expected float32, received int64[2]'],
    [
      [bool(3), f32(2), f32(2)],
      where,
      'where(bool[3], float32[2], float32[2]): expected shapes that broadcast, received [3] and [2]',
    ],
  ],
  reshape: [
    [[f32(2, 3)], (x) => reshape(x, [4]), 'reshape(float32[2, 3]): expected a shape of 6 elements, received [4]'],
  ],
  transpose: [
    [
      [f32(2, 3)],
      (x) => transpose(x, [0, 0]),
      'transpose(float32[2, 3]): expected an order of the 2 axes, received [0, 0]',
    ],
    [[f32(2, 3)], (x) => transpose(x, [1]), 'transpose(float32[2, 3]): expected an order of the 2 axes, received [1]'],
  ],
  broadcastTo: [
    [
      [f32(2, 3)],
      (x) => broadcastTo(x, [3]),
      'broadcastTo(float32[2, 3]): expected a shape that [2, 3] broadcasts to, received [3]',
    ],
    [
      [f32(2)],
      (x) => broadcastTo(x, [3]),
      'broadcastTo(float32[2]): expected shapes that broadcast, received [2] and [3]',
    ],
  ],
  split: [[[f32(3)], (x) => split(x, [1, 1]), 'split(float32[3]): expected parts of 3 in all, received [1, 1]']],
  concat: [
    [
      [f32(2, 3), f32(2, 4)],
      (...parts) => concat(parts, 0),
      'concat(float32[2, 3], float32[2, 4]): expected shapes that differ only on axis 0',
    ],
    [
      [f32(2), i64(2)],
      (...parts) => concat(parts, 0),
      'concat(float32[2], int64[2]): expected float32, received int64[2]',
    ],
    [
      [f32(2), f32(2)],
      (...parts) => concat(parts, 1),
      'concat(float32[2], float32[2]): expected an axis from -1 to 0, received 1',
    ],
  ],
  slice: [
    [
      [f32(2, 3)],
      (x) => slice(x, { axis: 1, start: 1, end: 4 }),
      'slice(float32[2, 3]): expected 0 ≤ start < end ≤ 3 on axis 1, received start 1, end 4, step 1',
    ],
    [
      [f32(2, 3)],
      (x) => slice(x, { axis: 2, start: 0, end: 1 }),
      'slice(float32[2, 3]): expected an axis from -2 to 1, received 2',
    ],
  ],
  pad: [
    ...ofOne('pad', (x) => pad(x, [0, 0])),
    [
      [f32(2, 3)],
      (x) => pad(x, [1]),
      'pad(float32[2, 3]): expected 2 paddings of at least 0, received [1] before and [1] after',
    ],
    [
      [f32(2)],
      (x) => pad(x, [-1], [0]),
      'pad(float32[2]): expected 1 paddings of at least 0, received [-1] before and [0] after',
    ],
  ],
  gather: [
    [[f32(3, 2), f32(4)], gather, 'gather(float32[3, 2], float32[4]): expected int64 or int32, received float32[4]'],
    [[f32(), i64(4)], gather, 'gather(float32[], int64[4]): expected a table with rows, received a scalar'],
  ],
  matmul: [
    [[f32(2, 3), f32(2, 3)], matmul, 'matmul(float32[2, 3], float32[2, 3]): expected […, m, k] and […, k, n]'],
    [[f32(3), f32(3, 2)], matmul, 'matmul(float32[3], float32[3, 2]): expected […, m, k] and […, k, n]'],
    [
      [f32(2, 1, 3), f32(4, 3, 1)],
      matmul,
      'matmul(float32[2, 1, 3], float32[4, 3, 1]): expected shapes that broadcast, received [2] and [4]',
    ],
  ],
  gemm: [
    [
      [f32(2, 3), f32(4, 5)],
      (a, b) => linear(a, b),
      'gemm(float32[2, 3], float32[4, 5]): expected equal inner sizes, received 3 and 4',
    ],
    [
      [f32(2, 3), f32(3, 5), f32(3)],
      (a, b, bias) => linear(a, b, bias),
      'gemm(float32[2, 3], float32[3, 5], float32[3]): expected a bias of shape [5], received [3]',
    ],
    [
      [f32(1, 2, 3), f32(3, 5)],
      (a, b) => linear(a, b),
      'gemm(float32[1, 2, 3], float32[3, 5]): expected matrices, received [1, 2, 3]',
    ],
  ],
  conv2d: [
    [
      [f32(1, 3, 8, 8), f32(4, 2, 3, 3)],
      (x, w) => conv2d(x, w),
      'conv2d(float32[1, 3, 8, 8], float32[4, 2, 3, 3]): expected weights for 3 channels in 1 groups, received [4, 2, 3, 3]',
    ],
    [
      [f32(1, 4, 8, 8), f32(3, 2, 3, 3)],
      (x, w) => conv2d(x, w, undefined, { groups: 2 }),
      'conv2d(float32[1, 4, 8, 8], float32[3, 2, 3, 3]): expected weights for 4 channels in 2 groups, received [3, 2, 3, 3]',
    ],
    [
      [f32(1, 3, 8, 8), f32(4, 3)],
      (x, w) => conv2d(x, w),
      'conv2d(float32[1, 3, 8, 8], float32[4, 3]): expected weights [K, C, h, w], received [4, 3]',
    ],
    [
      [f32(1, 1, 8, 8), f32(4, 1, 3, 3), f32(3)],
      (x, w, bias) => conv2d(x, w, bias),
      'conv2d(float32[1, 1, 8, 8], float32[4, 1, 3, 3], float32[3]): expected a bias of shape [4], received [3]',
    ],
    [
      [f32(1, 1, 2, 8), f32(4, 1, 5, 5)],
      (x, w) => conv2d(x, w, undefined, { padding: 1 }),
      'conv2d(float32[1, 1, 2, 8], float32[4, 1, 5, 5]): expected a size of at least 3 for a window of 5, received 2',
    ],
    [
      [f32(1, 1, 8, 8), f32(4, 1, 3, 3)],
      (x, w) => conv2d(x, w, undefined, { stride: 0 }),
      'conv2d(float32[1, 1, 8, 8], float32[4, 1, 3, 3]): expected integers, a stride of at least 1 and a padding of at least 0, received stride 0 and padding 0',
    ],
    [
      [f32(8, 8), f32(4, 1, 5, 5)],
      (x, w) => conv2d(x, w),
      'conv2d(float32[8, 8], float32[4, 1, 5, 5]): expected images [N, C, H, W], received [8, 8]',
    ],
  ],
  maxPool: [
    ...ofImages('maxPool', (x) => maxPool(x, { size: 3 })),
    [
      [f32(1, 1, 8, 8)],
      (x) => maxPool(x, { size: 2, padding: 2 }),
      'maxPool(float32[1, 1, 8, 8]): expected a padding below the size 2, received 2',
    ],
  ],
  averagePool: ofImages('averagePool', (x) => averagePool(x, { size: 3 })),
  batchNorm: [
    [
      [f32(4, 3), f32(3), f32(4)],
      (x, scale, shift) => batchNorm(x, scale, shift, 1e-5),
      'batchNorm(float32[4, 3], float32[3], float32[4]): expected vectors of shape [3], received [4]',
    ],
    [
      [f32(4), f32(4), f32(4)],
      (x, scale, shift) => batchNorm(x, scale, shift, 1e-5),
      'batchNorm(float32[4], float32[4], float32[4]): expected [N, C, …], received [4]',
    ],
  ],
  batchNormInference: [
    [
      [f32(4, 3), f32(3), f32(1, 3)],
      (x, scale, shift) => batchNormInference(x, scale, scale, shift, scale, 1e-5),
      'batchNormInference(float32[4, 3], float32[3], float32[3], float32[1, 3], float32[3]): expected vectors of shape [3], received [1, 3]',
    ],
  ],
  layerNorm: [
    [
      [f32(4, 3), f32(4), f32(3)],
      (x, scale, shift) => layerNorm(x, scale, shift, 1e-5),
      'layerNorm(float32[4, 3], float32[4], float32[3]): expected vectors of shape [3], received [4]',
    ],
    [
      [f32(), f32(1), f32(1)],
      (x, scale, shift) => layerNorm(x, scale, shift, 1e-5),
      'layerNorm(float32[], float32[1], float32[1]): expected an axis to normalise, received a scalar',
    ],
    [
      [f32(4, 3), i64(3), f32(3)],
      (x, scale, shift) => layerNorm(x, scale, shift, 1e-5),
      'layerNorm(float32[4, 3], int64[3], float32[3]): expected float32, received int64[3]',
    ],
  ],
  dropoutMask: [
    [
      [f32(4), f32()],
      (x, key) => dropout(x, 0.5, key),
      'dropout/dropoutMask(float32[]): expected int64, received float32[]',
    ],
    [
      [f32(4), i64(1)],
      (x, key) => dropout(x, 0.5, key),
      'dropout/dropoutMask(int64[1]): expected a scalar key, received [1]',
    ],
    [
      [f32(4), i64()],
      (x, key) => dropout(x, 1, key),
      'dropout/dropoutMask(int64[]): expected a rate from 0 to below 1, received 1',
    ],
    [
      [f32(4), i64()],
      (x, key) => dropout(x, Number.NaN, key),
      'dropout/dropoutMask(int64[]): expected a rate from 0 to below 1, received NaN',
    ],
  ],
};

describe.each(Object.entries(mistakes))('%s', (_, cases) => {
  it.each(cases)('refuses %o', (types, build, message) => {
    const graph = new Graph();
    const inputs = types.map(({ shape, type }, i) => graph.input(`input${i}`, shape, type));
    const attempt = () => graph.scope('block', () => build(...inputs));
    expect(attempt).toThrow(new ShapeError(`block/${message}`));
    expect(graph.nodes, 'no node is left behind').toEqual([]);
  });
});
