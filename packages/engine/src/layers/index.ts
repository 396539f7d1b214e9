/** Layers: functions that add their nodes to a network, and register there what they learn and keep. */

export {
  type AttentionOptions,
  type ExternalAttentionOptions,
  externalAttention,
  multiHeadAttention,
} from './attention.js';
export { type Conv2dOptions, conv2d } from './convolution.js';
export { type CosineLinearOptions, cosineLinear } from './cosine-linear.js';
export { type DropoutOptions, dropoutLayer } from './dropout.js';
export {
  type CategoricalEmbeddingOptions,
  categoricalEmbedding,
  type PatchEmbeddingOptions,
  patchEmbedding,
  positionEmbedding,
} from './embedding.js';
export { type LinearOptions, linear, type WeightOptions } from './linear.js';
export { type BatchNormOptions, batchNorm, layerNorm, type NormOptions } from './normalisation.js';
export { type PeriodicEmbeddingOptions, periodicEmbedding } from './periodic-embedding.js';
export { averagePool, globalAveragePool, maxPool, type PoolOptions } from './pooling.js';
export { flatten, type ResidualOptions, residual } from './structure.js';
