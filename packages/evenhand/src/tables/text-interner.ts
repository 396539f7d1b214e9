import { float64At, int32At, uint8At } from '../checked-access.js';
import { withRoom } from './growing-array.js';
import { decodeTexts } from './text-encoding.js';

/** Gives every distinct text a code, in the order of first appearance, without making a string of every cell. */
export class TextInterner {
  /** Open addressing: a code + 1, or 0 where free. Always at most half full. */
  #slots = new Int32Array(256);
  #hashes = new Int32Array(128);
  /** The bytes of all distinct texts, one behind the other; text `code` lies from `#bounds[code]` to `#bounds[code + 1]`. */
  #bytes = Buffer.allocUnsafe(1024);
  #bounds = new Float64Array(129);
  #count = 0;

  /** The code of the text in `bytes` from `start` to `end`. */
  intern(bytes: Buffer, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const code = int32At(this.#slots, slot) - 1;
      if (code < 0) return this.#add(bytes, start, end, hash, slot);
      if (this.#hashes[code] === hash && this.#isText(code, bytes, start, end)) return code;
      slot = (slot + 1) & mask;
    }
  }

  /** The distinct texts, by code, and the encoding that they turned out to have. */
  texts(): ReturnType<typeof decodeTexts> {
    return decodeTexts(this.#bytes, this.#bounds.subarray(1, this.#count + 1));
  }

  #isText(code: number, bytes: Buffer, start: number, end: number): boolean {
    const own = this.#bytes;
    let at = float64At(this.#bounds, code);
    if (float64At(this.#bounds, code + 1) - at !== end - start) return false;
    for (let other = start; other < end; other++) {
      if (bytes[other] !== own[at++]) return false;
    }
    return true;
  }

  #add(bytes: Buffer, start: number, end: number, hash: number, slot: number): number {
    const code = this.#count++;
    const from = float64At(this.#bounds, code);
    const to = from + end - start;
    if (to > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(to, 2 * this.#bytes.length));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, from, start, end);
    this.#bounds[code + 1] = to;
    this.#hashes[code] = hash;
    this.#slots[slot] = code + 1;
    if (this.#count === this.#hashes.length) this.#grow();
    return code;
  }

  #grow(): void {
    const hashes = withRoom(this.#hashes, 2 * this.#count);
    this.#hashes = hashes;
    this.#bounds = withRoom(this.#bounds, 2 * this.#count + 1);
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let code = 0; code < this.#count; code++) {
      let slot = int32At(hashes, code) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = code + 1;
    }
  }
}

/** FNV-1a, its high bits mixed into the low ones. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ uint8At(bytes, at), 0x01000193);
  return hash ^ (hash >>> 15);
}
