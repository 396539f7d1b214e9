import { type Bytes, signed, unsigned } from './encoding.js';

/** Types of WebAssembly's values, by their numbers. */
export const VALUE_TYPES = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b } as const;

/** A type of value. */
export type ValueType = keyof typeof VALUE_TYPES;

type Unary = (operand: Bytes) => Bytes;
type Binary = (left: Bytes, right: Bytes) => Bytes;

const unary = (...code: Bytes): Unary => {
  return (operand) => [...operand, ...code];
};
const binary = (...code: Bytes): Binary => {
  return (left, right) => [...left, ...right, ...code];
};
/** A read from memory. What is read need not be aligned. */
const load = (...code: Bytes) => {
  return (address: Bytes, offset = 0): Bytes => [...address, ...code, 0, ...unsigned(offset)];
};
const store = (...code: Bytes) => {
  return (address: Bytes, value: Bytes, offset = 0): Bytes => [...address, ...value, ...code, 0, ...unsigned(offset)];
};
/** SIMD instructions stand behind a prefix. */
const simd = (opcode: number): Bytes => [0xfd, ...unsigned(opcode)];

export const i32 = {
  const: (value: number): Bytes => [0x41, ...signed(value)],
  load: load(0x28),
  load8: load(0x2d),
  store: store(0x36),
  eqz: unary(0x45),
  ltUnsigned: binary(0x49),
  lt: binary(0x48),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  shl: binary(0x74),
};

export const i64 = {
  const: (value: number): Bytes => [0x42, ...signed(value)],
  load: load(0x29),
  store: store(0x37),
  eqz: unary(0x50),
  lt: binary(0x53),
  add: binary(0x7c),
  sub: binary(0x7d),
  and: binary(0x83),
  shiftRight: binary(0x87),
};

export const f64 = {
  const: (value: number): Bytes => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  load: load(0x2b),
  store: store(0x39),
  lt: binary(0x63),
  gt: binary(0x64),
  add: binary(0xa0),
  convert: unary(0xb9),
};

export const v128 = {
  load: load(...simd(0x00)),
  store: store(...simd(0x0b)),
};

export const i64x2 = { add: binary(...simd(0xce)), sub: binary(...simd(0xd1)) };

export const f64x2 = {
  splat: unary(...simd(0x14)),
  extract: (vector: Bytes, lane: 0 | 1): Bytes => [...vector, ...simd(0x21), lane],
  /** Two numbers as a vector. */
  pair: (first: Bytes, second: Bytes): Bytes => [...f64x2.splat(first), ...second, ...simd(0x22), 1],
  add: binary(...simd(0xf0)),
  mul: binary(...simd(0xf2)),
  div: binary(...simd(0xf3)),
};

/** Sets bytes of the memory. */
export function memoryFill(address: Bytes, value: Bytes, length: Bytes): Bytes {
  return [...address, ...value, ...length, 0xfc, 11, 0];
}

const EMPTY = 0x40;

/** Runs `body` until it no longer says to go on. */
export function repeatWhile(body: Bytes, goOn: Bytes): Bytes {
  return [0x03, EMPTY, ...body, ...goOn, 0x0d, 0, 0x0b];
}

/** Runs `body` if the condition holds. */
export function when(condition: Bytes, body: Bytes): Bytes {
  return [...condition, 0x04, EMPTY, ...body, 0x0b];
}

/** Runs `body` as a block that {@link leave} ends. */
export function block(body: Bytes): Bytes {
  return [0x02, EMPTY, ...body, 0x0b];
}

/** Ends the block that is `depth` blocks, loops and conditions further out, if the condition holds. */
export function leave(condition: Bytes, depth: number): Bytes {
  return [...condition, 0x0d, ...unsigned(depth)];
}
