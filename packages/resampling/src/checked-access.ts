// Access by an index that is right unless we have made a mistake, which must not pass for class 0 or probability 0.

/** An element of a list. */
export function at<Value extends NonNullable<unknown>>(values: ArrayLike<Value>, index: number): Value {
  return values[index] ?? outside(values, index);
}

/**
 * What stands behind `??` where a long loop reads an element: `values[index] ?? outside(values, index)`. There it costs nothing,
 * while a function that reads for many loops is given all kinds of arrays, and is several times slower.
 */
export function outside({ length }: ArrayLike<unknown>, index: number): never {
  throw new Error(`internal: there is no element ${index} in a list of ${length}`);
}
