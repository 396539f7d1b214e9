import type { Tensor } from '../../src/graph/graph.js';
import type { ElementType, Shape, TensorType } from '../../src/graph/tensor.js';

/** Operations that only other operations build, with inputs of the right shapes, and one that takes everything. */
export type Trusting =
  | 'averagePoolGradient'
  | 'batchNormGradient'
  | 'cast'
  | 'convInputGradient'
  | 'convWeightGradient'
  | 'layerNormGradient'
  | 'maxPoolGradient'
  | 'reluGradient'
  | 'scatterRows'
  | 'spread';

/** Inputs, what is attempted with them, and the error's text behind the scope. */
export type Mistake = readonly [
  inputs: readonly TensorType[],
  build: (...inputs: Tensor[]) => unknown,
  message: string,
];

const of =
  (type: ElementType) =>
  (...shape: Shape): TensorType => ({ type, shape });
export const f32 = of('float32');
export const i64 = of('int64');
export const bool = of('bool');
const u8 = of('uint8');

/** A function of two tensors: types that differ, or that it does not know, and shapes that do not go together. */
export function ofTwo(name: string, build: (a: Tensor, b: Tensor) => unknown): Mistake[] {
  return [
    [[f32(2), i64(2)], build, `${name}(float32[2], int64[2]): expected float32, received int64[2]`],
    [[u8(2), u8(2)], build, `${name}(uint8[2], uint8[2]): expected float32 or int64 or int32, received uint8[2]`],
    [
      [f32(2, 3), f32(2)],
      build,
      `${name}(float32[2, 3], float32[2]): expected shapes that broadcast, received [2, 3] and [2]`,
    ],
  ];
}

/** A function of one float32 tensor. */
export function ofOne(name: string, build: (x: Tensor) => unknown): Mistake[] {
  return [[[i64(2, 3)], (x) => build(x), `${name}(int64[2, 3]): expected float32, received int64[2, 3]`]];
}

/** A function of a float32 tensor along an axis. */
export function ofAxes(name: string, build: (x: Tensor, axis: number) => unknown): Mistake[] {
  const message = (axis: number) => `${name}(float32[2, 3]): expected an axis from -2 to 1, received ${axis}`;
  return [
    ...ofOne(name, (x) => build(x, 0)),
    [[f32(2, 3)], (x) => build(x, 2), message(2)],
    [[f32(2, 3)], (x) => build(x, -3), message(-3)],
    [[f32(2, 3)], (x) => build(x, 0.5), message(0.5)],
  ];
}

/** A function of images with a window of 3. */
export function ofImages(name: string, build: (x: Tensor) => unknown): Mistake[] {
  return [
    ...ofOne(name, build),
    [[f32(3, 8, 8)], (x) => build(x), `${name}(float32[3, 8, 8]): expected images [N, C, H, W], received [3, 8, 8]`],
    [
      [f32(1, 1, 8, 2)],
      (x) => build(x),
      `${name}(float32[1, 1, 8, 2]): expected a size of at least 3 for a window of 3, received 2`,
    ],
  ];
}
