import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import type { Emitter } from '../onnx/emitter.js';
import { apply, the } from './apply.js';
import { type Convolution, imagesOf } from './window.js';

/*
 * The two gradients of a convolution as operations of their own. Each has several ways to be written in ONNX operators, of
 * which the fastest depends on the shapes: the choices here were measured with ONNX Runtime's CPU kernels.
 */

export const inputGradientOperation: Operation<Convolution & { readonly shape: Shape }> = {
  name: 'convInputGradient',
  infer: (_, { shape }) => [{ shape, type: 'float32' }],
  emit: ({ emitter, inputs, inputTypes, attributes }) => {
    const weightShape = the(inputTypes, 1).shape;
    const [kernel, { stride, padding, groups }] = [axisSize(weightShape, 2), attributes];
    const square = kernel === axisSize(weightShape, 3);
    // A convolution with few output channels leaves most of its kernel idle; ConvTranspose does not mind.
    const fewChannels = axisSize(weightShape, 1) < FEW_CHANNELS;
    return stride === 1 && groups === 1 && square && padding < kernel && !fewChannels
      ? [emitFlippedConvolution(emitter, inputs, kernel, padding)]
      : [emitTransposedConvolution(emitter, inputs, the(inputTypes).shape, weightShape, attributes)];
  },
  vjp: null,
};

const FEW_CHANNELS = 16;

/** For stride 1: dy convolved with the kernels turned by 180° and with inputs and outputs exchanged. */
function emitFlippedConvolution(
  emitter: Emitter,
  [dy = '', weight = '']: readonly string[],
  kernel: number,
  padding: number,
) {
  const flipped =
    kernel === 1
      ? weight
      : emitter.node('Slice', [
          weight,
          emitter.integers(-1, -1),
          emitter.integers(-1 - kernel, -1 - kernel),
          emitter.integers(2, 3),
          emitter.integers(-1, -1),
        ]);
  const exchanged = emitter.node('Transpose', [flipped], { perm: [1, 0, 2, 3] });
  const margin = kernel - 1 - padding;
  return emitter.node('Conv', [dy, exchanged], {
    kernel_shape: [kernel, kernel],
    pads: [margin, margin, margin, margin],
  });
}

function emitTransposedConvolution(
  emitter: Emitter,
  inputs: readonly string[],
  dy: Shape,
  weight: Shape,
  { stride, padding, groups, shape }: Convolution & { readonly shape: Shape },
) {
  // Rows and columns at the end that no window reached have the gradient 0.
  const missed = (axis: number) =>
    axisSize(shape, axis) - ((axisSize(dy, axis) - 1) * stride - 2 * padding + axisSize(weight, axis));
  return emitter.node('ConvTranspose', inputs, {
    kernel_shape: weight.slice(2),
    strides: [stride, stride],
    pads: [padding, padding, padding, padding],
    output_padding: [missed(2), missed(3)],
    group: groups,
  });
}

/** `∂loss/∂x` of a convolution whose input has the given shape. */
export function convolutionInputGradient(dy: Tensor, weight: Tensor, shape: Shape, convolution: Convolution): Tensor {
  return apply(inputGradientOperation, [dy, weight], { ...convolution, shape });
}

export const weightGradientOperation: Operation<Convolution & { readonly shape: Shape }> = {
  name: 'convWeightGradient',
  infer: (_, { shape }) => [{ shape, type: 'float32' }],
  emit: ({ emitter, inputs: [x = '', dy = ''], inputTypes, attributes: { stride, padding, groups, shape } }) => {
    const [images, outputs] = [imagesOf(the(inputTypes).shape), imagesOf(the(inputTypes, 1).shape)];
    const kernel = { height: axisSize(shape, 2), width: axisSize(shape, 3) };
    const problem: WeightGradient = {
      batch: images.batch,
      channels: images.channels / groups,
      outputs: outputs.channels / groups,
      height: images.height + 2 * padding,
      width: images.width + 2 * padding,
      rows: outputs.height,
      columns: outputs.width,
      kernel,
      stride,
      padding,
    };
    const emitGroup = fastestWay(problem);
    if (groups === 1) return [emitGroup(emitter, x, dy, problem)];
    const parts = Array.from({ length: groups }, (_, group) => {
      const part = (value: string, size: number) =>
        emitter.node('Slice', [
          value,
          emitter.integers(group * size),
          emitter.integers((group + 1) * size),
          emitter.integers(1),
        ]);
      return emitGroup(emitter, part(x, problem.channels), part(dy, problem.outputs), problem);
    });
    return [emitter.node('Concat', parts, { axis: 0 })];
  },
  vjp: null,
};

/** One group of a weight gradient: sizes of the padded input, the output and the kernel. */
interface WeightGradient {
  readonly batch: number;
  readonly channels: number;
  readonly outputs: number;
  readonly height: number;
  readonly width: number;
  readonly rows: number;
  readonly columns: number;
  readonly kernel: { readonly height: number; readonly width: number };
  readonly stride: number;
  readonly padding: number;
}

type EmitWeightGradient = (emitter: Emitter, x: string, dy: string, problem: WeightGradient) => string;

/** The way that copies least. Copying, not multiplying, is most of the work. */
function fastestWay({ channels, outputs, kernel, stride }: WeightGradient): EmitWeightGradient {
  if (stride > 1 || kernel.width === 1) return emitByColumns;
  // Rows are copied once by Gather; what is sliced is copied again to join it.
  const shiftedRows = kernel.height * channels + 2 * kernel.width * outputs;
  const shiftedPixels = 2 * kernel.height * kernel.width * channels;
  return shiftedPixels < shiftedRows ? emitByShiftedPixels : emitByShiftedRows;
}

/** The input with its padding, and with more zero rows below. */
function emitPadded(emitter: Emitter, x: string, padding: number, rowsBelow = 0): string {
  return padding + rowsBelow === 0
    ? x
    : emitter.node('Pad', [x, emitter.integers(0, 0, padding, padding, 0, 0, padding + rowsBelow, padding)]);
}

/** Sums the products of `left` and `right`, `[batch, m, length]` and `[batch, n, length]`, over the batch: `[m, n]`. */
function emitSummedProducts(emitter: Emitter, left: string, right: string): string {
  const products = emitter.node('MatMul', [left, emitter.node('Transpose', [right], { perm: [0, 2, 1] })]);
  return emitter.node('ReduceSum', [products, emitter.integers(0)], { keepdims: 0 });
}

/**
 * dW[k,c,i,j] = Σ dy[k,r,s]·x[c,r+i,s+j], where the input has few channels: the input, laid out as one row, is sliced at every
 * offset (i, j), and dy is laid out in rows as wide as the input's.
 */
function emitByShiftedPixels(emitter: Emitter, x: string, dy: string, problem: WeightGradient): string {
  const { batch, channels, outputs, height, width, rows, columns, kernel, padding } = problem;
  const length = rows * width;
  const flat = emitter.node('Reshape', [
    emitPadded(emitter, x, padding, 1),
    emitter.integers(batch, channels, (height + 1) * width),
  ]);
  const shifts = Array.from({ length: kernel.height * kernel.width }, (_, n) => {
    const offset = Math.floor(n / kernel.width) * width + (n % kernel.width);
    return emitter.node('Slice', [
      flat,
      emitter.integers(offset),
      emitter.integers(offset + length),
      emitter.integers(2),
    ]);
  });
  const wide =
    width === columns ? dy : emitter.node('Pad', [dy, emitter.integers(0, 0, 0, 0, 0, 0, 0, width - columns)]);
  const left = emitter.node('Reshape', [wide, emitter.integers(batch, outputs, length)]);
  const summed = emitSummedProducts(emitter, left, emitter.node('Concat', shifts, { axis: 1 }));
  const gradient = emitter.node('Reshape', [summed, emitter.integers(outputs, kernel.height, kernel.width, channels)]);
  return emitter.node('Transpose', [gradient], { perm: [0, 3, 1, 2] });
}

/**
 * dW[k,c,i,j] = Σ dy[k,r,s]·x[c,r+i,s+j]. The input is copied once for every kernel row i, shifted by it; dy is laid out in
 * rows as wide as the input's, so that a shift by j columns is a contiguous slice. All h·w products are then one batched
 * matrix product, with h + w copies instead of h·w.
 */
function emitByShiftedRows(emitter: Emitter, x: string, dy: string, problem: WeightGradient): string {
  const { batch, channels, outputs, rows, columns, width, kernel, padding } = problem;
  const length = rows * width;
  const rowIndices = Array.from({ length: kernel.height * rows }, (_, n) => BigInt(Math.floor(n / rows) + (n % rows)));
  const indices = emitter.constant(BigInt64Array.from(rowIndices), [kernel.height, rows]);
  const shifted = emitter.node('Gather', [emitPadded(emitter, x, padding), indices], { axis: 2 });
  const left = emitter.node('Reshape', [shifted, emitter.integers(batch, channels * kernel.height, length)]);

  const wide = emitter.node('Pad', [dy, emitter.integers(0, 0, 1, 0, 0, 0, 0, width - columns)]);
  const flat = emitter.node('Reshape', [wide, emitter.integers(batch, outputs, (rows + 1) * width)]);
  const shifts = Array.from({ length: kernel.width }, (_, j) =>
    emitter.node('Slice', [
      flat,
      emitter.integers(width - j),
      emitter.integers(width - j + length),
      emitter.integers(2),
    ]),
  );
  const product = (right: string, columnShifts: number) => {
    const summed = emitSummedProducts(emitter, left, right);
    return emitter.node('Reshape', [summed, emitter.integers(channels, kernel.height, columnShifts, outputs)]);
  };
  const gradient =
    outputs < 32
      ? product(emitter.node('Concat', shifts, { axis: 1 }), kernel.width)
      : // wide enough without joining the shifts, which saves a copy
        emitter.node(
          'Concat',
          shifts.map((right) => product(right, 1)),
          { axis: 2 },
        );
  return emitter.node('Transpose', [gradient], { perm: [3, 0, 1, 2] });
}

/** Any stride: the input pixels under each kernel position as columns, then one batched matrix product. */
function emitByColumns(emitter: Emitter, x: string, dy: string, problem: WeightGradient): string {
  const { batch, channels, outputs, rows, columns, kernel, stride, padding } = problem;
  const padded = emitPadded(emitter, x, padding);
  const positions = Array.from({ length: kernel.height * kernel.width }, (_, n) => {
    const [i, j] = [Math.floor(n / kernel.width), n % kernel.width];
    return emitter.node('Slice', [
      padded,
      emitter.integers(i, j),
      emitter.integers(i + (rows - 1) * stride + 1, j + (columns - 1) * stride + 1),
      emitter.integers(2, 3),
      emitter.integers(stride, stride),
    ]);
  });
  const joined = emitter.node('Concat', positions, { axis: 1 });
  const left = emitter.node('Reshape', [
    joined,
    emitter.integers(batch, kernel.height * kernel.width * channels, rows * columns),
  ]);
  const flat = emitter.node('Reshape', [dy, emitter.integers(batch, outputs, rows * columns)]);
  const summed = emitSummedProducts(emitter, left, flat);
  const gradient = emitter.node('Reshape', [summed, emitter.integers(kernel.height, kernel.width, channels, outputs)]);
  return emitter.node('Transpose', [gradient], { perm: [3, 2, 0, 1] });
}

/** `∂loss/∂weight` of a convolution whose weights have the given shape. */
export function convolutionWeightGradient(x: Tensor, dy: Tensor, shape: Shape, convolution: Convolution): Tensor {
  return apply(weightGradientOperation, [x, dy], { ...convolution, shape });
}
