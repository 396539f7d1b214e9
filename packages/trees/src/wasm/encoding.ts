// The binary format of WebAssembly, as far as our kernels need it: https://webassembly.github.io/spec/core/binary

/** Bytes of a part of a module. */
export type Bytes = readonly number[];

/** An unsigned number, seven bits a byte (LEB128). */
export function unsigned(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low + 128);
  } while (rest !== 0);
  return bytes;
}

/** A signed number of 32 bits (LEB128). */
export function signed(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 127;
    rest >>= 7;
    if ((rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0)) return [...bytes, low];
    bytes.push(low | 128);
  }
}

/** A list: how many there are, then each. */
export function vector(entries: readonly Bytes[]): Bytes {
  return [...unsigned(entries.length), ...entries.flat()];
}

/** A text in front of which stands its length. */
export function name(text: string): Bytes {
  const bytes = [...new TextEncoder().encode(text)];
  return [...unsigned(bytes.length), ...bytes];
}

/** A section of a module: its number, its length, what is in it. */
export function section(id: number, content: Bytes): Bytes {
  return [id, ...unsigned(content.length), ...content];
}
