import { describe, expect, it } from 'vitest';
import type { ElementType } from '../../src/graph/tensor.js';
import { FeedError } from '../../src/runtime/errors.js';
import { checkFeeds } from '../../src/runtime/feeds.js';

const scalar = (type: ElementType) => ({ feeds: [{ name: 'x', shape: [], type }], classes: 2 });

describe('checkFeeds', () => {
  const program = { feeds: [{ name: 'labels', shape: [3], type: 'int32' as const }], classes: 4 };

  it.each([-1, 4, 1000])('fault 36: refuses the label %d: ONNX would count a negative one from the end', (label) => {
    expect(() => checkFeeds(program, { labels: Int32Array.of(0, 3, label) })).toThrow(
      new FeedError(`labels[2] is ${label}; expected a class from 0 to 3`),
    );
  });

  it('takes every class', () => {
    expect(checkFeeds(program, { labels: Int32Array.of(0, 1, 3) })[0]?.data).toEqual(Int32Array.of(0, 1, 3));
  });

  it('says which feed the labels are, where rows were meant to be indices or the other way round', () => {
    const ofRows = { feeds: [{ name: 'labelRows', shape: [2, 3], type: 'float32' as const }], classes: 3 };
    expect(() => checkFeeds(ofRows, { labels: Int32Array.of(0, 1) })).toThrow(
      new FeedError(
        '"labels" is not a feed of this program; expected labelRows. It was created with labels: \'rows\': feed "labelRows", ' +
          'float32[2, 3]',
      ),
    );
    expect(() => checkFeeds(program, { labelRows: Float32Array.of(1, 0) })).toThrow(
      new FeedError(
        '"labelRows" is not a feed of this program; expected labels. It was created with labels: \'indices\': feed "labels", ' +
          'int32[3]',
      ),
    );
    expect(() => checkFeeds(ofRows, { labelRows: Int32Array.of(0, 1, 0, 0, 0, 1) })).toThrow(
      'the feed "labelRows" is an Int32Array; expected a Float32Array, for float32[2, 3]',
    );
    expect(() => checkFeeds(ofRows, { labelRows: Float32Array.of(0, 1) })).toThrow(
      'the feed "labelRows" has 2 values; expected 6, for float32[2, 3]',
    );
  });

  it('fault 36: refuses a label row with a value that is not a number', () => {
    const ofRows = { feeds: [{ name: 'labelRows', shape: [2, 3], type: 'float32' as const }], classes: 3 };
    expect(() => checkFeeds(ofRows, { labelRows: Float32Array.of(0, 1, 0, 0, Number.NaN, 1) })).toThrow(
      new FeedError('labelRows[4], output 1 of row 1, is NaN; expected a finite number'),
    );
  });

  it.each([
    ['float32', 0.5, Float32Array.of(0.5)],
    ['int64', 2 ** 40, BigInt64Array.of(2n ** 40n)],
    ['int64', -5n, BigInt64Array.of(-5n)],
    ['int32', -7, Int32Array.of(-7)],
    ['uint8', 255, Uint8Array.of(255)],
  ] as const)('makes a scalar of type %s from %s', (type, value, data) => {
    expect(checkFeeds(scalar(type), { x: value })[0]?.data).toEqual(data);
  });

  it.each([
    ['float32', 1e300, 'a finite number'],
    ['int32', 2 ** 31, 'an integer from -2147483648 to 2147483647'],
    ['uint8', -1, 'an integer from 0 to 255'],
    ['int64', 2n ** 63n, 'an integer from -9223372036854775808 to 9223372036854775807'],
    ['bool', 1, 'a Uint8Array of 0 or 1'],
  ] as const)('refuses a scalar of type %s from %s', (type, value, expected) => {
    expect(() => checkFeeds(scalar(type), { x: value })).toThrow(
      new FeedError(`the feed "x" is ${value}; expected ${expected}, for ${type}[]`),
    );
  });

  it('fault 34: does not take what every object inherits for a feed', () => {
    const inherited = { feeds: [{ name: 'toString', shape: [], type: 'float32' as const }], classes: 2 };
    expect(() => checkFeeds(inherited, {})).toThrow('the feed "toString" is missing');
  });
});
