import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export type Format = 'png' | 'jpeg' | 'webp';

/** An image with the given pixels, row after row, channels interleaved; without loss for PNG and WebP. */
export async function imageOf(
  pixels: readonly number[],
  { width, channels, format = 'png' }: { width: number; channels: 1 | 2 | 3 | 4; format?: Format },
): Promise<Buffer> {
  const height = pixels.length / width / channels;
  const image = sharp(Uint8Array.from(pixels), { raw: { width, height, channels } });
  if (channels < 3) image.toColourspace('b-w');
  return image.toFormat(format, format === 'webp' ? { lossless: true, exact: true } : {}).toBuffer();
}

/** An image of one colour. */
export async function plainImage(
  [r, g, b]: readonly [number, number, number],
  { width = 8, height = 8, format = 'png' }: { width?: number; height?: number; format?: Format } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .toFormat(format)
    .toBuffer();
}

/** A PNG file of some hundred bytes whose header claims these sides. */
export function pngClaiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const emptyData = Buffer.from([0x78, 0x9c, 0x03, 0, 0, 0, 0, 1]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', emptyData), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
