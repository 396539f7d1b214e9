import { seededRandom } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersOf, thresholdOf } from '../../src/decision/answer-rule.js';
import { fitAnswers } from '../../src/decision/fit-answers.js';
import type { FittingOptions } from '../../src/decision/fitting-rows.js';
import type { Objective } from '../../src/decision/objective.js';
import { confusionMetrics } from '../../src/evaluation/confusion-metrics.js';
import { sparseConfusion } from '../../src/evaluation/sparse-confusion.js';
import { type SimulatedOutputs, simulateOutputs } from '../evaluation/simulated-outputs.js';
import { naturalOutputs, renamed, repeated } from './natural-outputs.js';

const COSTS = [
  [0, 1, 3],
  [4, 0, 2],
  [30, 20, 0],
];

type Goodness = (confusion: Float64Array, classes: number) => number;

const GOODNESS: Readonly<Record<string, Goodness>> = {
  'balanced-accuracy': (confusion, classes) =>
    confusionMetrics(sparseConfusion(confusion, classes), []).balancedAccuracy,
  'macro-f1': (confusion, classes) => confusionMetrics(sparseConfusion(confusion, classes), []).macroF1,
  accuracy: (confusion, classes) => confusionMetrics(sparseConfusion(confusion, classes), []).accuracy,
};
const WORDS = ['balanced-accuracy', 'macro-f1', 'accuracy'] as const;

function confusionOf({ labels }: SimulatedOutputs, answers: Int32Array, classes: number): Float64Array {
  const confusion = new Float64Array(classes * classes);
  for (const [i, label] of labels.entries()) {
    const cell = label * classes + (answers[i] ?? 0);
    confusion[cell] = (confusion[cell] ?? 0) + 1;
  }
  return confusion;
}

/** What offsets come to. */
function reached(outputs: SimulatedOutputs, offsets: readonly number[], goodness: Goodness): number {
  const classes = offsets.length;
  const answers = answersOf({ kind: 'offsets', offsets }, outputs.probabilities, classes);
  return goodness(confusionOf(outputs, answers, classes), classes);
}

function fit(objective: Objective, { labels, probabilities }: SimulatedOutputs, options: FittingOptions = {}) {
  return fitAnswers(objective, labels, probabilities, probabilities.length / labels.length, options);
}

function offsetsOf(objective: Objective, outputs: SimulatedOutputs, options: FittingOptions = {}): readonly number[] {
  const { rule } = fit(objective, outputs, options);
  if (rule?.kind !== 'offsets') throw new Error('no offsets were fitted');
  return rule.offsets;
}

const goodnessOf = (objective: string): Goodness => GOODNESS[objective] ?? (() => Number.NaN);

describe('fitAnswers against brute force', () => {
  it.each(WORDS)('%s of two classes is as good as the best of a fine grid', (objective) => {
    const outputs = naturalOutputs([8000, 400], 1);
    const ours = reached(outputs, offsetsOf(objective, outputs), goodnessOf(objective));
    const grid = Array.from({ length: 81 }, (_, k) => (k - 40) / 8);
    const best = Math.max(...grid.map((offset) => reached(outputs, [0, offset], goodnessOf(objective))));
    expect(ours).toBeGreaterThan(best - 0.008);
  });

  it.each(WORDS)('%s of three classes is as good as the best of a random search', (objective) => {
    const outputs = naturalOutputs([5000, 1500, 300], 2);
    const ours = reached(outputs, offsetsOf(objective, outputs), goodnessOf(objective));
    const random = seededRandom(3, 'search');
    const draws = Array.from({ length: 120 }, () => [0, 6 * random() - 1, 6 * random() - 1]);
    const best = Math.max(...draws.map((offsets) => reached(outputs, offsets, goodnessOf(objective))));
    expect(ours).toBeGreaterThan(best - 0.006);
  });

  it('costs of three classes are as low as the best that offsets in a random search reach', () => {
    const outputs = naturalOutputs([5000, 1500, 300], 4);
    const cheapness: Goodness = (confusion) =>
      -COSTS.flat().reduce((sum, cost, k) => sum + cost * (confusion[k] ?? 0), 0) / outputs.labels.length;
    const { rule } = fit({ costs: COSTS }, outputs);
    const ours = cheapness(confusionOf(outputs, answersOf(rule, outputs.probabilities, 3), 3), 3);
    const random = seededRandom(5, 'search');
    const draws = Array.from({ length: 120 }, () => [0, 6 * random() - 1, 6 * random() - 1]);
    const best = Math.max(...draws.map((offsets) => reached(outputs, offsets, cheapness)));
    expect(ours).toBeGreaterThan(best + 0.02 * best);
    expect(ours).toBeGreaterThan(reached(outputs, [0, 0, 0], cheapness));
  });

  it('recall at a precision is the highest that any threshold with that precision has', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.05, max: 0.95, noNaN: true }), (seed, wanted) => {
        const outputs = naturalOutputs([60, 25, 15], seed);
        const { rule, reason } = fit({ recallAtPrecision: wanted, class: 2 }, outputs);
        if (rule?.kind !== 'threshold') throw new Error('no threshold was fitted');
        const scores = outputs.probabilities.filter((_, k) => k % 3 === 2);
        const cut = (threshold: number) => {
          const answered = [...outputs.labels].filter((_, i) => (scores[i] ?? 0) >= threshold);
          const found = answered.filter((label) => label === 2).length;
          return { precision: found / answered.length, recall: found / 15 };
        };
        const cuts = [...scores].map(cut);
        const enough = cuts.filter(({ precision }) => precision >= wanted);
        const ours = cut(rule.threshold);
        expect(reason === null).toBe(enough.length > 0);
        if (enough.length > 0) {
          expect(ours.precision).toBeGreaterThanOrEqual(wanted);
          expect(ours.recall).toBe(Math.max(...enough.map(({ recall }) => recall)));
        } else {
          expect(ours.precision).toBe(Math.max(...cuts.map(({ precision }) => precision)));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('fitAnswers', () => {
  it('for balanced accuracy makes every column of the class-normalised soft-confusion matrix sum to 1', () => {
    const counts = [9000, 3000, 1000];
    const { labels, probabilities } = naturalOutputs(counts, 6, { prior: [5, 1, 3] });
    const offsets = offsetsOf('balanced-accuracy', { labels, probabilities });
    const columns = [0, 0, 0];
    for (const [i, label] of labels.entries()) {
      const row = offsets.map((offset, q) => (probabilities[3 * i + q] ?? 0) * Math.exp(offset));
      const sum = row.reduce((a, b) => a + b, 0);
      for (const [q, value] of row.entries()) columns[q] = (columns[q] ?? 0) + value / sum / (counts[label] ?? 0);
    }
    for (const column of columns) expect(Math.abs(column - 1)).toBeLessThan(0.01);
  });

  it('keeps classes of a few rows at one shared strength of −log prior', () => {
    const prior = [5000, 400, 60, 10];
    const wobble = (rows: number) => {
      const outputs = naturalOutputs([rows, rows, rows, rows], 7, { prior });
      const offsets = offsetsOf('balanced-accuracy', outputs, { prior, classWeights: prior });
      const expected = prior.map((count) => Math.log(10 / count));
      return Math.max(...offsets.map((offset, q) => Math.abs(offset - (expected[q] ?? 0))));
    };
    expect(wobble(5)).toBeLessThan(1.2);
    expect(wobble(1000)).toBeLessThan(0.35);
  });

  it.each(WORDS)('%s of rows that were drawn class by class is good on natural data, by their weights', (objective) => {
    const natural = [20_000, 500];
    const drawn = naturalOutputs([1000, 1000], 8, { prior: natural });
    const met = naturalOutputs(natural, 9);
    const goodness = goodnessOf(objective);
    const best = reached(met, offsetsOf(objective, met), goodness);
    const weighted = offsetsOf(objective, drawn, { classWeights: natural.map((count) => count / 1000) });
    expect(reached(met, weighted, goodness)).toBeGreaterThan(best - 0.04);
    if (objective === 'balanced-accuracy') return;
    // As if the classes were as frequent as they were drawn, it is much worse.
    expect(reached(met, offsetsOf(objective, drawn), goodness)).toBeLessThan(best - 0.05);
  });

  it('another order of the classes orders the answers alike', () => {
    const order = [1, 2, 0];
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom<Objective>(...WORDS, { costs: COSTS }, { recallAtPrecision: 0.5, class: 1 }),
        (seed, objective) => {
          const outputs = naturalOutputs([80, 40, 12], seed);
          const other = renamed(outputs, order);
          const answers = answersOf(fit(objective, outputs).rule, outputs.probabilities, 3);
          const theirs = answersOf(fit(renamedObjective(objective, order), other).rule, other.probabilities, 3);
          // A row on the very edge may fall on either side of it.
          const differing = answers.filter((answer, i) => order[answer] !== theirs[i]).length;
          expect(differing).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('costs in another unit, or more for every answer to a class, change nothing', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0.25, 2, 1024), fc.integer({ min: -3, max: 9 }), (seed, unit, more) => {
        const { labels, probabilities } = naturalOutputs([60, 30, 10], seed);
        const answers = (costs: readonly (readonly number[])[]) =>
          answersOf(fitAnswers({ costs }, labels, probabilities, 3).rule, probabilities, 3);
        expect(answers(COSTS.map((row) => row.map((cost) => unit * cost)))).toEqual(answers(COSTS));
        expect(answers(COSTS.map((row, p) => row.map((cost) => (p === 1 ? cost + more : cost))))).toEqual(
          answers(COSTS),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('weights are repetitions', () => {
    const times = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer(), times, fc.constantFrom(...WORDS), (seed, weights, objective) => {
        const outputs = naturalOutputs([35, 15, 10], seed);
        const counts = [35, 15, 10];
        const weighted = offsetsOf(objective, outputs, { weights, counts });
        const same = offsetsOf(objective, repeated(outputs, weights), { counts });
        expect(weighted).toEqual(same.map((offset) => expect.closeTo(offset, 5)));
      }),
      { numRuns: 30 },
    );
  });

  it('fault 23: says so where the class of the objective has no row, and answers the likeliest class', () => {
    expect(fit({ recallAtPrecision: 0.5, class: 2 }, simulateOutputs([20, 20, 0], 1))).toEqual({
      rule: null,
      reason: 'there is no row of class 2 to fit a threshold to: the likeliest class is answered',
    });
    for (const objective of WORDS) {
      expect(offsetsOf(objective, simulateOutputs([20, 20, 0], 1)).every(Number.isFinite)).toBe(true);
    }
  });

  it('says so where no threshold reaches the precision', () => {
    const outputs = { labels: Int32Array.of(0, 0, 1), probabilities: Float64Array.of(0.2, 0.8, 0.3, 0.7, 0.4, 0.6) };
    expect(fit({ recallAtPrecision: 0.9, class: 1 }, outputs)).toEqual({
      rule: { kind: 'threshold', class: 1, threshold: 0.3 },
      reason:
        'no threshold reaches a precision of 0.9 on the rows that it is fitted to; ' +
        'the highest is 0.333, at a recall of 1.000, and its threshold is taken',
    });
  });

  it('fault 54: hundreds of classes are fitted in bounded time', () => {
    const outputs = simulateOutputs(Array<number>(300).fill(5), 1, { advantage: 4, sharpness: 4 });
    for (const objective of WORDS) expect(offsetsOf(objective, outputs)).toHaveLength(300);
  });
});

function renamedObjective(objective: Objective, order: readonly number[]): Objective {
  if (typeof objective === 'string') return objective;
  if ('recallAtPrecision' in objective) return { ...objective, class: order[objective.class] ?? 0 };
  const from = (q: number) => order.indexOf(q);
  return { costs: order.map((_, p) => order.map((__, q) => objective.costs[from(p)]?.[from(q)] ?? 0)) };
}

describe('thresholdOf', () => {
  it('is where a rule of two classes changes its answer', () => {
    const rules = fc.oneof(
      fc.record({
        kind: fc.constant('offsets' as const),
        offsets: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.constant(0)),
      }),
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([alarm, miss]) => ({
        kind: 'costs' as const,
        costs: [
          [0, alarm],
          [miss, -1],
        ],
      })),
      fc.record({
        kind: fc.constant('threshold' as const),
        class: fc.constantFrom(0, 1),
        threshold: fc.constantFrom(0.125, 0.4, 0.75),
      }),
    );
    fc.assert(
      fc.property(rules, fc.constantFrom(0, 1), (rule, positive) => {
        const threshold = thresholdOf(rule, positive);
        const answer = (p: number) => answersOf(rule, positive === 1 ? [1 - p, p] : [p, 1 - p], 2)[0];
        expect(answer(threshold + 1e-6)).toBe(positive);
        expect(answer(threshold - 1e-6)).toBe(1 - positive);
      }),
    );
  });
});
