import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeLabels, identityMatrix, type Labels, labelBuffer } from '../src/index.js';
import { entry, expectEvery, expectSame, uniform } from './arbitraries.js';

const problem = fc
  .record({ classes: fc.integer({ min: 2, max: 200 }), seed: fc.integer(), instances: fc.integer({ min: 0, max: 50 }) })
  .map(({ classes, seed, instances }) => {
    const random = uniform(seed);
    return {
      classes,
      generator: Float64Array.from({ length: classes ** 2 }, () => 8 * random() - 4),
      labels: Array.from({ length: instances }, () => Math.floor(random() * classes)),
    };
  });

describe('label encoding', () => {
  it('is the product L·G', () => {
    fc.assert(
      fc.property(problem, ({ classes, generator, labels }) => {
        const rows = encodeLabels(labels, generator, new Float64Array(labels.length * classes));
        expectEvery(rows, classes, (value, i, q) => {
          let product = 0;
          for (let p = 0; p < classes; p++) product += (p === labels[i] ? 1 : 0) * entry(generator, classes, p, q);
          return value === product;
        });
      }),
      { numRuns: 30 },
    );
  });

  it('rounds to float32 in a Float32Array, and gives the same bits in a label buffer', () => {
    fc.assert(
      fc.property(problem, ({ classes, generator, labels }) => {
        const plain = encodeLabels(labels, generator);
        const exact = encodeLabels(labels, generator, new Float64Array(plain.length));
        expectSame(plain, Float32Array.from(exact));
        expectSame(encodeLabels(Int32Array.from(labels), generator, labelBuffer(labels.length, classes)), plain);
      }),
    );
  });

  it('writes and returns a part of a label buffer, and leaves the rest alone', () => {
    const buffer = labelBuffer(4, 3).fill(7);
    const part = buffer.subarray(3, 9);
    expect(encodeLabels(Uint8Array.of(2, 0), identityMatrix(3), part)).toBe(part);
    expect(Array.from(buffer)).toEqual([7, 7, 7, 0, 0, 1, 1, 0, 0, 7, 7, 7]);
  });

  it.each<[string, Labels]>([
    ['number[]', [1, 0, 2]],
    ['Int8Array', Int8Array.of(1, 0, 2)],
    ['Uint8Array', Uint8Array.of(1, 0, 2)],
    ['Uint8ClampedArray', Uint8ClampedArray.of(1, 0, 2)],
    ['Int16Array', Int16Array.of(1, 0, 2)],
    ['Uint16Array', Uint16Array.of(1, 0, 2)],
    ['Int32Array', Int32Array.of(1, 0, 2)],
    ['Uint32Array', Uint32Array.of(1, 0, 2)],
    ['BigInt64Array', BigInt64Array.of(1n, 0n, 2n)],
    ['BigUint64Array', BigUint64Array.of(1n, 0n, 2n)],
  ])('takes labels as %s', (_, labels) => {
    expect(Array.from(encodeLabels(labels, identityMatrix(3)))).toEqual([0, 1, 0, 1, 0, 0, 0, 0, 1]);
  });

  it.each([3, 20_000])('fault 36: leaves `into` untouched when label %i is bad', (bad) => {
    const labels = new Int32Array(30_000);
    labels[bad] = 10;
    const buffer = labelBuffer(labels.length, 10).fill(7);
    expect(() => encodeLabels(labels, identityMatrix(10), buffer)).toThrow(
      `labels[${bad}] is 10; expected an integer from 0 to 9 (10 classes)`,
    );
    expect(buffer.every((value) => value === 7)).toBe(true);
  });
});
