// The binary format of WebAssembly, as far as a module with one function needs it: https://webassembly.github.io/spec/core/binary

/** Bytes of a part of a module. */
export type Bytes = readonly number[];

/** A number of at least 0, seven bits a byte (LEB128). */
export function unsigned(value: number): Bytes {
  return value < 128 ? [value] : [(value % 128) + 128, ...unsigned(Math.floor(value / 128))];
}

/** The same for instructions that take signed numbers: the second-highest bit of the last byte is the sign. */
export function signed(value: number): Bytes {
  return value < 64 ? [value] : [(value % 128) + 128, ...signed(Math.floor(value / 128))];
}

const INTEGER = 0x7f;
const VECTOR = 0x7b;

/** What a function consists of. Its parameters are integers, as is its result. */
interface WrittenFunction {
  readonly name: string;
  readonly parameters: number;
  /** Variables behind the parameters: first integers, then vectors. */
  readonly integers: number;
  readonly vectors: number;
  readonly body: Bytes;
}

/** A module with a function, over a memory that is imported as `env.memory`. */
export function moduleOf({ name, parameters, integers, vectors, body }: WrittenFunction, pages: number): Uint8Array {
  const sized = (bytes: Bytes): Bytes => [...unsigned(bytes.length), ...bytes];
  const text = (word: string) => sized([...new TextEncoder().encode(word)]);
  const section = (id: number, content: Bytes): Bytes => [id, ...sized([1, ...content])];
  const memory = [0x02, 0x01, ...unsigned(pages), ...unsigned(pages)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, ...sized(Array(parameters).fill(INTEGER)), 1, INTEGER]),
    ...section(2, [...text('env'), ...text('memory'), ...memory]),
    ...section(3, [0]),
    ...section(7, [...text(name), 0x00, 0]),
    ...section(10, sized([2, integers, INTEGER, vectors, VECTOR, ...body, 0x0b])),
  ]);
}
