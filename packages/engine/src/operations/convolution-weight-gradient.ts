import type { Emitter } from '../graph/emitter.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import { apply } from './apply.js';
import { type Convolution, type ConvolutionGradient, imagesOf } from './window.js';

/**
 * Matrix products of shifted copies. Which copies are the fewest depends on the shapes: the choices were measured with ONNX
 * Runtime's CPU kernels, of which Concat, Gather and contiguous slices are quick and Pad and strided slices are not.
 */
export const weightGradientOperation: Operation<[x: Tensor, dy: Tensor], ConvolutionGradient> = {
  name: 'convWeightGradient',
  infer: (_, { shape }) => [{ shape, type: 'float32' }],
  emit: ({ emitter, inputs: [x, dy], inputTypes: [xType, dyType], attributes }) => {
    const { stride, padding, groups, shape } = attributes;
    const [images, outputs] = [imagesOf(xType.shape), imagesOf(dyType.shape)];
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
      const part = (value: string, size: number) => emitSlice(emitter, value, 1, group * size, size);
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
function fastestWay({ channels, outputs, kernel, stride, padding }: WeightGradient): EmitWeightGradient {
  if (stride > 1 || kernel.width === 1 || padding >= kernel.width) return emitByColumns;
  // What is sliced to be joined is copied twice.
  const shiftedInput = 2 * kernel.height * kernel.width * channels;
  const shiftedOutput = kernel.height * channels + kernel.width * outputs;
  return shiftedInput < 2 * shiftedOutput ? emitByShiftedInput : emitByShiftedOutput;
}

function emitZeros(emitter: Emitter, shape: Shape): string {
  return emitter.node('ConstantOfShape', [emitter.integers(...shape)]);
}

/** The input with its padding. */
function emitPadded(emitter: Emitter, x: string, padding: number): string {
  return padding === 0 ? x : emitter.node('Pad', [x, emitter.integers(0, 0, padding, padding, 0, 0, padding, padding)]);
}

/**
 * A copy of the input for every kernel row, shifted by it: `[batch, channels, kernel.height, rows, W]`. Rows outside the
 * image are zeros.
 */
function emitShiftedRows(
  emitter: Emitter,
  x: string,
  { batch, channels, height, width, rows, kernel, padding }: WeightGradient,
) {
  const [imageHeight, imageWidth] = [height - 2 * padding, width - 2 * padding];
  const places = Array.from({ length: kernel.height * rows }, (_, n) => {
    const row = Math.floor(n / rows) + (n % rows) - padding;
    // one row of zeros behind the last serves all that lie outside
    return BigInt(row < 0 || row >= imageHeight ? imageHeight : row);
  });
  const source =
    padding === 0 ? x : emitter.node('Concat', [x, emitZeros(emitter, [batch, channels, 1, imageWidth])], { axis: 2 });
  const indices = emitter.constant(BigInt64Array.from(places), [kernel.height, rows]);
  return emitter.node('Gather', [source, indices], { axis: 2 });
}

/** The sizes of a batch of products: `[batch, m, length]` and `[batch, n, length]`. */
interface Products {
  readonly batch: number;
  readonly m: number;
  readonly n: number;
  readonly length: number;
}

/** Sums the products of `left` and `right` over the batch: `[m, n]`. */
function emitSummedProducts(emitter: Emitter, left: string, right: string, { batch, m, n, length }: Products): string {
  const turned = emitter.node('Transpose', [right], { perm: [0, 2, 1] });
  if (m * n <= (m + n) * length) {
    const products = emitter.node('MatMul', [left, turned]);
    return emitter.node('ReduceSum', [products, emitter.integers(0)], { keepdims: 0 });
  }
  // Small images with many channels: a product for each image is larger than what it is made of. One of all images is not.
  const across = emitter.node('Transpose', [left], { perm: [1, 0, 2] });
  return emitter.node('MatMul', [
    emitter.node('Reshape', [across, emitter.integers(m, batch * length)]),
    emitter.node('Reshape', [turned, emitter.integers(batch * length, n)]),
  ]);
}

/** Elements `start` to before `start + length` of an axis. */
function emitSlice(emitter: Emitter, value: string, axis: number, start: number, length: number): string {
  return emitter.node('Slice', [
    value,
    emitter.integers(start),
    emitter.integers(start + length),
    emitter.integers(axis),
  ]);
}

/**
 * dW[k,c,i,j] = Σ dy[k,r,s]·x[c,r+i,s+j], where the input has few channels. It is copied for every kernel row; laid out as one
 * line, a shift by columns is a contiguous slice. dy is laid out in rows as wide as the input's, with zeros behind.
 */
function emitByShiftedInput(emitter: Emitter, x: string, dy: string, problem: WeightGradient): string {
  const { batch, channels, outputs, height, width, rows, columns, kernel, padding } = problem;
  const length = rows * width;
  // One more row than is needed, for what the last slices take of it.
  const padded = { ...problem, height: height + 1, rows: rows + 1, padding: 0 };
  const source = emitter.node('Pad', [x, emitter.integers(0, 0, padding, padding, 0, 0, padding + 1, padding)]);
  const line = emitter.node('Reshape', [
    emitShiftedRows(emitter, source, padded),
    emitter.integers(batch, channels * kernel.height, length + width),
  ]);
  const shifts = Array.from({ length: kernel.width }, (_, j) => emitSlice(emitter, line, 2, j, length));
  const right = emitter.node('Concat', shifts, { axis: 1 });
  const wide =
    width === columns
      ? dy
      : emitter.node('Concat', [dy, emitZeros(emitter, [batch, outputs, rows, width - columns])], { axis: 3 });
  const left = emitter.node('Reshape', [wide, emitter.integers(batch, outputs, length)]);
  const gradient = emitter.node('Reshape', [
    emitSummedProducts(emitter, left, right, {
      batch,
      m: outputs,
      n: kernel.width * channels * kernel.height,
      length,
    }),
    emitter.integers(outputs, kernel.width, channels, kernel.height),
  ]);
  return emitter.node('Transpose', [gradient], { perm: [0, 2, 3, 1] });
}

/**
 * dW[k,c,i,j] = Σ x[c,r+i−p,s]·dy[k,r,s+p−j]: the input is copied for every kernel row, dy for every kernel column; each shift
 * of dy is then one matrix product with all rows.
 */
function emitByShiftedOutput(emitter: Emitter, x: string, dy: string, problem: WeightGradient): string {
  const { batch, channels, outputs, rows, width, kernel, padding } = problem;
  const length = rows * (width - 2 * padding);
  const left = emitter.node('Reshape', [
    emitShiftedRows(emitter, x, problem),
    emitter.integers(batch, channels * kernel.height, length),
  ]);
  const products = emitShiftedColumns(emitter, dy, problem).map((shifted) => {
    const right = emitter.node('Reshape', [shifted, emitter.integers(batch, outputs, length)]);
    const summed = emitSummedProducts(emitter, left, right, { batch, m: channels * kernel.height, n: outputs, length });
    return emitter.node('Reshape', [summed, emitter.integers(channels, kernel.height, 1, outputs)]);
  });
  return emitter.node('Transpose', [emitter.node('Concat', products, { axis: 2 })], { perm: [3, 0, 1, 2] });
}

/** dy[k,r,s+p−j] for every kernel column j and every column s of the input; zero outside. */
function emitShiftedColumns(emitter: Emitter, dy: string, problem: WeightGradient): string[] {
  const { batch, outputs, rows, columns, width, kernel, padding } = problem;
  const imageWidth = width - 2 * padding;
  const zeros = (height: number, wide: number) => emitZeros(emitter, [batch, outputs, height, wide]);
  const shifts = Array.from({ length: kernel.width }, (_, j) => j);
  if (padding === 0) {
    // Rows are followed by as many zeros as the largest shift: as one line, a shift is a contiguous slice.
    const wide = emitter.node('Concat', [dy, zeros(rows, kernel.width - 1)], { axis: 3 });
    const line = emitter.node('Reshape', [
      emitter.node('Concat', [zeros(1, imageWidth), wide], { axis: 2 }),
      emitter.integers(batch, outputs, (rows + 1) * imageWidth),
    ]);
    return shifts.map((j) => emitSlice(emitter, line, 2, imageWidth - j, rows * imageWidth));
  }
  const margin = kernel.width - 1 - padding;
  const wide = margin === 0 ? dy : emitter.node('Concat', [zeros(rows, margin), dy, zeros(rows, margin)], { axis: 3 });
  return shifts.map((j) =>
    j === padding && columns === imageWidth ? dy : emitSlice(emitter, wide, 3, kernel.width - 1 - j, imageWidth),
  );
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
  const sizes = { batch, m: kernel.height * kernel.width * channels, n: outputs, length: rows * columns };
  const summed = emitSummedProducts(emitter, left, flat, sizes);
  const gradient = emitter.node('Reshape', [summed, emitter.integers(kernel.height, kernel.width, channels, outputs)]);
  return emitter.node('Transpose', [gradient], { perm: [3, 2, 0, 1] });
}

/** `∂loss/∂weight` of a convolution whose weights have the given shape. */
export function convolutionWeightGradient(x: Tensor, dy: Tensor, shape: Shape, convolution: Convolution): Tensor {
  return apply(weightGradientOperation, [x, dy], { ...convolution, shape });
}
