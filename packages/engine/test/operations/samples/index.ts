import type { OperationName } from '../../../src/operations/registry.js';
import type { Sample } from '../sample.js';
import { elementwiseSamples } from './elementwise.js';
import { layerSamples } from './layers.js';
import { productSamples } from './products.js';
import { shapeSamples } from './shapes.js';

/** Samples of every operation: one that has none does not compile. */
export const samples: Readonly<Record<OperationName, readonly Sample[]>> = {
  ...elementwiseSamples,
  ...shapeSamples,
  ...productSamples,
  ...layerSamples,
};

/** Operations without gradient, each for a reason. Others must have one. */
export const withoutGradient: ReadonlySet<OperationName> = new Set<OperationName>([
  // no slope: the result jumps
  'cast',
  'equal',
  'greater',
  'less',
  // no input to have a gradient
  'dropoutMask',
  // gradients themselves: the engine differentiates once
  'reluGradient',
  'convInputGradient',
  'convWeightGradient',
  'maxPoolGradient',
  'averagePoolGradient',
  'batchNormGradient',
  'layerNormGradient',
  // only in inference
  'batchNormInference',
]);
