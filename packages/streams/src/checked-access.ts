// Access by an index that is right unless we have made a mistake, which must not pass for a 0.

/** An element of a list. */
export function at<Value extends NonNullable<unknown> | null>(values: ArrayLike<Value>, index: number): Value {
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

function outside({ length }: ArrayLike<unknown>, index: number): Error {
  return new Error(`internal: there is no element ${index} in a list of ${length}`);
}
