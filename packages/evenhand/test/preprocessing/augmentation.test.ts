import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { augment } from '../../src/preprocessing/augmentation.js';

const shape = [2, 3, 4] as const;
const SIZE = 24;
/** Images whose pixels all differ, none of them 0. */
const images = (count: number) => Uint8Array.from({ length: count * SIZE }, (_, i) => (i % 250) + 1);
const at = { seed: 1, epoch: 0, position: 0 };

/** What a crop by (down, right) and a mirror make of an image, pixel by pixel. */
function moved(image: Uint8Array, down: number, right: number, mirrored: boolean): number[] {
  const [channels, height, width] = shape;
  const result: number[] = [];
  for (let c = 0; c < channels; c++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [fromY, fromX] = [y + down, (mirrored ? width - 1 - x : x) + right];
        const inside = fromY >= 0 && fromY < height && fromX >= 0 && fromX < width;
        result.push(inside ? (image[(c * height + fromY) * width + fromX] ?? 0) : 0);
      }
    }
  }
  return result;
}

describe('augment', () => {
  it('makes every image one of the crops of its padded self, mirrored or not, and all of them in time', () => {
    const padding = 1;
    const possible = new Map<string, string>();
    for (const down of [-1, 0, 1]) {
      for (const right of [-1, 0, 1]) {
        for (const mirrored of [false, true]) {
          possible.set(moved(images(1), down, right, mirrored).join(), `${down} ${right} ${mirrored}`);
        }
      }
    }
    expect(possible.size).toBe(18);
    const counts = new Map<string, number>();
    for (let position = 0; position < 1800; position++) {
      const made = augment(images(1), shape, { padding, flip: true }, { ...at, position });
      const which = possible.get(made.join()) ?? 'none of them';
      counts.set(which, (counts.get(which) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([...possible.values()].sort());
    // 1800 draws of 18: 100 each, with a standard deviation below 10
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(50);
  });

  it('changes nothing without padding and flip', () => {
    expect(augment(images(5), shape, { padding: 0, flip: false }, at)).toEqual(images(5));
  });

  it('mirrors nothing without flip', () => {
    const straight = [-1, 0, 1].flatMap((down) =>
      [-1, 0, 1].map((right) => moved(images(1), down, right, false).join()),
    );
    for (let position = 0; position < 50; position++) {
      const made = augment(images(1), shape, { padding: 1, flip: false }, { ...at, position });
      expect(straight).toContain(made.join());
    }
  });

  it('fault 5: depends on seed, epoch and place alone, however an epoch is cut into batches', () => {
    const options = { padding: 2, flip: true };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 }), fc.nat(), fc.nat(99), (cut, seed, epoch) => {
        const whole = augment(images(10), shape, options, { seed, epoch, position: 0 });
        const [head, tail] = [images(10).subarray(0, cut * SIZE), images(10).subarray(cut * SIZE)];
        expect([
          ...augment(head, shape, options, { seed, epoch, position: 0 }),
          ...augment(tail, shape, options, { seed, epoch, position: cut }),
        ]).toEqual([...whole]);
      }),
    );
    const whole = augment(images(10), shape, options, at);
    expect(augment(images(10), shape, options, { ...at, seed: 2 })).not.toEqual(whole);
    expect(augment(images(10), shape, options, { ...at, epoch: 1 })).not.toEqual(whole);
  });

  it('leaves the images that it was given alone, and takes a padding wider than they are', () => {
    const given = images(3);
    augment(given, shape, { padding: 9, flip: true }, at);
    expect(given).toEqual(images(3));
  });
});
