import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prequential } from '../src/index.js';

const pairs = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 120 });

function evaluated(rows: readonly (readonly [number, number])[], options = {}): Prequential {
  const evaluation = new Prequential(options);
  for (const [label, answer] of rows) evaluation.add(label, answer);
  return evaluation;
}

describe('Prequential', () => {
  it('has, without fading, the recalls and the accuracy of all rows, and the windowed ones those of the last', () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 50 }), (rows, window) => {
        const evaluation = evaluated(rows, { fading: 1, window });
        const recallOf = (some: typeof rows, p: number) => {
          const own = some.filter(([label]) => label === p);
          return own.length === 0 ? null : own.filter(([, answer]) => answer === p).length / own.length;
        };
        for (const [metrics, some] of [
          [evaluation.faded(), rows],
          [evaluation.windowed(), rows.slice(-window)],
        ] as const) {
          for (const [p, recall] of metrics.recall.entries()) {
            const expected = recallOf(some, p);
            if (expected === null) expect(recall).toBeNull();
            else expect(recall).toBeCloseTo(expected, 12);
          }
          expect(metrics.accuracy).toBeCloseTo(some.filter(([p, q]) => p === q).length / some.length, 12);
          expect(metrics.rows).toBeCloseTo(some.length, 9);
        }
      }),
    );
  });

  it('agrees with Cohen’s κ, balanced accuracy and geometric mean by hand', () => {
    // Confusion [[3, 1], [1, 1]]: recalls 3/4 and 1/2, accuracy 4/6; by chance (4·4 + 2·2)/36 = 5/9, κ = (2/3 − 5/9)/(4/9) = 1/4.
    const rows: [number, number][] = [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ];
    const { kappa, balancedAccuracy, gMean } = evaluated(rows, { fading: 1 }).faded();
    expect(kappa).toBeCloseTo(0.25, 12);
    expect(balancedAccuracy).toBeCloseTo(0.625, 12);
    expect(gMean).toBeCloseTo(Math.sqrt(0.375), 12);
  });

  it('fades old rows by the factor', () => {
    // Weights 1/4, 1/2 and 1 of three rows of one class, of which the first is wrong: recall 1.5/1.75.
    const { recall, rows } = evaluated(
      [
        [0, 1],
        [0, 0],
        [0, 0],
      ],
      { fading: 0.5 },
    ).faded();
    expect(recall[0]).toBeCloseTo(1.5 / 1.75, 12);
    expect(rows).toBeCloseTo(1.75, 12);
  });

  it('keeps its numbers over so many rows that weights would overflow', () => {
    const evaluation = new Prequential({ fading: 0.5, window: 10 });
    for (let n = 0; n < 5000; n++) evaluation.add(n % 2, 0);
    expect(evaluation.faded().rows).toBeCloseTo(2, 9);
    expect(evaluation.faded().recall).toEqual([1, 0]);
    expect(evaluation.faded().gMean).toBe(0);
  });

  it('has no metric before there are rows, and none of a class that has none', () => {
    const empty = new Prequential().faded();
    expect([empty.accuracy, empty.balancedAccuracy, empty.gMean, empty.kappa]).toEqual([null, null, null, null]);
    expect(evaluated([[0, 2]]).faded().recall).toEqual([0, null, null]);
  });

  it('goes on from JSON to the same bits, wherever it is saved', () => {
    fc.assert(
      fc.property(pairs, fc.nat(120), (rows, cut) => {
        const options = { fading: 0.9, window: 7 };
        const whole = evaluated(rows, options);
        const resumed = Prequential.fromJSON(JSON.parse(JSON.stringify(evaluated(rows.slice(0, cut), options))));
        for (const [label, answer] of rows.slice(cut)) resumed.add(label, answer);
        expect(resumed.toJSON()).toEqual(whole.toJSON());
        expect(resumed.windowed()).toEqual(whole.windowed());
      }),
    );
  });

  it('refuses classes that are none, and options out of range', () => {
    expect(() => new Prequential().add(-1, 0)).toThrow('label is -1; expected a class index, an integer from 0');
    expect(() => new Prequential().add(0, 0.5)).toThrow('answer is 0.5; expected a class index');
    expect(() => new Prequential({ fading: 0 })).toThrow('fading is 0; expected a number above 0 and at most 1');
    expect(() => new Prequential({ window: 0 })).toThrow('window is 0; expected a positive integer');
  });
});
