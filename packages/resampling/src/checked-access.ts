/**
 * What stands behind `??` where an element is read by an index that is right unless we have made a mistake, which must not pass for row 0:
 * `values[index] ?? outside(values, index)`.
 */
export function outside({ length }: ArrayLike<unknown>, index: number): never {
  throw new Error(`internal: there is no element ${index} in a list of ${length}`);
}
