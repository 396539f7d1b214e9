import type { Random } from '@evenhand/engine';
import type { Mutation } from '../reader.js';
import { pick, stretch, upTo } from './draw.js';

const flipBits: Mutation = (bytes, random) => {
  const flipped = Uint8Array.from(bytes);
  for (let left = pick([1, 1, 1, 2, 8], random); left > 0; left--) {
    const place = upTo(bytes.length, random);
    flipped[place] = (flipped[place] ?? 0) ^ (1 << upTo(8, random));
  }
  return flipped;
};

const cutOff: Mutation = (bytes, random) => bytes.subarray(0, upTo(bytes.length + 1, random));

const remove: Mutation = (bytes, random) => {
  const [begin, end] = stretch(bytes.length, random);
  return Buffer.concat([bytes.subarray(0, begin), bytes.subarray(end)]);
};

/** Something out of the file, once more, or a few thousand times. */
const repeat: Mutation = (bytes, random) => {
  const [begin, end] = stretch(bytes.length, random);
  const times = pick([1, 1, 1, 20, 2000], random);
  const copies = Array.from({ length: times }, () => bytes.subarray(begin, end));
  return insertAt(
    bytes,
    pick([end, upTo(bytes.length + 1, random)], random),
    Buffer.concat(copies).subarray(0, 2 ** 19),
  );
};

const insertNoise: Mutation = (bytes, random) => {
  const noise = Uint8Array.from({ length: 1 + upTo(16, random) }, () => upTo(256, random));
  return insertAt(bytes, upTo(bytes.length + 1, random), noise);
};

/** A place is overwritten by one value: zeros, ones, or blanks. */
const blank: Mutation = (bytes, random) => {
  const [begin, end] = stretch(bytes.length, random);
  return Uint8Array.from(bytes).fill(pick([0, 0xff, 0x20], random), begin, end);
};

/** What programs that count on small sizes stumble over. */
const NUMBERS = [0n, 1n, 0x7fn, 0x80n, 0xffn, 0x7fffn, 0xffffn, 2n ** 24n, 2n ** 28n, 2n ** 31n - 1n, 2n ** 31n].concat(
  [2n ** 32n - 1n, 2n ** 40n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 10n ** 4n, 10n ** 9n],
);

/** Writes an absurd size over whatever is there, or between. */
const spliceNumber: Mutation = (bytes, random) => {
  const number = numberBytes(pick(NUMBERS, random), random);
  const place = upTo(bytes.length + 1, random);
  if (random() < 0.3) return insertAt(bytes, place, number);
  return Buffer.concat([bytes.subarray(0, place), number, bytes.subarray(place + number.length)]);
};

function numberBytes(number: bigint, random: Random): Uint8Array {
  const little = new Uint8Array(BigUint64Array.of(number).buffer).subarray(0, pick([1, 2, 4, 4, 8], random));
  return pick([() => little, () => Uint8Array.from(little).reverse(), () => varint(number)], random)();
}

/** As protocol buffers and Thrift write integers. */
function varint(number: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = number; rest > 0n || bytes.length === 0; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
  }
  return Uint8Array.from(bytes);
}

export function insertAt(bytes: Uint8Array, place: number, inserted: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place)]);
}

/** For any format. */
export const BYTE_MUTATIONS: readonly Mutation[] = [
  ...[flipBits, flipBits, flipBits, spliceNumber, spliceNumber, spliceNumber],
  ...[cutOff, remove, repeat, insertNoise, blank],
];
