import type { Shape } from '../../../src/graph/tensor.js';
import { at, atBroadcast, build, item, type NdArray, stretched, total } from './array.js';

type Inputs = readonly NdArray[];

export function matmul(inputs: Inputs): NdArray[] {
  const [a, b] = [item(inputs, 0), item(inputs, 1)];
  const [m, k, n] = [item(a.shape, a.shape.length - 2), item(a.shape, a.shape.length - 1), b.shape.at(-1) ?? 0];
  const batch = stretched(a.shape.slice(0, -2), b.shape.slice(0, -2));
  return [
    build([...batch, m, n], (index) => {
      const [outer, row, column] = [index.slice(0, -2), item(index, index.length - 2), item(index, index.length - 1)];
      return total(k, (i) => atBroadcast(a, [...outer, row, i]) * atBroadcast(b, [...outer, i, column]));
    }),
  ];
}

interface Gemm {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

export function gemm(inputs: Inputs, { transposeA, transposeB }: Gemm): NdArray[] {
  const [a, b, bias] = [item(inputs, 0), item(inputs, 1), inputs[2]];
  const inner = item(a.shape, transposeA ? 0 : 1);
  const left = (row: number, i: number) => (transposeA ? at(a, i, row) : at(a, row, i));
  const right = (i: number, column: number) => (transposeB ? at(b, column, i) : at(b, i, column));
  return [
    build([item(a.shape, transposeA ? 1 : 0), item(b.shape, transposeB ? 0 : 1)], ([row = 0, column = 0]) => {
      const product = total(inner, (i) => left(row, i) * right(i, column));
      return product + (bias === undefined ? 0 : at(bias, column));
    }),
  ];
}

interface Convolution {
  readonly stride: number;
  readonly padding: number;
  readonly groups: number;
}

/** Calls `visit` for every product x[x]·w[w] that is part of y[y], with flat positions. */
function eachProduct(
  { x, w, y }: { readonly x: Shape; readonly w: Shape; readonly y: Shape },
  { stride, padding, groups }: Convolution,
  visit: (x: number, w: number, y: number) => void,
): void {
  const [, channels = 0, height = 0, width = 0] = x;
  const [outputs = 0, inGroup = 0, kernelHeight = 0, kernelWidth = 0] = w;
  const [batch = 0, , rows = 0, columns = 0] = y;
  for (let n = 0; n < batch; n++)
    for (let k = 0; k < outputs; k++)
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          for (let c = 0; c < inGroup; c++)
            for (let i = 0; i < kernelHeight; i++)
              for (let j = 0; j < kernelWidth; j++) {
                const [r, s] = [row * stride + i - padding, column * stride + j - padding];
                if (r < 0 || r >= height || s < 0 || s >= width) continue;
                const channel = Math.floor(k / (outputs / groups)) * inGroup + c;
                visit(
                  ((n * channels + channel) * height + r) * width + s,
                  ((k * inGroup + c) * kernelHeight + i) * kernelWidth + j,
                  ((n * outputs + k) * rows + row) * columns + column,
                );
              }
}

export function conv2d(inputs: Inputs, convolution: Convolution): NdArray[] {
  const [x, w, bias] = [item(inputs, 0), item(inputs, 1), inputs[2]];
  const windows = (axis: number) =>
    Math.floor((item(x.shape, axis) + 2 * convolution.padding - item(w.shape, axis)) / convolution.stride) + 1;
  const shape = [item(x.shape, 0), item(w.shape, 0), windows(2), windows(3)];
  const y = build(shape, ([, k = 0]) => (bias === undefined ? 0 : at(bias, k)));
  const data = [...y.data];
  eachProduct({ x: x.shape, w: w.shape, y: shape }, convolution, (from, weight, to) => {
    data[to] = item(data, to) + item(x.data, from) * item(w.data, weight);
  });
  return [{ ...y, data }];
}

/** The adjoints of a convolution: every product's share goes back to where it came from. */
export function convInputGradient(inputs: Inputs, attributes: Convolution & { readonly shape: Shape }): NdArray[] {
  const [dy, w] = [item(inputs, 0), item(inputs, 1)];
  const data = [...build(attributes.shape, () => 0).data];
  eachProduct({ x: attributes.shape, w: w.shape, y: dy.shape }, attributes, (from, weight, to) => {
    data[from] = item(data, from) + item(dy.data, to) * item(w.data, weight);
  });
  return [{ shape: attributes.shape, type: 'float32', data }];
}

export function convWeightGradient(inputs: Inputs, attributes: Convolution & { readonly shape: Shape }): NdArray[] {
  const [x, dy] = [item(inputs, 0), item(inputs, 1)];
  const data = [...build(attributes.shape, () => 0).data];
  eachProduct({ x: x.shape, w: attributes.shape, y: dy.shape }, attributes, (from, weight, to) => {
    data[weight] = item(data, weight) + item(dy.data, to) * item(x.data, from);
  });
  return [{ shape: attributes.shape, type: 'float32', data }];
}
