/** Operations: functions of symbolic tensors that add a node to their graph. */

export { add, div, mul, neg, sub } from './arithmetic.js';
export { batchNorm, batchNormInference } from './batch-normalisation.js';
export { broadcastTo } from './broadcast.js';
export { cast } from './cast.js';
export { equal, greater, less, where } from './comparison.js';
export { concat } from './concat.js';
export { type ConvolutionOptions, conv2d } from './convolution.js';
export { dropout } from './dropout.js';
export { cos, erf, exp, gelu, log, pow, selu, sigmoid, silu, sin, softplus, sqrt, tanh } from './functions.js';
export { gather } from './gather.js';
export { layerNorm } from './layer-normalisation.js';
export { linear, matmul } from './matmul.js';
export { type Padding, pad } from './pad.js';
export { averagePool, maxPool, type PoolingOptions } from './pooling.js';
export { max, mean, type Reduction, sum } from './reductions.js';
export { relu } from './relu.js';
export { reshape } from './reshape.js';
export { type Range, slice } from './slice.js';
export { logSoftmax, softmax } from './softmax.js';
export { split } from './split.js';
export { stopGradient } from './stop-gradient.js';
export { transpose } from './transpose.js';
