/** Class indices, one per row. The 64-bit kinds are what ONNX Runtime and NumPy hand over. */
export type Labels =
  | readonly number[]
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** Real numbers; a matrix is its rows one after the other. */
export type Values = readonly number[] | Float32Array | Float64Array;
