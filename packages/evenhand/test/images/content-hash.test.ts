import { describe, expect, it } from 'vitest';
import { imageContentHash } from '../../src/images/content-hash.js';

const content = {
  classNames: ['a', 'b'],
  labels: Int32Array.of(0, 1),
  shape: [1, 1, 2],
  pixels: Uint8Array.of(1, 2, 3, 4),
} as const;

describe('imageContentHash', () => {
  it('is the same for the same content', () => {
    const copy = { ...content, labels: content.labels.slice(), pixels: content.pixels.slice() };
    expect(imageContentHash(copy)).toBe(imageContentHash(content));
    expect(imageContentHash(content)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['class names', { classNames: ['a', 'c'] }],
    ['where one class name ends', { classNames: ['a,b'] }],
    ['labels', { labels: Int32Array.of(1, 0) }],
    ['shape', { shape: [1, 2, 1] as const }],
    ['pixels', { pixels: Uint8Array.of(1, 2, 3, 5) }],
  ])('depends on %s', (_, change) => {
    expect(imageContentHash({ ...content, ...change })).not.toBe(imageContentHash(content));
  });
});
