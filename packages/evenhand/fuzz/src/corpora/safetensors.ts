import { crc32 } from 'node:zlib';
import { writeSafetensors } from '@evenhand/engine';
import type { Files, Mutation } from '../reader.js';

/** Files as the engine writes them, and one without a checksum, as other tools do. */
export async function safetensorsCorpus(): Promise<Files> {
  const tensors = new Map([
    ['weight', { shape: [3, 4], data: Float32Array.from({ length: 12 }, (_, i) => i / 7) }],
    ['bias', { shape: [], data: Float64Array.of(1.5) }],
    ['codes', { shape: [5], data: Int32Array.of(1, -2, 3, -4, 5) }],
    ['large', { shape: [2], data: BigInt64Array.of(-1n, 2n ** 62n) }],
    ['empty', { shape: [0, 9], data: new Uint8Array() }],
  ]);
  return new Map([
    ['sealed.safetensors', writeSafetensors(tensors, new Map([['note', 'of what it is']]))],
    ['foreign.safetensors', withoutChecksum({ a: ['F32', [2, 2], 16], b: ['I64', [1], 8], c: ['U8', [3], 3] })],
    ['bare.safetensors', withoutChecksum({})],
  ]);
}

function withoutChecksum(tensors: Readonly<Record<string, readonly [type: string, shape: number[], bytes: number]>>) {
  let end = 0;
  const described = Object.entries(tensors).map(([name, [dtype, shape, bytes]]) => {
    end += bytes;
    return [name, { dtype, shape, data_offsets: [end - bytes, end] }] as const;
  });
  return sealed(JSON.stringify(Object.fromEntries(described)), Buffer.alloc(end, 7));
}

function sealed(header: string, data: Uint8Array): Uint8Array {
  const text = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, data]);
}

const OPENING = 8;
const CHECKSUM_PREFIX = '{"__metadata__":{"checksum":"crc32:';
const CHECKSUM_START = OPENING + CHECKSUM_PREFIX.length;
const CHECKSUM_LENGTH = 8;

/** The length of the header, told by where its JSON seems to end, and the checksum where there is one. */
export const repairSafetensors: Mutation = (bytes) => {
  const repaired = Buffer.from(bytes);
  const end = repaired.lastIndexOf('}}') + '}}'.length;
  if (repaired[OPENING] !== '{'.charCodeAt(0) || end <= OPENING) return bytes;
  const spaces = /^ */.exec(repaired.toString('latin1', end, end + 8))?.[0].length ?? 0;
  repaired.writeBigUInt64LE(BigInt(end + spaces - OPENING));
  if (repaired.toString('latin1', OPENING, CHECKSUM_START) !== CHECKSUM_PREFIX) return repaired;
  repaired.fill('0', CHECKSUM_START, CHECKSUM_START + CHECKSUM_LENGTH);
  repaired.write(crc32(repaired).toString(16).padStart(CHECKSUM_LENGTH, '0'), CHECKSUM_START);
  return repaired;
};
