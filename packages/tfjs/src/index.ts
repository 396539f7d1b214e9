/**
 * Enhancement encoding for imbalanced classification with TensorFlow.js models.
 *
 * @packageDocumentation
 */
export type { EncodingPart, FocalOptions, Labels, Rate, RateContext } from '@evenhand/encoding';
export { lookAhead, steadyPush } from '@evenhand/encoding';
export { type EncodedLoss, type Enhancement, type EnhanceOptions, enhance } from './enhance.js';
export type { Validation } from './validation-set.js';
