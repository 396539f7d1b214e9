import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/graph/graph.js';
import { Graph } from '../../src/graph/graph.js';
import { add, div, mul, sub } from '../../src/operations/arithmetic.js';
import { broadcastTo } from '../../src/operations/broadcast.js';
import { cast } from '../../src/operations/cast.js';
import { concat } from '../../src/operations/concat.js';
import { conv2d } from '../../src/operations/convolution.js';
import { dropout } from '../../src/operations/dropout.js';
import { gelu, silu } from '../../src/operations/functions.js';
import { layerNorm } from '../../src/operations/layer-normalisation.js';
import { linear } from '../../src/operations/matmul.js';
import { pad } from '../../src/operations/pad.js';
import { averagePool, maxPool } from '../../src/operations/pooling.js';
import { max, mean, sum } from '../../src/operations/reductions.js';
import { reshape } from '../../src/operations/reshape.js';
import { slice } from '../../src/operations/slice.js';
import { logSoftmax, softmax } from '../../src/operations/softmax.js';
import { transpose } from '../../src/operations/transpose.js';
import { checkGradients, checkValues, runSamples } from './check.js';
import { distinct, indices, normal, values } from './random.js';
import { item, type NdArray } from './reference/array.js';
import { dropoutMask } from './reference/dropout.js';
import * as elementwise from './reference/elementwise.js';
import { layerNorm as layerNormReference } from './reference/normalisation.js';
import * as pooling from './reference/pooling.js';
import * as products from './reference/products.js';
import * as shapes from './reference/shapes.js';
import { sampleOf } from './sample.js';

const total = shapes.reduction((x) => x.reduce((a, b) => a + b, 0));
const average = shapes.reduction((x) => x.reduce((a, b) => a + b, 0) / x.length);
const largest = shapes.reduction((x) => Math.max(...x));
const first = (inputs: readonly Tensor[]) => item(inputs, 0);
const second = (inputs: readonly Tensor[]) => item(inputs, 1);
const third = (inputs: readonly Tensor[]) => item(inputs, 2);
const number = (compute: (x: number) => number) => (inputs: readonly NdArray[]) =>
  elementwise.unary(compute)(inputs, {});

/** What callers write: options left out, axes from the end, numbers for tensors. */
const samples = [
  sampleOf(
    'sum of all',
    [normal(2, 3)],
    (x) => sum(first(x)),
    (x) => total(x, { axes: [0, 1], keepAxes: false }),
  ),
  sampleOf(
    'sum over an axis from the end, given twice',
    [normal(2, 3)],
    (x) => sum(first(x), { axes: [-1, 1] }),
    (x) => total(x, { axes: [1], keepAxes: false }),
  ),
  sampleOf(
    'mean of rows, kept',
    [normal(2, 3)],
    (x) => mean(first(x), { axes: [-1], keepAxes: true }),
    (x) => average(x, { axes: [1], keepAxes: true }),
  ),
  sampleOf(
    'max of all',
    [distinct(2, 3)],
    (x) => max(first(x)),
    (x) => largest(x, { axes: [0, 1], keepAxes: false }),
  ),
  sampleOf(
    'softmax of rows',
    [normal(2, 3)],
    (x) => softmax(first(x)),
    (x) => elementwise.softmax(x, { axis: 1 }),
  ),
  sampleOf(
    'log-softmax',
    [normal(2, 3)],
    (x) => logSoftmax(first(x)),
    (x) => elementwise.logSoftmax(x, { axis: 1 }),
  ),
  sampleOf(
    'transpose',
    [normal(2, 3, 4)],
    (x) => transpose(first(x)),
    (x) => shapes.transpose(x, { order: [2, 1, 0] }),
  ),
  sampleOf(
    'concat',
    [normal(2, 1), normal(2, 2)],
    (x) => concat(x, -1),
    (x) => shapes.concat(x, { axis: 1 }),
  ),
  sampleOf(
    'slice',
    [normal(2, 5)],
    (x) => slice(first(x), { axis: -1, start: 1, end: 3 }),
    (x) => shapes.slice(x, { axis: 1, start: 1, end: 3, step: 1 }),
  ),
  sampleOf(
    'pad',
    [normal(2, 2)],
    (x) => pad(first(x), [1, 0]),
    (x) => shapes.pad(x, { before: [1, 0], after: [1, 0] }),
  ),
  sampleOf(
    'linear',
    [normal(2, 3), normal(3, 2), normal(2)],
    (x) => linear(first(x), second(x), third(x)),
    (x) => products.gemm(x, { transposeA: false, transposeB: false }),
  ),
  sampleOf(
    'conv2d',
    [normal(1, 2, 4, 4), normal(2, 2, 3, 3)],
    (x) => conv2d(first(x), second(x)),
    (x) => products.conv2d(x, { stride: 1, padding: 0, groups: 1 }),
  ),
  sampleOf(
    'maxPool: the stride is the size',
    [distinct(1, 1, 4, 5)],
    (x) => maxPool(first(x), { size: 2 }),
    (x) => pooling.maxPool(x, { size: 2, stride: 2, padding: 0 }),
  ),
  sampleOf(
    'averagePool: the stride is the size',
    [normal(1, 1, 4, 5)],
    (x) => averagePool(first(x), { size: 2 }),
    (x) => pooling.averagePool(x, { size: 2, stride: 2, padding: 0 }),
  ),
  sampleOf(
    'layerNorm',
    [normal(3, 4), normal(4), normal(4)],
    (x) => layerNorm(first(x), second(x), third(x), 1e-5),
    (x) => layerNormReference(x, { epsilon: 1e-5 }).slice(0, 1),
  ),
  sampleOf(
    'silu',
    [normal(9)],
    (x) => silu(first(x)),
    number((v) => v / (1 + Math.exp(-v))),
  ),
  sampleOf(
    'gelu',
    [normal(9)],
    (x) => gelu(first(x)),
    number((v) => (v / 2) * (1 + elementwise.erf(v / Math.SQRT2))),
  ),
  sampleOf(
    'a number added',
    [normal(3)],
    (x) => add(first(x), 2),
    number((v) => v + 2),
  ),
  sampleOf(
    'a number multiplied',
    [normal(3)],
    (x) => mul(first(x), -3),
    number((v) => v * -3),
  ),
  sampleOf(
    'dropout: the gradient has the mask of the value',
    [normal(8, 9), values([4], [], 'int64')],
    (x) => dropout(first(x), 0.3, second(x)),
    ([x, key]) => {
      const mask = dropoutMask(key === undefined ? [] : [key], { shape: [8, 9], rate: 0.3, stream: 0 });
      return elementwise.binary((a, b) => a * b)([...(x === undefined ? [] : [x]), ...mask], {});
    },
  ),
];

describe('functions', () => {
  const outcomes = runSamples(samples);
  it.each(samples.map((sample, i) => [sample.title, sample, i] as const))('%s', async (title, sample, i) => {
    const outcome = item(await outcomes, i);
    checkValues('', sample, outcome);
    checkGradients(title, sample, outcome);
  });

  it('take a number as a scalar of the other side’s type', async () => {
    const integers = (['int64', 'int32'] as const).map((type) => ({
      ...sampleOf(
        type,
        [indices(9, type, 4)],
        (x) => sub(mul(first(x), 7), 3),
        number((v) => 7 * v - 3),
      ),
      differentiable: [],
    }));
    for (const [i, outcome] of (await runSamples(integers)).entries()) checkValues('sub', item(integers, i), outcome);
  });

  it('that change nothing add no node', () => {
    const graph = new Graph();
    const x = graph.input('x', [2, 3]);
    const key = graph.input('key', [], 'int64');
    expect([cast(x, 'float32'), reshape(x, [2, 3]), broadcastTo(x, [2, 3]), dropout(x, 0, key)]).toEqual([x, x, x, x]);
    expect(graph.nodes).toEqual([]);
    expect(div(x, 2).name).toBe('div');
  });
});

describe('the check of gradients', () => {
  it('says operation, sample, argument, place and both values', async () => {
    const cube = number((v) => v ** 3);
    const wrong = sampleOf('wrong', [values([1, 2])], (x) => mul(first(x), first(x)), cube);
    const [outcome] = await runSamples([wrong]);
    if (outcome === undefined) expect.fail('no outcome');
    expect(() => checkGradients('square', wrong, outcome)).toThrow(
      /^square, "wrong", gradient of argument 0 at \[0\]: ONNX Runtime -?[\d.]+, central differences -?[\d.]+$/,
    );
    expect(() => checkValues('square', wrong, outcome)).toThrow(
      'square, "wrong", output 0 at [1]: ONNX Runtime 4, reference 8',
    );
  });
});
