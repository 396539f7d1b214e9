/** Element types that the engine computes with, by their ONNX Runtime names. */
export type ElementType = 'float32' | 'int64' | 'int32' | 'uint8' | 'bool';

/** Sizes of a tensor's axes, all known when the graph is built. A scalar has none. */
export type Shape = readonly number[];

/** All that inference needs to know of a tensor. */
export interface TensorType {
  readonly shape: Shape;
  readonly type: ElementType;
}

/** Values of a tensor as the host holds them, row after row. Booleans are bytes of 0 and 1. */
export type TensorData = Float32Array | BigInt64Array | Int32Array | Uint8Array;

/** The element type of a constant. */
export function elementTypeOf(data: TensorData): ElementType {
  if (data instanceof Float32Array) return 'float32';
  if (data instanceof BigInt64Array) return 'int64';
  return data instanceof Int32Array ? 'int32' : 'uint8';
}

/** The number of elements of a shape. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** A tensor's type for people: `float32[128, 10]`. */
export function describeType({ type, shape }: TensorType): string {
  return `${type}[${shape.join(', ')}]`;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis]);
}
