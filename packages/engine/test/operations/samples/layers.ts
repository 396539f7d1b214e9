import {
  batchNormGradientOperation,
  batchNormInferenceOperation,
  batchNormOperation,
} from '../../../src/operations/batch-normalisation.js';
import { dropoutMaskOperation } from '../../../src/operations/dropout.js';
import { layerNormGradientOperation, layerNormOperation } from '../../../src/operations/layer-normalisation.js';
import {
  averagePoolGradientOperation,
  averagePoolOperation,
  maxPoolGradientOperation,
  maxPoolOperation,
} from '../../../src/operations/pooling.js';
import { around, distinct, indices, normal, positive, values } from '../random.js';
import { item } from '../reference/array.js';
import { dropoutMask } from '../reference/dropout.js';
import * as normalisation from '../reference/normalisation.js';
import * as pooling from '../reference/pooling.js';
import { plainSamplesOf, samplesOf } from '../sample.js';

const windows = [
  { title: 'disjoint', inputs: [distinct(2, 2, 4, 6)], attributes: { size: 2, stride: 2, padding: 0 } },
  { title: 'disjoint, odd size', inputs: [distinct(2, 2, 5, 7)], attributes: { size: 2, stride: 2, padding: 0 } },
  { title: 'disjoint, kernel 3', inputs: [distinct(1, 2, 7, 9)], attributes: { size: 3, stride: 3, padding: 0 } },
  { title: 'gaps between windows', inputs: [distinct(1, 2, 8, 7)], attributes: { size: 2, stride: 3, padding: 0 } },
  { title: 'kernel 1', inputs: [distinct(1, 2, 3, 4)], attributes: { size: 1, stride: 1, padding: 0 } },
  { title: 'kernel 1, stride 2', inputs: [distinct(1, 2, 4, 5)], attributes: { size: 1, stride: 2, padding: 0 } },
  {
    title: 'kernel 1, stride 2, even size',
    inputs: [distinct(1, 2, 4, 6)],
    attributes: { size: 1, stride: 2, padding: 0 },
  },
  { title: 'gaps that fit', inputs: [distinct(2, 2, 3, 6)], attributes: { size: 2, stride: 3, padding: 0 } },
  { title: 'overlapping', inputs: [distinct(2, 2, 7, 5)], attributes: { size: 3, stride: 2, padding: 0 } },
  { title: 'overlapping, even size', inputs: [distinct(1, 2, 6, 8)], attributes: { size: 3, stride: 2, padding: 0 } },
  { title: 'overlapping, padding 1', inputs: [distinct(2, 2, 6, 5)], attributes: { size: 3, stride: 2, padding: 1 } },
  {
    title: 'kernel 5, stride 1, padding 2',
    inputs: [distinct(1, 1, 5, 6)],
    attributes: { size: 5, stride: 1, padding: 2 },
  },
  { title: 'disjoint, padding 1', inputs: [distinct(1, 2, 5, 4)], attributes: { size: 2, stride: 2, padding: 1 } },
  { title: 'the whole image', inputs: [distinct(2, 3, 4, 4)], attributes: { size: 4, stride: 4, padding: 0 } },
] as const;

const channels = (...shape: readonly number[]) =>
  [normal(...shape), normal(item(shape, 1)), normal(item(shape, 1))] as const;
const features = (...shape: readonly number[]) =>
  [normal(...shape), normal(item(shape, shape.length - 1)), normal(item(shape, shape.length - 1))] as const;
const epsilon = { epsilon: 1e-5 };

export const layerSamples = {
  maxPool: samplesOf(maxPoolOperation, pooling.maxPool, [
    ...windows,
    ...[2, 1].map((stride) => ({
      title: `ties go to the first pixel, stride ${stride}`,
      inputs: [values([1, 1, 0, 2, 1, 1, 2, 2, 0, 3, 0, 0, 3, 3, 0, 0], [1, 1, 4, 4])] as const,
      attributes: { size: 2, stride, padding: 0 },
      vjp: (inputs: Parameters<typeof pooling.maxPoolGradient>[0], gradients: typeof inputs) =>
        pooling.maxPoolGradient([...gradients, ...inputs], { size: 2, stride, padding: 0 }),
    })),
  ]),
  maxPoolGradient: samplesOf(maxPoolGradientOperation, pooling.maxPoolGradient, [
    {
      title: 'disjoint, ties in several images and channels',
      inputs: [normal(2, 2, 2, 2), indices(2, 'float32', 2, 2, 5, 4)],
      attributes: { size: 2, stride: 2, padding: 0 },
    },
    {
      title: 'overlapping, ties, padding 1',
      inputs: [normal(2, 2, 3, 2), indices(2, 'float32', 2, 2, 5, 4)],
      attributes: { size: 3, stride: 2, padding: 1 },
    },
    {
      title: 'negative pixels beside the padding',
      inputs: [normal(1, 1, 3, 3), values([-1, -2, -3, -4], [1, 1, 2, 2])],
      attributes: { size: 2, stride: 1, padding: 1 },
    },
  ]),
  averagePool: samplesOf(averagePoolOperation, pooling.averagePool, windows),
  averagePoolGradient: samplesOf(averagePoolGradientOperation, pooling.averagePoolGradient, [
    {
      title: 'overlapping, padding 1',
      inputs: [normal(2, 2, 3, 2)],
      attributes: { size: 3, stride: 2, padding: 1, shape: [2, 2, 5, 4] },
    },
  ]),
  batchNorm: samplesOf(batchNormOperation, normalisation.batchNorm, [
    { title: 'images', inputs: channels(3, 2, 3, 4), attributes: epsilon },
    { title: 'rows of features', inputs: channels(6, 4), attributes: epsilon },
    { title: 'sequences', inputs: channels(2, 3, 5), attributes: epsilon },
    { title: 'one image', inputs: channels(1, 2, 3, 3), attributes: epsilon },
    { title: 'a large epsilon', inputs: channels(4, 2, 2, 2), attributes: { epsilon: 0.5 } },
    { title: 'a mean far from 0', inputs: [around(20, 4, 2, 3, 3), normal(2), normal(2)], attributes: epsilon },
    {
      title: 'a channel that never changes',
      inputs: [values([5, 1, 5, 2, 5, 3, 5, 4], [4, 2]), normal(2), normal(2)],
      attributes: { epsilon: 0.01 },
    },
  ]),
  batchNormGradient: samplesOf(batchNormGradientOperation, normalisation.batchNormGradient, [
    {
      title: 'images',
      inputs: [normal(3, 2, 3, 4), normal(3, 2, 3, 4), normal(2), normal(2), positive(2)],
      attributes: epsilon,
    },
    { title: 'features', inputs: [normal(5, 3), normal(5, 3), normal(3), normal(3), positive(3)], attributes: epsilon },
  ]),
  batchNormInference: samplesOf(batchNormInferenceOperation, normalisation.batchNormInference, [
    { title: 'images', inputs: [...channels(2, 3, 2, 5), normal(3), positive(3)], attributes: epsilon },
    { title: 'features', inputs: [...channels(4, 3), normal(3), positive(3)], attributes: { epsilon: 0.1 } },
  ]),
  layerNorm: samplesOf(layerNormOperation, normalisation.layerNorm, [
    { title: 'rows', inputs: features(4, 6), attributes: epsilon },
    { title: 'tokens', inputs: features(2, 3, 5), attributes: epsilon },
    { title: 'one row', inputs: features(1, 7), attributes: epsilon },
    { title: 'a vector', inputs: features(5), attributes: epsilon },
    { title: 'a large epsilon', inputs: features(3, 4), attributes: { epsilon: 0.5 } },
    { title: 'a mean far from 0', inputs: [around(20, 3, 8), normal(8), normal(8)], attributes: epsilon },
    { title: 'four axes', inputs: features(2, 2, 2, 3), attributes: { epsilon: 1e-3 } },
  ]),
  layerNormGradient: plainSamplesOf(layerNormGradientOperation, normalisation.layerNormGradient, {
    rows: [normal(3, 4), normal(3, 4), normal(4), normal(3, 1), positive(3, 1)],
    tokens: [normal(2, 3, 4), normal(2, 3, 4), normal(4), normal(2, 3, 1), positive(2, 3, 1)],
  }),
  dropoutMask: samplesOf(dropoutMaskOperation, dropoutMask, [
    { title: 'half', inputs: [values([0], [], 'int64')], attributes: { shape: [16, 8], rate: 0.5, stream: 0 } },
    { title: 'the next key', inputs: [values([1], [], 'int64')], attributes: { shape: [16, 8], rate: 0.5, stream: 0 } },
    {
      title: 'another stream',
      inputs: [values([1], [], 'int64')],
      attributes: { shape: [2, 3, 5, 7], rate: 0.1, stream: 3 },
    },
    {
      title: 'a key beyond 32 bits',
      inputs: [values([2 ** 52 + 3], [], 'int64')],
      attributes: { shape: [99], rate: 0.9, stream: 1 },
    },
    {
      title: 'a negative key',
      inputs: [values([-12345678901], [], 'int64')],
      attributes: { shape: [99], rate: 0.3, stream: 1 },
    },
    { title: 'rate 0', inputs: [values([7], [], 'int64')], attributes: { shape: [9], rate: 0, stream: 1 } },
    { title: 'a scalar', inputs: [values([7], [], 'int64')], attributes: { shape: [], rate: 0.4, stream: 2 } },
  ]),
};
