import { convolutionOperation } from '../../../src/operations/convolution.js';
import { inputGradientOperation } from '../../../src/operations/convolution-input-gradient.js';
import { weightGradientOperation } from '../../../src/operations/convolution-weight-gradient.js';
import { gemmOperation, matmulOperation } from '../../../src/operations/matmul.js';
import { normal } from '../random.js';
import * as reference from '../reference/products.js';
import { plainSamplesOf, samplesOf } from '../sample.js';

const plain = { stride: 1, padding: 0, groups: 1 };

export const productSamples = {
  matmul: plainSamplesOf(matmulOperation, reference.matmul, {
    matrices: [normal(2, 3), normal(3, 4)],
    'a row and a column': [normal(1, 5), normal(5, 1)],
    'batches of matrices': [normal(2, 2, 3), normal(2, 3, 2)],
    'one matrix for a batch': [normal(4, 2, 3), normal(3, 2)],
    'batches stretched': [normal(3, 1, 2, 2), normal(2, 2, 3)],
  }),
  gemm: samplesOf(gemmOperation, reference.gemm, [
    { title: 'plain', inputs: [normal(2, 3), normal(3, 4)], attributes: { transposeA: false, transposeB: false } },
    {
      title: 'with bias',
      inputs: [normal(5, 3), normal(3, 4), normal(4)],
      attributes: { transposeA: false, transposeB: false },
    },
    {
      title: 'A transposed',
      inputs: [normal(3, 2), normal(3, 4)],
      attributes: { transposeA: true, transposeB: false },
    },
    {
      title: 'B transposed',
      inputs: [normal(2, 3), normal(4, 3)],
      attributes: { transposeA: false, transposeB: true },
    },
    {
      title: 'both transposed, with bias',
      inputs: [normal(3, 2), normal(4, 3), normal(4)],
      attributes: { transposeA: true, transposeB: true },
    },
  ]),
  conv2d: samplesOf(convolutionOperation, reference.conv2d, [
    { title: 'kernel 1', inputs: [normal(2, 3, 4, 3), normal(2, 3, 1, 1)], attributes: plain },
    { title: 'kernel 3', inputs: [normal(2, 2, 5, 6), normal(3, 2, 3, 3)], attributes: plain },
    {
      title: 'kernel 3, bias, padding 1',
      inputs: [normal(2, 2, 5, 4), normal(3, 2, 3, 3), normal(3)],
      attributes: { ...plain, padding: 1 },
    },
    {
      title: 'kernel 5, padding 2',
      inputs: [normal(1, 2, 5, 7), normal(2, 2, 5, 5)],
      attributes: { ...plain, padding: 2 },
    },
    { title: 'kernel 5, LeNet', inputs: [normal(2, 1, 9, 9), normal(3, 1, 5, 5), normal(3)], attributes: plain },
    { title: 'a kernel as large as the image', inputs: [normal(2, 2, 4, 3), normal(3, 2, 4, 3)], attributes: plain },
    { title: 'kernel 3 × 1', inputs: [normal(1, 2, 5, 4), normal(2, 2, 3, 1)], attributes: plain },
    { title: 'kernel 1 × 3', inputs: [normal(1, 2, 4, 5), normal(2, 2, 1, 3)], attributes: plain },
    {
      title: 'padding as large as the kernel',
      inputs: [normal(1, 1, 3, 3), normal(1, 1, 2, 2)],
      attributes: { ...plain, padding: 2 },
    },
    {
      title: 'kernel 1, padding 1',
      inputs: [normal(1, 2, 3, 3), normal(2, 2, 1, 1)],
      attributes: { ...plain, padding: 1 },
    },
    { title: 'stride 2', inputs: [normal(2, 2, 7, 5), normal(3, 2, 3, 3)], attributes: { ...plain, stride: 2 } },
    {
      title: 'stride 2, padding 1, even size',
      inputs: [normal(2, 2, 8, 6), normal(3, 2, 3, 3)],
      attributes: { ...plain, stride: 2, padding: 1 },
    },
    {
      title: 'stride 2, padding 1, odd size',
      inputs: [normal(1, 2, 7, 9), normal(2, 2, 3, 3), normal(2)],
      attributes: { ...plain, stride: 2, padding: 1 },
    },
    {
      title: 'stride 2, kernel 1, shortcut',
      inputs: [normal(2, 2, 6, 5), normal(4, 2, 1, 1)],
      attributes: { ...plain, stride: 2 },
    },
    {
      title: 'stride 3, kernel 2, pixels missed',
      inputs: [normal(1, 2, 10, 9), normal(2, 2, 2, 2)],
      attributes: { ...plain, stride: 3 },
    },
    {
      title: '2 groups',
      inputs: [normal(2, 4, 5, 4), normal(6, 2, 3, 3), normal(6)],
      attributes: { ...plain, groups: 2, padding: 1 },
    },
    {
      title: '2 groups, stride 2',
      inputs: [normal(1, 4, 6, 5), normal(2, 2, 3, 3)],
      attributes: { ...plain, groups: 2, stride: 2, padding: 1 },
    },
    {
      title: 'every channel by itself',
      inputs: [normal(2, 3, 5, 5), normal(3, 1, 3, 3)],
      attributes: { ...plain, groups: 3, padding: 1 },
    },
    {
      title: 'two kernels for each channel',
      inputs: [normal(1, 3, 4, 4), normal(6, 1, 3, 3)],
      attributes: { ...plain, groups: 3, stride: 2, padding: 1 },
    },
    {
      title: 'many channels in',
      inputs: [normal(1, 16, 4, 5), normal(2, 16, 3, 3)],
      attributes: { ...plain, padding: 1 },
    },
    { title: 'many channels in, kernel 1', inputs: [normal(1, 17, 3, 4), normal(3, 17, 1, 1)], attributes: plain },
    {
      title: 'many channels out',
      inputs: [normal(1, 2, 4, 5), normal(33, 2, 3, 3)],
      attributes: { ...plain, padding: 1 },
    },
  ]),
  convInputGradient: samplesOf(inputGradientOperation, reference.convInputGradient, [
    {
      title: 'kernel 3, padding 1',
      inputs: [normal(2, 3, 5, 4), normal(3, 2, 3, 3)],
      attributes: { ...plain, padding: 1, shape: [2, 2, 5, 4] },
    },
    {
      title: 'many channels',
      inputs: [normal(2, 4, 5, 4), normal(4, 18, 3, 3)],
      attributes: { ...plain, padding: 1, shape: [2, 18, 5, 4] },
    },
    {
      title: 'stride 2, a row missed',
      inputs: [normal(1, 3, 3, 2), normal(3, 2, 3, 3)],
      attributes: { ...plain, stride: 2, shape: [1, 2, 8, 6] },
    },
  ]),
  convWeightGradient: samplesOf(weightGradientOperation, reference.convWeightGradient, [
    {
      title: 'kernel 3, padding 1',
      inputs: [normal(3, 2, 5, 4), normal(3, 3, 5, 4)],
      attributes: { ...plain, padding: 1, shape: [3, 2, 3, 3] },
    },
    {
      title: 'many channels out',
      inputs: [normal(3, 2, 5, 4), normal(3, 40, 5, 4)],
      attributes: { ...plain, padding: 1, shape: [40, 2, 3, 3] },
    },
    {
      title: 'many channels in',
      inputs: [normal(2, 9, 5, 4), normal(2, 2, 5, 4)],
      attributes: { ...plain, padding: 1, shape: [2, 9, 3, 3] },
    },
    {
      title: 'many channels in, no padding, kernel 5',
      inputs: [normal(2, 9, 7, 6), normal(2, 3, 3, 2)],
      attributes: { ...plain, shape: [3, 9, 5, 5] },
    },
    {
      title: 'many channels in, less padding than keeps the size',
      inputs: [normal(2, 9, 7, 6), normal(2, 3, 5, 4)],
      attributes: { ...plain, padding: 1, shape: [3, 9, 5, 5] },
    },
    {
      title: 'many channels in, more padding than keeps the size',
      inputs: [normal(2, 9, 4, 3), normal(2, 3, 6, 5)],
      attributes: { ...plain, padding: 2, shape: [3, 9, 3, 3] },
    },
    {
      title: 'one channel in, kernel 5, padding 2',
      inputs: [normal(2, 1, 6, 5), normal(2, 4, 6, 5)],
      attributes: { ...plain, padding: 2, shape: [4, 1, 5, 5] },
    },
    {
      title: 'a kernel that is not square',
      inputs: [normal(2, 5, 6, 5), normal(2, 2, 4, 4)],
      attributes: { ...plain, shape: [2, 5, 3, 2] },
    },
    {
      title: 'stride 2, a row missed',
      inputs: [normal(1, 2, 8, 6), normal(1, 3, 3, 2)],
      attributes: { ...plain, stride: 2, shape: [3, 2, 3, 3] },
    },
    {
      title: '2 groups',
      inputs: [normal(2, 4, 4, 4), normal(2, 2, 2, 2)],
      attributes: { ...plain, groups: 2, shape: [2, 2, 3, 3] },
    },
    {
      title: 'small images of many channels',
      inputs: [normal(3, 8, 2, 2), normal(3, 8, 2, 2)],
      attributes: { ...plain, padding: 1, shape: [8, 8, 3, 3] },
    },
    {
      title: 'single pixels, many channels out',
      inputs: [normal(3, 2, 1, 1), normal(3, 60, 1, 1)],
      attributes: { ...plain, padding: 1, shape: [60, 2, 3, 3] },
    },
    {
      title: 'small images of many channels, stride 2',
      inputs: [normal(3, 6, 4, 4), normal(3, 8, 2, 2)],
      attributes: { ...plain, stride: 2, padding: 1, shape: [8, 6, 3, 3] },
    },
  ]),
};
