import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnhancementEncoder, lookAhead, type Rate, type RateContext, steadyPush } from '../src/index.js';
import { expectEvery, expectSame, type Outputs, outputs, permutation, permuted } from './arbitraries.js';

/** What a rate sees in the last of some updates with the same observation. */
function contextOf({ classes, labels, probabilities }: Outputs, updates = 1): RateContext {
  const seen: RateContext[] = [];
  const updatingRate: Rate = (context) => {
    seen.push(context);
    return 1;
  };
  const encoder = new EnhancementEncoder({ classes, updatingRate });
  for (let t = 0; t < updates; t++) {
    encoder.observe(labels, probabilities);
    encoder.update();
  }
  const last = seen.at(-1);
  if (last === undefined) throw new Error('no update');
  return last;
}

/** Two classes; instances of class p have these probabilities of it. */
function twoClasses(...own: readonly [readonly number[], readonly number[]]): Outputs {
  const [first, second] = own;
  return {
    classes: 2,
    labels: [...first.map(() => 0), ...second.map(() => 1)],
    probabilities: Float32Array.from([...first.flatMap((y) => [y, 1 - y]), ...second.flatMap((y) => [1 - y, y])]),
  };
}

/** An encoder that updates some times with the same observation. */
function updated({ classes, labels, probabilities }: Outputs, rates: object, updates: number): EnhancementEncoder {
  const encoder = new EnhancementEncoder({ classes, ...rates });
  for (let t = 0; t < updates; t++) {
    encoder.observe(labels, probabilities);
    encoder.update();
  }
  return encoder;
}

const AUTO = { enhancementRate: 'auto', updatingRate: 'auto' } as const;

describe('what a rate sees', () => {
  it('counts, and the sample variance of the probability of the true class', () => {
    const { observedCounts, ownVariance } = contextOf(twoClasses([0.25, 0.75, 0.5], [0.5]));
    expect(Array.from(observedCounts)).toEqual([3, 1]);
    expect(ownVariance[0]).toBeCloseTo(0.0625, 14); // (0.25² + 0.25² + 0)/2
    expect(ownVariance[1]).toBeNaN();
  });

  it('the rates before, and none in the first epoch', () => {
    const seen: unknown[] = [];
    const enhancementRate: Rate = ({ epoch, previousRates }) => {
      seen.push(previousRates);
      return [epoch, 2];
    };
    const encoder = updated(twoClasses([0.5], [0.5]), { enhancementRate, updatingRate: 0.5 }, 2);
    expect(seen).toEqual([undefined, { enhancementRate: [0, 2], updatingRate: 0.5 }]);
    expect(encoder.rates).toEqual({ enhancementRate: [1, 2], updatingRate: 0.5 });
    expect(new EnhancementEncoder({ classes: 2 }).rates).toBeUndefined();
  });

  it('copies: a rate that changes them changes nothing', () => {
    const untidy: Rate = (context) => {
      context.gains.fill(1);
      context.normalisedSoftConfusion.fill(0);
      context.observedCounts.fill(0);
      return 2;
    };
    const measured = twoClasses([0.25, 1], [0.5]);
    const [plain, changed] = [2, untidy].map((enhancementRate) =>
      updated(measured, { enhancementRate, updatingRate: 'auto' }, 2),
    );
    expectSame(changed?.generatorMatrix ?? [], plain?.generatorMatrix ?? [0]);
  });
});

describe('steady push', () => {
  it('divides ρ by the mean loss of the classes: 0.5 if left out', () => {
    const context = contextOf(twoClasses([1], [0.5, 0.5])); // loses 0 and 0.5: 0.25 on average
    expect(steadyPush()(context)).toBe(2);
    expect(steadyPush({ push: 0.25 })(context)).toBe(1);
    expect(steadyPush({ push: 0 })(context)).toBe(0);
  });

  it('leaves out classes that were not measured', () => {
    expect(steadyPush()(contextOf({ classes: 3, labels: [0], probabilities: Float32Array.of(0.5, 0.5, 0) }))).toBe(1);
  });

  it('has an ε of at most 30, also where nothing is lost', () => {
    const almost = twoClasses([1 - 2 ** -10], [1]);
    expect(steadyPush()(contextOf(almost))).toBe(30);
    const perfect = steadyPush()(contextOf(twoClasses([1], [1])));
    expect(perfect).toBeGreaterThan(0);
    expect(perfect).toBeLessThanOrEqual(30);
  });

  it('adds ρ to the diagonal on average, however much is lost', () => {
    fc.assert(
      fc.property(outputs(30), fc.double({ min: 0, max: 2, noNaN: true }), (measured, push) => {
        const encoder = updated(measured, { enhancementRate: steadyPush({ push }), updatingRate: 1 }, 1);
        if (encoder.rates?.enhancementRate === 30) return;
        const { classes, observedCounts, generatorMatrix } = encoder;
        const added = [...observedCounts.keys()]
          .filter((p) => (observedCounts[p] ?? 0) > 0)
          .map((p) => (generatorMatrix[p * classes + p] ?? Number.NaN) - 1);
        const mean = added.reduce((sum, value) => sum + value, 0) / added.length;
        expect(Math.abs(mean - push)).toBeLessThan(1e-5 * (1 + push));
      }),
    );
  });
});

describe('look-ahead', () => {
  const seen = (normalised: readonly number[], before?: number): RateContext => ({
    ...contextOf(twoClasses([1], [1])),
    normalisedSoftConfusion: Float64Array.from(normalised),
    previousRates: before === undefined ? undefined : { enhancementRate: before, updatingRate: 1 },
  });

  it('takes the ε with the lowest bound on the balanced log-loss, shifting no logit by more than 1', () => {
    // S'(I − S') = [[0, 0], [−1/4, 1/4]]: the loss of the second class falls by log(½·e^(−ε/2) + ½), and ε/4 ≤ 1 leaves 3.
    expect(lookAhead(seen([1, 0, 0.5, 0.5]))).toBe(3);
    // [[0, 0], [−0.09, 0.09]]: ε ≤ 11
    expect(lookAhead(seen([1, 0, 0.1, 0.9]))).toBe(10);
    // [[0, 0], [−0.0099, 0.0099]]: ε ≤ 101
    expect(lookAhead(seen([1, 0, 0.01, 0.99]))).toBe(30);
  });

  it('pushes nothing where a class would be pushed away by the one that it is taken for', () => {
    // Row 2 of S'(I − S') is 0.1·(e_2 − (0.9, 0.1)) + 0.9·(e_1 − (0.6, 0.4)) = (0.27, −0.27): more of the first class for the second.
    // For the first it is 0.6·(0.4, −0.4) + 0.4·(−0.9, 0.9) = (−0.12, 0.12), the wrong way, too.
    expect(lookAhead(seen([0.6, 0.4, 0.9, 0.1]))).toBe(0);
  });

  it('pushes nothing where nothing is lost, or nothing is known', () => {
    expect(lookAhead(seen([1, 0, 0, 1]))).toBe(0);
    expect(lookAhead(seen([0.5, 0.5, 0.5, 0.5]))).toBe(0);
    expect(lookAhead(seen([0.9, 0.1, 0.9, 0.1]))).toBe(0);
  });

  it('pushes labels by no more than 1 on average, however little that would shift', () => {
    // S'(I − S') is ±0.00495, which ε = 30 would shift by 0.15; but half is lost: ε ≤ 2.
    expect(lookAhead(seen([0.505, 0.495, 0.495, 0.505]))).toBe(1);
  });

  it('goes half of the way from the ε before', () => {
    expect(lookAhead(seen([1, 0, 0.5, 0.5], 10))).toBe(6.5);
    expect(lookAhead(seen([1, 0, 0, 1], 10))).toBe(5);
  });

  it('leaves out classes that were not measured', () => {
    const rows = [...[1, 0, 0], ...[0.5, 0.5, 0], ...[Number.NaN, Number.NaN, Number.NaN]];
    expect(lookAhead({ ...seen(rows), classes: 3 })).toBe(3);
  });
});

describe('μ by noise', () => {
  it('is the gain of a Kalman filter', () => {
    // Four alike of one half: R = 0.25/16 = 1/64; P = 1/4 at first, so K = 16/17.
    // Then P = 1/68, and d is −1/34 after −1/2: V = 1/68 + 1/68, K = 64/98.
    const measured = twoClasses([0.5, 0.5, 0.5, 0.5], [1]);
    expect(contextOf(measured, 1).gains[0]).toBeCloseTo(16 / 17, 14);
    expect(contextOf(measured, 2).gains[0]).toBeCloseTo(32 / 49, 14);
  });

  it('is near 1 for hundreds of instances that move, and small for five that disagree', () => {
    const encoder = new EnhancementEncoder({ classes: 2, ...AUTO });
    const gains: number[][] = [];
    for (let epoch = 0; epoch < 12; epoch++) {
      const own = 0.3 + 0.05 * epoch;
      const many = Array.from({ length: 400 }, (_, i) => own + (i % 2 === 0 ? 0.1 : -0.1));
      const few = [0.9, 0.1, 0.95, 0.05, 0.5 + 0.01 * (epoch % 2)];
      const { labels, probabilities } = twoClasses(many, few);
      encoder.observe(labels, probabilities);
      encoder.update();
      const { updatingRate = [] } = encoder.rates ?? {};
      gains.push(Array.isArray(updatingRate) ? updatingRate : []);
    }
    const [many = 0, few = 1] = gains.at(-1) ?? [];
    expect(many).toBeGreaterThan(0.9);
    expect(few).toBeLessThan(0.2);
  });

  it('averages what swings to and fro, however far', () => {
    const encoder = new EnhancementEncoder({ classes: 2, ...AUTO });
    for (let epoch = 0; epoch < 20; epoch++) {
      const own = epoch % 2 === 0 ? 0.2 : 0.9;
      const { labels, probabilities } = twoClasses([own, own, own, own, own], [1]);
      encoder.observe(labels, probabilities);
      encoder.update();
    }
    const { updatingRate = [] } = encoder.rates ?? {};
    expect(Array.isArray(updatingRate) && updatingRate[0]).toBeLessThan(0.15);
  });

  it('notices when a class that was still begins to move', () => {
    const encoder = new EnhancementEncoder({ classes: 2, ...AUTO });
    const gainOf = (own: number) => {
      const { labels, probabilities } = twoClasses([own, own, own, own, own], [1]);
      encoder.observe(labels, probabilities);
      encoder.update();
      const { updatingRate = [] } = encoder.rates ?? {};
      return Array.isArray(updatingRate) ? updatingRate[0] : Number.NaN;
    };
    let still = 1;
    for (let epoch = 0; epoch < 15; epoch++) still = gainOf(0.1);
    gainOf(0.9);
    expect(gainOf(0.9)).toBeGreaterThan(2 * still);
  });

  it('lies between 0 and 1, and is 0 for classes without instances', () => {
    fc.assert(
      fc.property(outputs(30), fc.integer({ min: 1, max: 6 }), (measured, updates) => {
        const { gains, observedCounts } = contextOf(measured, updates);
        expectEvery(gains, 1, (gain, p) => (observedCounts[p] === 0 ? gain === 0 : gain > 0 && gain < 1));
      }),
    );
  });
});

describe('an encoder whose rates are automatic', () => {
  it('keeps rows at sum 1, the diagonal at 1 or more, the rest at 0 or less', () => {
    fc.assert(
      fc.property(outputs(40), fc.integer({ min: 1, max: 5 }), (measured, updates) => {
        const { classes, generatorMatrix } = updated(measured, AUTO, updates);
        expectEvery(generatorMatrix, classes, (g, p, q) => (p === q ? g >= 1 - 1e-4 : g <= 0));
        for (let p = 0; p < classes; p++) {
          const sum = generatorMatrix.subarray(p * classes, (p + 1) * classes).reduce((a, b) => a + b);
          expect(Math.abs(sum - 1)).toBeLessThan(1e-3);
        }
      }),
    );
  });

  it.each([
    ['auto', AUTO],
    ['look-ahead', { enhancementRate: lookAhead, updatingRate: 'auto' }],
  ])('%s: knows no order of classes', (_, rates) => {
    fc.assert(
      fc.property(outputs(20), fc.integer(), (measured, seed) => {
        const { classes } = measured;
        const to = permutation(classes, seed);
        const after = updated(permuted(measured, to), rates, 3).generatorMatrix;
        // Sums over classes are the same but for their last digits.
        expectEvery(updated(measured, rates, 3).generatorMatrix, classes, (g, p, q) => {
          return Math.abs(g - (after[(to[p] ?? 0) * classes + (to[q] ?? 0)] ?? Number.NaN)) < 1e-9;
        });
      }),
    );
  });

  it('observes in any number of calls, bit for bit', () => {
    const { labels, probabilities } = twoClasses([0.3, 0.7, 0.9], [0.1, 0.6]);
    const whole = updated(twoClasses([0.3, 0.7, 0.9], [0.1, 0.6]), AUTO, 3);
    const parts = new EnhancementEncoder({ classes: 2, ...AUTO });
    for (let epoch = 0; epoch < 3; epoch++) {
      for (const [i, label] of labels.entries()) parts.observe([label], probabilities.slice(2 * i, 2 * i + 2));
      parts.update();
    }
    expect(parts.toJSON()).toEqual(whole.toJSON());
  });

  it('fault 4: goes on from JSON, without its rates, exactly as it would have', () => {
    fc.assert(
      fc.property(outputs(20), outputs(20), fc.nat({ max: 4 }), fc.boolean(), (measured, later, epochs, midway) => {
        const { classes, labels, probabilities } = measured;
        const encoder = updated(measured, AUTO, epochs);
        if (midway) encoder.observe(labels, probabilities);
        const restored = EnhancementEncoder.fromJSON(JSON.parse(JSON.stringify(encoder)));
        expect(restored.toJSON()).toEqual(encoder.toJSON());
        const next = later.classes === classes ? later : measured;
        for (const one of [encoder, restored]) {
          one.observe(next.labels, next.probabilities);
          one.update();
        }
        expect(restored.toJSON()).toEqual(encoder.toJSON());
      }),
      { numRuns: 50 },
    );
  });
});

describe('a file of version 1', () => {
  const saved = {
    format: 'evenhand-encoder',
    version: 1,
    classNames: ['a', 'b'],
    enhancementRate: 3,
    updatingRate: 0.1,
    part: 'full',
    epoch: 1,
    generatorMatrix: [1, 0, -0.15, 1.15],
    softConfusionMatrix: [1, 0, 0.5, 0.5],
    observedCounts: [1, 1],
    staleClasses: [],
    updated: true,
  };

  it('is read, and goes on as it did', () => {
    const restored = EnhancementEncoder.fromJSON(saved);
    expect(restored.toJSON()).toMatchObject({ ...saved, version: 2, rates: null });
    restored.observe([0, 1], [1, 0, 0.5, 0.5]);
    restored.update();
    // 1.15 + 0.1·(2.5 − 1.15)
    expect(restored.generatorMatrix[3]).toBeCloseTo(1.285, 14);
  });

  it('that was saved in the middle of a measurement goes on as if the instances of a class were alike', () => {
    const midway = EnhancementEncoder.fromJSON({ ...saved, observedCounts: [1, 2], updated: false });
    expect(midway.toJSON().ownSquares).toEqual([1, 0.125]); // 0.5²/2
  });

  it('that is damaged is refused', () => {
    expect(() => EnhancementEncoder.fromJSON({ ...saved, observedCounts: 'none' })).toThrow('json.observedCounts');
    expect(() => EnhancementEncoder.fromJSON({ ...saved, classNames: 7 })).toThrow('json.classNames is 7');
  });
});

it('constant rates per class are kept as they were given, and saved', () => {
  const updatingRate = [0.5, 1];
  const encoder = new EnhancementEncoder({ classes: 2, enhancementRate: Float64Array.of(1, 2), updatingRate });
  updatingRate[0] = 0;
  encoder.observe([0, 1], [0.5, 0.5, 0.5, 0.5]);
  encoder.update();
  expect(Array.from(encoder.generatorMatrix)).toEqual([1.25, -0.25, -1, 2]);
  const restored = EnhancementEncoder.fromJSON(JSON.parse(JSON.stringify(encoder)));
  expect(restored.toJSON()).toMatchObject({ enhancementRate: [1, 2], updatingRate: [0.5, 1] });
});
