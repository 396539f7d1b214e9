import { describe, expect, it } from 'vitest';
import { externalAttention, multiHeadAttention } from '../../src/layers/index.js';
import {
  buildNetwork,
  compile,
  firstValues,
  type InputData,
  largestDifference,
  noise,
  resultOf,
} from '../network/run.js';

const [BATCH, TOKENS, FEATURES, HEADS, MEMORY] = [2, 5, 6, 2, 7];
const WIDTH = FEATURES / HEADS;

/*
 * The reference: plain loops in float64 over matrices as arrays of rows.
 */

type Matrix = number[][];

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const at = (values: ArrayLike<number>, i: number) => values[i] ?? Number.NaN;
const cell = (matrix: Matrix, i: number, j: number) => at(matrix[i] ?? [], j);
const transposed = (a: Matrix): Matrix => range(a[0]?.length ?? 0).map((j) => a.map((_, i) => cell(a, i, j)));
const columns = (a: Matrix, from: number, count: number): Matrix => a.map((row) => row.slice(from, from + count));
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function product(a: Matrix, b: Matrix): Matrix {
  return a.map((_, i) =>
    range(b[0]?.length ?? 0).map((j) => sumOf(range(b.length).map((k) => cell(a, i, k) * cell(b, k, j)))),
  );
}

function matrix(values: ArrayLike<number>, rows: number, width: number, start = 0): Matrix {
  return range(rows).map((i) => range(width).map((j) => at(values, start + i * width + j)));
}

function softmaxRows(a: Matrix): Matrix {
  return a.map((row) => {
    const powers = row.map((value) => Math.exp(value));
    return powers.map((power) => power / sumOf(powers));
  });
}

/** The tokens of every instance through `attend`, one after the other. */
function overBatch(values: InputData, attend: (x: Matrix, weight: (name: string, width: number) => Matrix) => Matrix) {
  const floats = (name: string) => {
    const found = values[name];
    if (!(found instanceof Float32Array)) throw new Error(`no ${name}`);
    return found;
  };
  const weight = (name: string, width: number) =>
    matrix(floats(`attention/${name}`), floats(`attention/${name}`).length / width, width);
  return range(BATCH).flatMap((n) =>
    attend(matrix(floats('input'), TOKENS, FEATURES, n * TOKENS * FEATURES), weight).flat(),
  );
}

const plus = (a: Matrix, bias: Matrix): Matrix => a.map((row) => row.map((value, j) => value + cell(bias, 0, j)));

describe('multiHeadAttention', () => {
  it('is softmax(q·kᵀ/√d)·v in every head', async () => {
    const { network, y } = buildNetwork('inference', [BATCH, TOKENS, FEATURES], (n, x) =>
      multiHeadAttention(n, x, { name: 'attention', heads: HEADS }),
    );
    const values = { ...firstValues(network), input: noise(BATCH * TOKENS * FEATURES, 'x').map((value) => 3 * value) };
    const result = resultOf(await (await compile(network.graph, { y }))(values), 'y');

    const expected = overBatch(values, (x, weight) => {
      const qkv = plus(product(x, weight('qkv/weight', 3 * FEATURES)), weight('qkv/bias', 3 * FEATURES));
      const heads = range(HEADS).map((head) => {
        const part = (index: number) => columns(qkv, index * FEATURES + head * WIDTH, WIDTH);
        const scores = product(part(0), transposed(part(1)));
        return product(softmaxRows(scores.map((row) => row.map((score) => score / Math.sqrt(WIDTH)))), part(2));
      });
      const joined = x.map((_, t) => heads.flatMap((head) => head[t] ?? []));
      return plus(product(joined, weight('projection/weight', FEATURES)), weight('projection/bias', FEATURES));
    });
    expect(largestDifference(result, expected)).toBeLessThan(1e-5);
  });

  it('asks for features that the heads can share', () => {
    const build = () =>
      buildNetwork('inference', [2, 5, 6], (n, x) => multiHeadAttention(n, x, { name: 'attention', heads: 4 }));
    expect(build).toThrow(
      'attention: expected tokens [N, T, features] with features a multiple of 4 heads, received [2, 5, 6]',
    );
  });
});

describe('externalAttention', () => {
  it('normalises over the tokens, then over the memory', async () => {
    const { network, y } = buildNetwork('inference', [BATCH, TOKENS, FEATURES], (n, x) =>
      externalAttention(n, x, { name: 'attention', heads: HEADS, memory: MEMORY }),
    );
    const values = { ...firstValues(network), input: noise(BATCH * TOKENS * FEATURES, 'x').map((value) => 3 * value) };
    const result = resultOf(await (await compile(network.graph, { y }))(values), 'y');

    const expected = overBatch(values, (x, weight) => {
      const query = product(x, weight('query/weight', FEATURES));
      const heads = range(HEADS).map((head) => {
        const scores = product(columns(query, head * WIDTH, WIDTH), weight('keys/weight', MEMORY));
        const overTokens = transposed(softmaxRows(transposed(scores)));
        const share = overTokens.map((row) => row.map((value) => value / sumOf(row)));
        return product(share, weight('values/weight', WIDTH));
      });
      const joined = x.map((_, t) => heads.flatMap((head) => head[t] ?? []));
      return plus(product(joined, weight('projection/weight', FEATURES)), weight('projection/bias', FEATURES));
    });
    expect(largestDifference(result, expected)).toBeLessThan(1e-5);
  });
});
