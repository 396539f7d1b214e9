import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, readImageHeader } from '../../src/images/decode-image.js';
import { UserError } from '../../src/user-error.js';
import { type Format, imageOf, plainImage, pngClaiming } from './crafted-image.js';

const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const BLUE = [0, 0, 255];
const WHITE = [255, 255, 255];

async function problemOf(content: Uint8Array): Promise<string> {
  const error: unknown = await decodeImage(content, [3, 4, 4], 'x.jpg').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  return error instanceof UserError ? error.message : '';
}

/** Compresses badly, so that a truncated file has lost pixels. */
function noise(format: Format): Promise<Buffer> {
  let state = 1;
  const pixels = Array.from({ length: 64 * 64 * 3 }, () => {
    state = (state * 48271) % 0x7fffffff;
    return state & 0xff;
  });
  return imageOf(pixels, { width: 64, channels: 3, format });
}

describe('decodeImage', () => {
  it('gives one plane after the other', async () => {
    const image = await imageOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], { width: 2, channels: 3 });
    expect([...(await decodeImage(image, [3, 2, 2]))]).toEqual([1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12]);
  });

  it('keeps every pixel of an image that has the size already', async () => {
    const images = fc
      .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
      .chain(({ width, height }) => {
        const length = 3 * width * height;
        const pixels = fc.array(fc.nat(255), { minLength: length, maxLength: length });
        return fc.record({ width: fc.constant(width), height: fc.constant(height), pixels });
      });
    await fc.assert(
      fc.asyncProperty(images, fc.constantFrom('png', 'webp'), async ({ width, height, pixels }, format) => {
        const planes = await decodeImage(await imageOf(pixels, { width, channels: 3, format }), [3, height, width]);
        const interleaved = pixels.map((_, i) => planes[(i % 3) * width * height + Math.floor(i / 3)]);
        expect(interleaved).toEqual(pixels);
      }),
    );
  });

  it('crops the middle of what is too wide', async () => {
    const row = [...RED, ...GREEN, ...BLUE, ...WHITE];
    const image = await imageOf([...row, ...row], { width: 4, channels: 3 });
    // Columns 1 and 2: green and blue.
    expect([...(await decodeImage(image, [3, 2, 2]))]).toEqual([0, 0, 0, 0, 255, 0, 255, 0, 0, 255, 0, 255]);
  });

  it('scales what is too large, and too small, to cover the shape', async () => {
    for (const [width, height] of [
      [300, 200],
      [3, 5],
    ] as const) {
      const planes = await decodeImage(await plainImage([10, 20, 30], { width, height }), [3, 8, 8]);
      const expected = [10, 20, 30].flatMap((value) => Array.from({ length: 64 }, () => value));
      expect([...planes]).toEqual(expected);
    }
  });

  it('turns the image as its EXIF orientation says', async () => {
    const left = { create: { width: 8, height: 8, channels: 3, background: 'white' } } as const;
    const stored = await sharp({ create: { width: 16, height: 8, channels: 3, background: 'black' } })
      .composite([{ input: left, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await readImageHeader(stored, 'x')).toEqual({ width: 8, height: 16, grey: false });
    const planes = await decodeImage(stored, [1, 16, 8]);
    // Orientation 6 is seen after a quarter turn clockwise: what is left in the file is on top.
    expect(planes[0]).toBeGreaterThan(250);
    expect(planes.at(-1)).toBeLessThan(5);
  });

  it('lays transparent pixels over white', async () => {
    const image = await imageOf([...RED, 0, ...RED, 255], { width: 2, channels: 4 });
    expect([...(await decodeImage(image, [3, 1, 2]))]).toEqual([255, 255, 255, 0, 255, 0]);
  });

  it('gives grey images three equal planes where colours are expected', async () => {
    const image = await imageOf([7, 8], { width: 2, channels: 1 });
    expect([...(await decodeImage(image, [3, 1, 2]))]).toEqual([7, 8, 7, 8, 7, 8]);
    expect([...(await decodeImage(image, [1, 1, 2]))]).toEqual([7, 8]);
  });

  it('brings 16 bits a channel to 8, and CMYK to red, green and blue', async () => {
    const deep = await sharp(await plainImage([200, 100, 50]))
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    expect([...(await decodeImage(deep, [3, 1, 1]))]).toEqual([200, 100, 50]);
    const print = await sharp(await plainImage([200, 100, 50]))
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    const [red = 0, green = 0, blue = 0] = await decodeImage(print, [3, 1, 1]);
    expect(Math.abs(red - 200)).toBeLessThan(40);
    expect(Math.abs(green - 100)).toBeLessThan(40);
    expect(Math.abs(blue - 50)).toBeLessThan(40);
  });

  it('reads a file, whatever its extension says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evenhand-image-'));
    const file = join(folder, 'a.jpg');
    writeFileSync(file, await imageOf([1, 2, 3], { width: 1, channels: 3 }));
    expect([...(await decodeImage(file, [3, 1, 1]))]).toEqual([1, 2, 3]);
    // Not what a library kept of a file of that name.
    writeFileSync(file, await imageOf([4, 5, 6], { width: 1, channels: 3, format: 'webp' }));
    expect([...(await decodeImage(file, [3, 1, 1]))]).toEqual([4, 5, 6]);
    rmSync(folder, { recursive: true });
    await expect(decodeImage(file, [3, 1, 1])).rejects.toThrow(`${file}: the file cannot be read (ENOENT`);
  });

  it.each(['jpeg', 'png', 'webp'] as const)('fault 26: refuses a truncated %s image', async (format) => {
    const complete = await noise(format);
    for (const share of [0.01, 0.5, 0.95]) {
      const truncated = complete.subarray(0, Math.max(16, share * complete.length));
      expect(await problemOf(truncated)).toMatch(/^x\.jpg: the image cannot be decoded \(.+\)$/);
    }
  });

  it('fault 26: refuses a PNG image with a flipped bit', async () => {
    const image = await noise('png');
    image[image.length >> 1] = (image[image.length >> 1] ?? 0) ^ 1;
    expect(await problemOf(image)).toMatch(/^x\.jpg: the image cannot be decoded/);
  });

  it('fault 26: refuses an empty file and one with other content', async () => {
    expect(await problemOf(Buffer.alloc(0))).toBe('x.jpg: the file is empty');
    const other = 'x.jpg: the content is not a JPEG, PNG or WebP image';
    expect(await problemOf(Buffer.from('just text'))).toBe(other);
    expect(await problemOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'))).toBe(other);
    expect(
      await problemOf(
        await sharp(await plainImage([1, 2, 3]))
          .gif()
          .toBuffer(),
      ),
    ).toBe(other);
  });

  it('fault 27: refuses a billion pixels before decoding', async () => {
    const image = pngClaiming(40_000, 25_000);
    expect(image.length).toBeLessThan(100);
    const before = process.memoryUsage().rss;
    expect(await problemOf(image)).toBe('x.jpg: the image cannot be decoded (Input image exceeds pixel limit)');
    await expect(readImageHeader(image, 'x.jpg')).rejects.toThrow(
      'x.jpg: the header claims 40000 × 25000 pixels; the limit is 100000000',
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });
});

describe('readImageHeader', () => {
  it('knows images without colours', async () => {
    expect(await readImageHeader(await imageOf([1, 2], { width: 2, channels: 1 }), 'x')).toMatchObject({ grey: true });
    expect(await readImageHeader(await imageOf([1, 2], { width: 1, channels: 2 }), 'x')).toMatchObject({ grey: true });
    expect(await readImageHeader(await plainImage([9, 9, 9]), 'x')).toMatchObject({ grey: false });
  });
});
