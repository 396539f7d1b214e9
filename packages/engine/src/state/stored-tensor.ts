import type { Shape } from '../graph/tensor.js';

/** The arrays that the engine stores, by their name in the safetensors format. */
export const ARRAY_TYPES = {
  F64: Float64Array,
  F32: Float32Array,
  I64: BigInt64Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
  U64: BigUint64Array,
  U32: Uint32Array,
  U16: Uint16Array,
  U8: Uint8Array,
} as const;

/** Element types by their name in the safetensors format. */
export type StoredType = keyof typeof ARRAY_TYPES;

/** A tensor in a file; the kind of array says its element type. */
export interface StoredTensor {
  readonly shape: Shape;
  readonly data: InstanceType<(typeof ARRAY_TYPES)[StoredType]>;
}

/** Tensors by name. A map, so that no name is special. */
export type StoredTensors = ReadonlyMap<string, StoredTensor>;

/** Bytes that do not hold what they should. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
}

/** Whether text is the name of an element type. */
export function isStoredType(text: unknown): text is StoredType {
  return typeof text === 'string' && Object.hasOwn(ARRAY_TYPES, text);
}
