import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { Files, Mutation } from '../reader.js';

/** A picture that is not the same everywhere. */
export function picture(width: number, height: number, channels: 1 | 3 | 4, phase = 0): Sharp {
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * i + phase * 40) % 251);
  return sharp(pixels, { raw: { width, height, channels } });
}

/** JPEG, PNG and WebP in the variants that are decoded in different ways. */
export async function imageCorpus(): Promise<Files> {
  const rgb = () => picture(24, 17, 3);
  const images: Readonly<Record<string, Sharp>> = {
    'plain.png': rgb().png(),
    'interlaced.png': rgb().png({ progressive: true }),
    'palette.png': rgb().png({ palette: true }),
    'transparent.png': picture(20, 20, 4).png(),
    'deep.png': rgb().toColourspace('rgb16').png(),
    'grey.png': picture(16, 16, 1).toColourspace('b-w').png(),
    'plain.jpg': rgb().jpeg(),
    'progressive.jpg': rgb().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    'turned.jpg': rgb().withMetadata({ orientation: 6 }).jpeg(),
    'cmyk.jpg': rgb().toColourspace('cmyk').jpeg(),
    'plain.webp': rgb().webp(),
    'lossless.webp': picture(20, 20, 4).webp({ lossless: true }),
  };
  const files = new Map<string, Uint8Array>();
  for (const [name, image] of Object.entries(images)) files.set(name, await image.toBuffer());
  return files;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The checksums of a PNG file's chunks; other images have none. */
export const repairPng: Mutation = (bytes) => {
  const png = Buffer.from(bytes);
  if (!png.subarray(0, 8).equals(PNG_SIGNATURE)) return bytes;
  for (let start = 8; start + 12 <= png.length; ) {
    const end = start + 8 + png.readUInt32BE(start);
    if (end + 4 > png.length) break;
    png.writeUInt32BE(crc32(png.subarray(start + 4, end)), end);
    start = end + 4;
  }
  return png;
};
