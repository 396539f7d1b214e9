import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costMatrix,
  DEFAULT_ENHANCEMENT_RATE,
  DEFAULT_UPDATING_RATE,
  EnhancementEncoder,
  encodeLabels,
  identityMatrix,
  normaliseRows,
  type RateContext,
  softConfusionMatrix,
  updateGeneratorMatrix,
} from '../src/index.js';
import { expectSame, outputs } from './arbitraries.js';

describe('EnhancementEncoder', () => {
  it('does what the functions do, one after the other', () => {
    fc.assert(
      fc.property(outputs(50), fc.integer({ min: 1, max: 4 }), ({ classes, labels, probabilities }, epochs) => {
        const encoder = new EnhancementEncoder({ classes, enhancementRate: 5, updatingRate: 0.4 });
        let generator = identityMatrix(classes);
        const soft = softConfusionMatrix(labels, probabilities, classes);
        const counts = new Float64Array(classes);
        for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
        for (let epoch = 0; epoch < epochs; epoch++) {
          encoder.observe(labels, probabilities);
          encoder.update();
          const cost = costMatrix(normaliseRows(soft, counts));
          generator = updateGeneratorMatrix(generator, cost, { enhancementRate: 5, updatingRate: 0.4 });
        }
        expectSame(encoder.generatorMatrix, generator);
        expectSame(encoder.softConfusionMatrix, soft);
        expectSame(encoder.encode(labels), encodeLabels(labels, generator));
        expect(encoder.epoch).toBe(epochs);
      }),
      { numRuns: 50 },
    );
  });

  it('starts with one-hot labels, ε = 3 and μ = 0.1', () => {
    expect([DEFAULT_ENHANCEMENT_RATE, DEFAULT_UPDATING_RATE]).toEqual([3, 0.1]);
    const encoder = new EnhancementEncoder({ classes: 2 });
    expect(Array.from(encoder.encode([1, 0]))).toEqual([0, 1, 1, 0]);
    encoder.observe([0, 1], [1, 0, 0.5, 0.5]);
    encoder.update();
    // row 1: C = [0.5, −0.5]; G = I + 0.1·(−3·C)
    const expected = [1, 0, -0.15, 1.15];
    for (const [i, g] of encoder.generatorMatrix.entries()) expect(g).toBeCloseTo(expected[i] ?? Number.NaN, 14);
  });

  it('observes in any number of calls, and starts anew after an update', () => {
    const [whole, parts] = [0, 1].map(() => new EnhancementEncoder({ classes: 2 }));
    for (let epoch = 0; epoch < 2; epoch++) {
      whole?.observe([0, 1, 1], [0.6, 0.4, 0.3, 0.7, 0.2, 0.8]);
      whole?.update();
      parts?.observe([0, 1], [0.6, 0.4, 0.3, 0.7]);
      parts?.observe([1], [0.2, 0.8]);
      parts?.update();
    }
    expect(parts?.toJSON()).toEqual(whole?.toJSON());
    expect(Array.from(parts?.observedCounts ?? [])).toEqual([1, 2]);
  });

  it('says which rows are stale, and leaves them', () => {
    const encoder = new EnhancementEncoder({ classes: ['a', 'b', 'c'] });
    expect(encoder.staleClasses).toEqual([0, 1, 2]);
    encoder.observe([0, 2], [0.5, 0.5, 0, 0, 0.5, 0.5]);
    encoder.update();
    expect(encoder.staleClasses).toEqual([1]);
    expect(Array.from(encoder.generatorMatrix.slice(3, 6))).toEqual([0, 1, 0]);
    const rowOfC = encoder.generatorMatrix.slice(6);
    encoder.observe([0, 1], [1, 0, 0, 0, 1, 0]);
    encoder.update();
    expect(encoder.staleClasses).toEqual([2]);
    expectSame(encoder.generatorMatrix.slice(6), rowOfC);
  });

  it('gives schedules the epoch and the matrices, and uses what they return', () => {
    const seen: RateContext[] = [];
    const encoder = new EnhancementEncoder({
      classes: 2,
      enhancementRate: (context) => {
        seen.push(context);
        return context.epoch === 0 ? 0 : 2;
      },
      updatingRate: ({ normalisedSoftConfusion }) => normalisedSoftConfusion[1] ?? 0,
    });
    for (let epoch = 0; epoch < 2; epoch++) {
      encoder.observe([0, 1], [0.5, 0.5, 0.25, 0.75]);
      encoder.update();
    }
    expect(seen.map(({ epoch }) => epoch)).toEqual([0, 1]);
    expect(Array.from(seen[1]?.generatorMatrix ?? [])).toEqual([1, 0, 0, 1]); // ε was 0 in the first epoch
    expect(Array.from(encoder.generatorMatrix)).toEqual([1.5, -0.5, -0.25, 1.25]); // μ = 0.5, ε = 2
  });

  it('refuses what a schedule returns when it is no rate', () => {
    const encoder = new EnhancementEncoder({ classes: 2, enhancementRate: 1, updatingRate: () => 1.5 });
    encoder.observe([0], [0.5, 0.5]);
    const before = encoder.toJSON();
    expect(() => encoder.update()).toThrow('updatingRate is 1.5; expected a number from 0 to 1');
    expect(encoder.toJSON()).toEqual(before);
  });

  it('fault 36: changes nothing when an observation is bad', () => {
    const encoder = new EnhancementEncoder({ classes: 2 });
    encoder.observe([0], [0.5, 0.5]);
    const before = encoder.toJSON();
    expect(() => encoder.observe([0, 1], [0.5, 0.5, 0.9, 0.9])).toThrow('row 1 sums to 1.8');
    expect(() => encoder.observe([0, 2], [0.5, 0.5, 0.5, 0.5])).toThrow('labels[1] is 2');
    expect(encoder.toJSON()).toEqual(before);
  });

  it('fault 4: goes on from JSON exactly as it would have, wherever it was saved', () => {
    fc.assert(
      fc.property(
        outputs(30),
        fc.nat({ max: 5 }),
        fc.boolean(),
        ({ classes, labels, probabilities }, epochs, midway) => {
          const encoder = new EnhancementEncoder({ classes, enhancementRate: 7.1, updatingRate: 0.35, part: 'full' });
          for (let epoch = 0; epoch < epochs; epoch++) {
            encoder.observe(labels, probabilities);
            encoder.update();
          }
          if (midway) encoder.observe(labels, probabilities);
          const restored = EnhancementEncoder.fromJSON(JSON.parse(JSON.stringify(encoder)));
          expect(restored.toJSON()).toEqual(encoder.toJSON());
          for (const one of [encoder, restored]) {
            one.observe(labels, probabilities);
            one.update();
          }
          expectSame(restored.generatorMatrix, encoder.generatorMatrix);
          expect(restored.staleClasses).toEqual(encoder.staleClasses);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes schedules again when it is restored', () => {
    const schedule = ({ epoch }: RateContext) => epoch;
    const saved = new EnhancementEncoder({ classes: 2, enhancementRate: schedule }).toJSON();
    expect(() => EnhancementEncoder.fromJSON(saved)).toThrow(
      'enhancementRate was a function when the encoder was saved; give it again: fromJSON(json, { enhancementRate })',
    );
    expect(EnhancementEncoder.fromJSON(saved, { enhancementRate: schedule }).toJSON()).toEqual(saved);
  });

  it('hands out copies', () => {
    const encoder = new EnhancementEncoder({ classes: 2 });
    encoder.generatorMatrix.fill(9);
    encoder.softConfusionMatrix.fill(9);
    encoder.observedCounts.fill(9);
    expect(encoder.toJSON()).toEqual(new EnhancementEncoder({ classes: 2 }).toJSON());
  });

  it('fault 34: works with classes named like properties of objects', () => {
    const encoder = new EnhancementEncoder({ classes: ['__proto__', 'toString', 'constructor'] });
    expect(EnhancementEncoder.fromJSON(JSON.parse(JSON.stringify(encoder))).classNames).toEqual(encoder.classNames);
  });
});
