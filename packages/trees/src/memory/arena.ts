const PAGE = 65_536;
/** What WebAssembly can address with 32 bits. */
export const ADDRESSABLE = 65_535 * PAGE;
const ALIGNMENT = 64;

/** Deals out a memory from its beginning, at multiples of a line of the cache. Every thread deals it out alike. */
export class Arena {
  #end = 0;

  /** The address of as many bytes more. */
  take(bytes: number): number {
    const address = this.#end;
    this.#end = address + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return address;
  }

  get bytes(): number {
    return this.#end;
  }

  get pages(): number {
    return Math.ceil(this.#end / PAGE);
  }
}
