import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/graph/graph.js';
import { Graph } from '../../src/graph/graph.js';
import type { Shape } from '../../src/graph/tensor.js';
import { dropout, dropoutMaskOperation } from '../../src/operations/dropout.js';
import { item, type NdArray, total } from './reference/array.js';
import { run } from './session.js';

interface Draw {
  readonly key: number;
  readonly stream: number;
}

/** Masks as 0 and 1, computed by ONNX Runtime in one session. */
async function draw(shape: Shape, rate: number, draws: readonly Draw[]): Promise<(readonly number[])[]> {
  const graph = new Graph();
  const feeds = new Map<Tensor, NdArray>();
  const outputs = draws.flatMap(({ key, stream }, i) => {
    const input = graph.input(`key${i}`, [], 'int64');
    feeds.set(input, { shape: [], type: 'int64', data: [key] });
    return graph.apply(dropoutMaskOperation, [input], { shape, rate, stream });
  });
  const kept = Math.fround(1 / (1 - rate));
  return (await run(graph, outputs, feeds)).map(({ data }) =>
    data.map((value) => {
      if (value !== 0 && value !== kept) expect.fail(`${value} is neither 0 nor ${kept}`);
      return value === 0 ? 0 : 1;
    }),
  );
}

/** How far a correlation of two masks is from 0, in standard deviations of independent ones. */
function dependence(a: readonly number[], b: readonly number[], rate: number): number {
  const count = Math.min(a.length, b.length);
  const covariance = total(count, (i) => (item(a, i) - (1 - rate)) * (item(b, i) - (1 - rate))) / count;
  return Math.abs(covariance / (rate * (1 - rate))) * Math.sqrt(count);
}

// Chances of a false alarm: 1 in 15,000 for each comparison with 4 standard deviations. Nothing here is drawn anew.
const LIMIT = 4;
const SHAPE = [256, 256];
const COUNT = 256 * 256;

describe.each([0.1, 0.5, 0.9])('masks of rate %d', (rate) => {
  const keys = [0, 1, 2, 3, 4, 5, 999_999, 1_000_000];
  const masks = draw(SHAPE, rate, [
    ...keys.map((key) => ({ key, stream: 0 })),
    ...keys.map((key) => ({ key, stream: 1 })),
  ]);

  it('drop as many as they should', async () => {
    for (const mask of await masks) {
      const surplus = total(COUNT, (i) => item(mask, i) - (1 - rate)) / Math.sqrt(COUNT * rate * (1 - rate));
      expect(Math.abs(surplus)).toBeLessThan(LIMIT);
    }
  });

  it('do not know their neighbours: beside, a few away, below', async () => {
    for (const mask of await masks) {
      for (const distance of [1, 2, 3, 4, 8, 255, 256, 257, 512]) {
        expect(dependence(mask, mask.slice(distance), rate), `distance ${distance}`).toBeLessThan(LIMIT);
      }
    }
  });

  it('of three neighbours have every pattern as often as it should be', async () => {
    for (const mask of await masks) {
      const triples = Math.floor(COUNT / 3);
      const counts = Array.from({ length: 8 }, () => 0);
      for (let t = 0; t < triples; t++) {
        const pattern = item(mask, 3 * t) * 4 + item(mask, 3 * t + 1) * 2 + item(mask, 3 * t + 2);
        counts[pattern] = item(counts, pattern) + 1;
      }
      const chiSquare = total(8, (pattern) => {
        const kept = [1, 2, 4].filter((bit) => (pattern & bit) !== 0).length;
        const expected = triples * (1 - rate) ** kept * rate ** (3 - kept);
        return (item(counts, pattern) - expected) ** 2 / expected;
      });
      expect(chiSquare).toBeLessThan(29.9); // 7 degrees of freedom, 1 in 10,000
    }
  });

  it('of different keys and streams have nothing in common', async () => {
    for (const [i, a] of (await masks).entries()) {
      for (const b of (await masks).slice(i + 1)) {
        expect(dependence(a, b, rate)).toBeLessThan(LIMIT);
        expect(dependence(a.slice(1), b, rate), 'moved by one').toBeLessThan(LIMIT);
      }
    }
  });
});

describe('over many steps', () => {
  it('every element is dropped as often as chance would have it', async () => {
    const [steps, rate, size] = [200, 0.5, 1024];
    const masks = await draw(
      [size],
      rate,
      Array.from({ length: steps }, (_, key) => ({ key, stream: 0 })),
    );
    const surplus = Array.from({ length: size }, (_, i) => total(steps, (s) => item(item(masks, s), i)) - steps * rate);
    // Σ surplus² / variance is chi-square with `size` degrees of freedom, of standard deviation √(2·size).
    const chiSquare = total(size, (i) => item(surplus, i) ** 2) / (steps * rate * (1 - rate));
    expect(Math.abs(chiSquare - size) / Math.sqrt(2 * size)).toBeLessThan(LIMIT);
    for (const lag of [1, 2, 3]) {
      for (const element of [0, 1, 2, 511, 1023]) {
        const history = masks.map((mask) => item(mask, element));
        expect(dependence(history, history.slice(lag), rate)).toBeLessThan(LIMIT);
      }
    }
  });
});

describe('dropout', () => {
  it('has a stream of its own for every node, so that two layers of one step drop different elements', async () => {
    const graph = new Graph();
    const [x, key] = [graph.input('x', [64]), graph.input('key', [], 'int64')];
    const outputs = [dropout(x, 0.5, key), graph.scope('second', () => dropout(x, 0.5, key))];
    const feeds = new Map<Tensor, NdArray>([
      [x, { shape: [64], type: 'float32', data: Array.from({ length: 64 }, () => 1) }],
      [key, { shape: [], type: 'int64', data: [1] }],
    ]);
    const [a, b] = await run(graph, outputs, feeds);
    expect(a?.data).not.toEqual(b?.data);
    expect(outputs.map(({ name }) => name)).toEqual(['dropout/mul', 'second/dropout/mul']);
  });

  it('drops the same elements for the same key, whatever the batch around them computes', async () => {
    const once = await draw([3, 5], 0.5, [{ key: 42, stream: 0 }]);
    const again = await draw([3, 5], 0.5, [
      { key: 7, stream: 2 },
      { key: 42, stream: 0 },
    ]);
    expect(again[1]).toEqual(once[0]);
  });
});
