import { uint8At, uint32At } from '../checked-access.js';

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * CRC-32 (ISO 3309, as in zip and PNG). Finds every error of up to 32 neighbouring bits, and others but for one in four
 * billion. A checksum of several parts is continued from part to part.
 */
export function crc32(bytes: Uint8Array, checksum = 0): number {
  let value = ~checksum;
  for (let i = 0; i < bytes.length; i++) value = (value >>> 8) ^ uint32At(TABLE, (value ^ uint8At(bytes, i)) & 0xff);
  return ~value >>> 0;
}
