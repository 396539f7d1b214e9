// Access by an index that is right unless we have made a mistake, which must not pass for a 0.

/** An element of a list. */
export function at<Value extends NonNullable<unknown> | null>(values: ArrayLike<Value>, index: number): Value {
  const value = values[index];
  if (value === undefined) throw new Error(`internal: there is no element ${index} in a list of ${values.length}`);
  return value;
}
