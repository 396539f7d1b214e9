/** The same values in an array that has room for at least `length` of them: the array itself, or one that is half as long again. */
export function withRoom<Values extends Float64Array | Int32Array>(values: Values, length: number): Values;
export function withRoom(values: Float64Array | Int32Array, length: number): Float64Array | Int32Array {
  if (length <= values.length) return values;
  const room = Math.max(length, Math.ceil(1.5 * values.length));
  const larger = values instanceof Float64Array ? new Float64Array(room) : new Int32Array(room);
  larger.set(values);
  return larger;
}
