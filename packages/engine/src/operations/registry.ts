import { add, div, mul, neg, sub } from './arithmetic.js';
import { batchNormGradientOperation, batchNormInferenceOperation, batchNormOperation } from './batch-normalisation.js';
import { broadcastToOperation } from './broadcast.js';
import { castOperation } from './cast.js';
import { equal, greater, less, whereOperation } from './comparison.js';
import { concatOperation } from './concat.js';
import { convolutionOperation } from './convolution.js';
import { inputGradientOperation } from './convolution-input-gradient.js';
import { weightGradientOperation } from './convolution-weight-gradient.js';
import { dropoutMaskOperation } from './dropout.js';
import { cos, erf, exp, log, powOperation, selu, sigmoid, sin, softplus, sqrt, tanh } from './functions.js';
import { gatherOperation, scatterRowsOperation } from './gather.js';
import { layerNormGradientOperation, layerNormOperation } from './layer-normalisation.js';
import { gemmOperation, matmulOperation } from './matmul.js';
import { oneMinusExpOperation } from './one-minus-exp.js';
import { padOperation } from './pad.js';
import {
  averagePoolGradientOperation,
  averagePoolOperation,
  maxPoolGradientOperation,
  maxPoolOperation,
} from './pooling.js';
import { maxOperation, meanOperation, sumOfSquaresOperation, sumOperation } from './reductions.js';
import { relu, reluGradientOperation } from './relu.js';
import { reshapeOperation } from './reshape.js';
import { sliceOperation, spreadOperation } from './slice.js';
import { logSoftmaxOperation, softmaxOperation } from './softmax.js';
import { splitOperation } from './split.js';
import { transposeOperation } from './transpose.js';

/** What the records of all operations have in common, whatever they take. */
interface AnyOperation {
  readonly name: string;
  readonly vjp: unknown;
}

/** Keeps the names as a type. */
function registry<Name extends string>(
  records: Readonly<Record<Name, AnyOperation>>,
): Readonly<Record<Name, AnyOperation>> {
  return records;
}

/** Every operation by its name. Tests are typed over these names: an operation without samples does not compile. */
export const operations = registry({
  // arithmetic
  add: add.operation,
  sub: sub.operation,
  mul: mul.operation,
  div: div.operation,
  neg: neg.operation,
  // functions
  exp: exp.operation,
  log: log.operation,
  sqrt: sqrt.operation,
  pow: powOperation,
  sigmoid: sigmoid.operation,
  softplus: softplus.operation,
  tanh: tanh.operation,
  erf: erf.operation,
  cos: cos.operation,
  sin: sin.operation,
  selu: selu.operation,
  oneMinusExp: oneMinusExpOperation,
  relu: relu.operation,
  reluGradient: reluGradientOperation,
  softmax: softmaxOperation,
  logSoftmax: logSoftmaxOperation,
  // comparison
  equal: equal.operation,
  greater: greater.operation,
  less: less.operation,
  where: whereOperation,
  // types and shapes
  cast: castOperation,
  reshape: reshapeOperation,
  transpose: transposeOperation,
  broadcastTo: broadcastToOperation,
  concat: concatOperation,
  split: splitOperation,
  slice: sliceOperation,
  spread: spreadOperation,
  pad: padOperation,
  gather: gatherOperation,
  scatterRows: scatterRowsOperation,
  // reductions
  sum: sumOperation,
  mean: meanOperation,
  max: maxOperation,
  sumOfSquares: sumOfSquaresOperation,
  // products
  matmul: matmulOperation,
  gemm: gemmOperation,
  conv2d: convolutionOperation,
  convInputGradient: inputGradientOperation,
  convWeightGradient: weightGradientOperation,
  // pooling
  maxPool: maxPoolOperation,
  maxPoolGradient: maxPoolGradientOperation,
  averagePool: averagePoolOperation,
  averagePoolGradient: averagePoolGradientOperation,
  // normalisation and randomness
  batchNorm: batchNormOperation,
  batchNormGradient: batchNormGradientOperation,
  batchNormInference: batchNormInferenceOperation,
  layerNorm: layerNormOperation,
  layerNormGradient: layerNormGradientOperation,
  dropoutMask: dropoutMaskOperation,
});

/** The name of an operation. */
export type OperationName = keyof typeof operations;
