// Access by an index that is right unless we have made a mistake, which must not pass for a 0. Arrays that are read in long loops
// have a function each: one that is given all kinds of arrays is several times slower.

/** An element of a list. */
export function at<Value extends NonNullable<unknown> | null>(values: ArrayLike<Value>, index: number): Value {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

/** An element of a Uint8Array. */
export function uint8At(values: Uint8Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

/** An element of an Int32Array. */
export function int32At(values: Int32Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

/** An element of a Uint32Array. */
export function uint32At(values: Uint32Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

function outside({ length }: ArrayLike<unknown>, index: number): Error {
  return new Error(`internal: there is no element ${index} in a list of ${length}`);
}
