import { add, div, mul, neg, sub } from '../../../src/operations/arithmetic.js';
import { equal, greater, less, whereOperation } from '../../../src/operations/comparison.js';
import {
  cos,
  erf,
  exp,
  log,
  powOperation,
  selu,
  sigmoid,
  sin,
  softplus,
  sqrt,
  tanh,
} from '../../../src/operations/functions.js';
import { oneMinusExpOperation } from '../../../src/operations/one-minus-exp.js';
import { relu, reluGradientOperation } from '../../../src/operations/relu.js';
import { logSoftmaxOperation, softmaxOperation } from '../../../src/operations/softmax.js';
import { distinct, indices, normal, positive, values } from '../random.js';
import * as reference from '../reference/elementwise.js';
import { plainSamplesOf, samplesOf } from '../sample.js';

const pairs = {
  'the same shape': [normal(2, 3), normal(2, 3)],
  'a row stretched': [normal(4, 3), normal(3)],
  'a column stretched': [normal(2, 1), normal(2, 5)],
  'both stretched': [normal(3, 1, 2), normal(4, 1)],
  'a scalar first': [normal(), normal(2, 2)],
  'per channel': [normal(2, 3, 2, 2), normal(1, 3, 1, 1)],
  'two scalars': [normal(), normal()],
  int64: [indices(9, 'int64', 2, 3), indices(9, 'int64', 3)],
  int32: [indices(9, 'int32', 4), indices(9, 'int32', 1)],
} as const;

const quotients = {
  'the same shape': [normal(2, 3), positive(2, 3)],
  'a row stretched': [normal(4, 3), positive(3)],
  'a column stretched': [normal(2, 1), positive(2, 5)],
  'a negative divisor': [normal(3), values([-0.5, -2, -1.5])],
} as const;

const shapes = { vector: [normal(7)], 'images, odd sizes': [normal(2, 3, 5, 3)], scalar: [normal()] } as const;
const positives = { vector: [positive(7)], matrix: [positive(3, 5)], scalar: [positive()] } as const;
const extremes = { ...shapes, 'far from 0': [values([-30, -4, 4, 30])] } as const;

const comparisons = {
  ties: [values([1, 2, 3, 4]), values([1, 3, 2, 4])],
  stretched: [indices(3, 'float32', 4, 3), indices(3, 'float32', 3)],
  int64: [indices(3, 'int64', 2, 1), indices(3, 'int64', 2, 4)],
  int32: [indices(3, 'int32', 5), indices(3, 'int32', 5)],
} as const;

const rows = [
  { title: 'rows', inputs: [normal(4, 5)], attributes: { axis: 1 } },
  { title: 'columns', inputs: [normal(4, 5)], attributes: { axis: 0 } },
  { title: 'channels of images', inputs: [normal(2, 3, 2, 5)], attributes: { axis: 1 } },
  { title: 'one class', inputs: [normal(3, 1)], attributes: { axis: 1 } },
  { title: 'far apart', inputs: [values([50, -50, 0, -20, 20, 1], [2, 3])], attributes: { axis: 1 } },
] as const;

const choose = reference.elementwise<object>(([condition, a = 0, b = 0]) => (condition === 1 ? a : b));

export const elementwiseSamples = {
  add: plainSamplesOf(
    add.operation,
    reference.binary((a, b) => a + b),
    pairs,
  ),
  sub: plainSamplesOf(
    sub.operation,
    reference.binary((a, b) => a - b),
    pairs,
  ),
  mul: plainSamplesOf(
    mul.operation,
    reference.binary((a, b) => a * b),
    pairs,
  ),
  div: [
    ...plainSamplesOf(
      div.operation,
      reference.binary((a, b) => a / b),
      quotients,
    ),
    ...plainSamplesOf(
      div.operation,
      reference.binary((a, b) => Math.trunc(a / b)),
      { 'int64, cut off towards 0': [values([7, -7, 9], [3], 'int64'), values([2, 2, 4], [3], 'int64')] },
    ),
  ],
  neg: plainSamplesOf(
    neg.operation,
    reference.unary((x) => -x),
    shapes,
  ),
  exp: plainSamplesOf(exp.operation, reference.unary(Math.exp), shapes),
  log: plainSamplesOf(log.operation, reference.unary(Math.log), positives),
  sqrt: plainSamplesOf(sqrt.operation, reference.unary(Math.sqrt), positives),
  pow: samplesOf(
    powOperation,
    reference.elementwise<{ readonly exponent: number }>(([x = 0], { exponent }) => x ** exponent),
    [
      { title: 'square', inputs: [normal(3, 4)], attributes: { exponent: 2 } },
      { title: 'square of 0', inputs: [values([0, -1, 1])], attributes: { exponent: 2 } },
      { title: 'itself', inputs: [values([0, -1, 1])], attributes: { exponent: 1 } },
      { title: 'cube', inputs: [normal(5)], attributes: { exponent: 3 } },
      { title: 'root', inputs: [positive(2, 3)], attributes: { exponent: 0.5 } },
      { title: 'reciprocal', inputs: [positive(4)], attributes: { exponent: -1 } },
      { title: 'focal loss, γ = 2.5', inputs: [positive(4)], attributes: { exponent: 2.5 } },
      { title: 'constant', inputs: [positive(3)], attributes: { exponent: 0 } },
    ],
  ),
  sigmoid: plainSamplesOf(
    sigmoid.operation,
    reference.unary((x) => 1 / (1 + Math.exp(-x))),
    extremes,
  ),
  softplus: plainSamplesOf(
    softplus.operation,
    reference.unary((x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))),
    extremes,
  ),
  tanh: plainSamplesOf(tanh.operation, reference.unary(Math.tanh), extremes),
  erf: plainSamplesOf(erf.operation, reference.unary(reference.erf), {
    ...shapes,
    tails: [values([-3.5, -2, 2, 3.5])],
  }),
  cos: plainSamplesOf(cos.operation, reference.unary(Math.cos), { ...shapes, far: [values([-20, 31.5])] }),
  sin: plainSamplesOf(sin.operation, reference.unary(Math.sin), { ...shapes, far: [values([-20, 31.5])] }),
  // Klambauer et al. 2017: mean 0 and variance 1 stay
  selu: plainSamplesOf(
    selu.operation,
    reference.unary((x) => 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * Math.expm1(x))),
    { vector: [distinct(9)], 'far below 0': [values([-8, -3])], 'near 0': [values([-1e-2, 1e-2])] },
  ),
  oneMinusExp: plainSamplesOf(
    oneMinusExpOperation,
    reference.unary((x) => -Math.expm1(x)),
    { vector: [values([-0.5, -1, -2, -3.5])], 'near 0': [values([-0.01, -0.05])], 'far from 0': [values([-20, -40])] },
  ),
  relu: plainSamplesOf(
    relu.operation,
    reference.unary((x) => Math.max(x, 0)),
    { vector: [distinct(9)], images: [distinct(2, 3, 5, 3)], 'near 0': [values([-1e-3, 1e-3])] },
  ),
  reluGradient: plainSamplesOf(
    reluGradientOperation,
    reference.binary((dy, y) => (y > 0 ? dy : 0)),
    {
      vector: [normal(5), values([0, 1, 0.001, 0, 30])],
      'the smallest and largest activations': [normal(4), values([1e-37, 1e-30, 1e30, 3e38])],
    },
  ),
  softmax: samplesOf(softmaxOperation, reference.softmax, rows),
  logSoftmax: samplesOf(logSoftmaxOperation, reference.logSoftmax, rows),
  equal: plainSamplesOf(
    equal.operation,
    reference.binary((a, b) => Number(a === b), 'bool'),
    comparisons,
  ),
  greater: plainSamplesOf(
    greater.operation,
    reference.binary((a, b) => Number(a > b), 'bool'),
    comparisons,
  ),
  less: plainSamplesOf(
    less.operation,
    reference.binary((a, b) => Number(a < b), 'bool'),
    comparisons,
  ),
  where: plainSamplesOf(whereOperation, choose, {
    'the same shape': [indices(2, 'bool', 2, 3), normal(2, 3), normal(2, 3)],
    'a condition for rows': [indices(2, 'bool', 4, 1), normal(4, 3), normal(4, 3)],
    'values stretched': [indices(2, 'bool', 4, 3), normal(3), normal()],
    'all three stretched': [indices(2, 'bool', 2, 1, 1), normal(3, 1), normal(4)],
    int64: [indices(2, 'bool', 4), indices(9, 'int64', 4), indices(9, 'int64', 1)],
  }),
};
