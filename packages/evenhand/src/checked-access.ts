// Access by an index that is right unless we have made a mistake, which must not pass for class 0. Arrays that are read in long
// loops have a function each: one that is given all kinds of arrays is several times slower. Even so a call costs as much as a
// few multiplications: the innermost loops of all compare with undefined themselves, which is free, and throw `outside`.

/** An element of a list. */
export function at<Value extends NonNullable<unknown> | null>(values: ArrayLike<Value>, index: number): Value {
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

/** An element of a Float32Array. */
export function float32At(values: Float32Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

/** An element of a Float64Array. */
export function float64At(values: Float64Array, index: number): number {
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

/** The value of a key in a map. */
export function atKey<Key, Value extends NonNullable<unknown> | null>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`internal: there is no key ${String(key)} in a map of ${map.size}`);
  return value;
}

/** An element of a Uint32Array. */
export function uint32At(values: Uint32Array, index: number): number {
  const value = values[index];
  if (value === undefined) throw outside(values, index);
  return value;
}

/** What an index that is not in a list is answered with. */
export function outside({ length }: ArrayLike<unknown>, index: number): Error {
  return new Error(`internal: there is no element ${index} in a list of ${length}`);
}
