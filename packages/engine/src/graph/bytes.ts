/** A copy of an array's memory. A `Buffer` has a `slice` of its own, which is none. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}
