import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classCounts, confusionMatrix, softConfusionMatrix } from '../src/index.js';
import {
  entry,
  expectEvery,
  expectSame,
  type Outputs,
  outputs,
  permutation,
  permuted,
  softmaxRows,
  uniform,
} from './arbitraries.js';

/** The paper's equation, literally: Lᵀ·Y with the one-hot L built. */
function oneHotProduct(labels: readonly number[], values: ArrayLike<number>, classes: number): Float64Array {
  const product = new Float64Array(classes * classes);
  for (let p = 0; p < classes; p++) {
    for (let q = 0; q < classes; q++) {
      product[p * classes + q] = labels.reduce(
        (sum, l, i) => sum + (l === p ? 1 : 0) * entry(values, classes, i, q),
        0,
      );
    }
  }
  return product;
}

describe('soft-confusion matrix', () => {
  it('is LᵀY', () => {
    fc.assert(
      fc.property(outputs(), ({ classes, labels, probabilities }) => {
        const soft = softConfusionMatrix(labels, probabilities, classes);
        expectSame(soft, oneHotProduct(labels, probabilities, classes));
      }),
      { numRuns: 40 },
    );
  });

  it('is the same, bit for bit, in one call or in chunks', () => {
    fc.assert(
      fc.property(outputs(), fc.nat(), ({ classes, labels, probabilities }, at) => {
        const cut = at % (labels.length + 1);
        const chunks = softConfusionMatrix(labels.slice(0, cut), probabilities.slice(0, cut * classes), classes);
        softConfusionMatrix(labels.slice(cut), probabilities.slice(cut * classes), classes, chunks);
        expectSame(chunks, softConfusionMatrix(labels, probabilities, classes));
      }),
    );
  });

  it('sums each row to the number of instances of its class', () => {
    fc.assert(
      fc.property(outputs(), ({ classes, labels, probabilities }) => {
        const soft = softConfusionMatrix(labels, probabilities, classes);
        for (const [p, count] of classCounts(labels, classes).entries()) {
          const sum = soft.subarray(p * classes, (p + 1) * classes).reduce((a, b) => a + b, 0);
          expect(sum).toBeCloseTo(count, 3);
        }
      }),
    );
  });

  it('knows no order of classes', () => {
    fc.assert(
      fc.property(outputs(60), fc.integer(), (measured, seed) => {
        const to = permutation(measured.classes, seed);
        const matrix = (of: Outputs) => softConfusionMatrix(of.labels, of.probabilities, of.classes);
        const after = matrix(permuted(measured, to));
        expectEvery(matrix(measured), measured.classes, (s, p, q) =>
          Object.is(s, entry(after, measured.classes, to[p] ?? 0, to[q] ?? 0)),
        );
      }),
    );
  });

  it('sums in float64 whatever the probabilities are, of any kind of labels', () => {
    fc.assert(
      fc.property(outputs(), ({ classes, labels, probabilities }) => {
        const soft = softConfusionMatrix(labels, probabilities, classes);
        expectSame(softConfusionMatrix(Int32Array.from(labels), Float64Array.from(probabilities), classes), soft);
        expectSame(softConfusionMatrix(Uint8Array.from(labels), Array.from(probabilities), classes), soft);
      }),
    );
  });

  it('takes −0 for the probability that it is', () => {
    expect(Array.from(softConfusionMatrix([0, 0], [1, -0, -0, 1], 2))).toEqual([1, 1, 0, 0]);
  });

  it.each([0, 50, 39_999])('fault 36: leaves `into` as it was when row %i is bad', (badRow) => {
    const classes = 10;
    const random = uniform(1);
    const labels = Uint8Array.from({ length: 40_000 }, () => Math.floor(random() * classes));
    const good = softmaxRows(labels.length, classes, 1, random);
    const into = softConfusionMatrix(labels, good, classes);
    const before = into.slice();
    for (const [value, message] of [
      [
        -0.25,
        `probabilities[${badRow * classes + 7}] (row ${badRow}, class 7) is -0.25; expected a probability from 0 to 1`,
      ],
      [
        Number.NaN,
        `probabilities[${badRow * classes + 7}] (row ${badRow}, class 7) is NaN; expected a probability from 0 to 1`,
      ],
      [1.5, `probabilities row ${badRow} sums to`],
    ] as const) {
      const bad = good.slice();
      bad[badRow * classes + 7] = value;
      expect(() => softConfusionMatrix(labels, bad, classes, into)).toThrow(message);
      expect(() => softConfusionMatrix(labels, Float64Array.from(bad), classes, into)).toThrow(message);
      expectSame(into, before);
    }
  });
});

describe('confusion matrix', () => {
  it('is LᵀY′ with Y′ one at the largest score, the lowest index of equals', () => {
    fc.assert(
      fc.property(outputs(30), fc.integer({ min: 1, max: 4 }), ({ classes, labels, probabilities }, levels) => {
        const scores = Float64Array.from(probabilities, (y) => Math.round(y * levels)); // many ties
        const decided = new Float64Array(scores.length);
        for (let i = 0; i < labels.length; i++) {
          const row = Array.from(scores.subarray(i * classes, (i + 1) * classes));
          decided[i * classes + row.indexOf(Math.max(...row))] = 1;
        }
        expectSame(confusionMatrix(labels, scores, classes), oneHotProduct(labels, decided, classes));
      }),
    );
  });

  it('accumulates', () => {
    const first = confusionMatrix([0, 1], [0.9, 0.1, 0.8, 0.2], 2);
    expect(Array.from(confusionMatrix([1], [0, 1], 2, first))).toEqual([1, 0, 1, 1]);
  });
});
