import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../src/evaluation/evaluate.js';
import { comparePaired } from '../../src/evaluation/paired-comparison.js';
import {
  compareGroups,
  measuredText,
  overRepetitions,
  repetitionsOf,
  repetitionText,
  testName,
} from '../../src/runs/compare-groups.js';
import { groupRuns } from '../../src/runs/run-groups.js';
import { evaluatedRun } from './evaluated-run.js';

interface Given {
  readonly method: 'one-hot' | 'enhancement';
  readonly split: number;
  readonly seed?: number;
  /** Of 20 test instances; 80 others train and validate. */
  readonly right: number;
}

/** A run that answers so many of its test instances rightly. */
function run({ method, split, seed = 0, right }: Given) {
  const each = right / 2;
  return evaluatedRun({
    folder: `${method}-split-${split}-seed-${seed}`,
    config: { data: { source: 'a.csv', target: 'class', splitSeed: split }, method: { name: method }, seed },
    confusion: [
      [Math.ceil(each), 10 - Math.ceil(each)],
      [10 - Math.floor(each), Math.floor(each)],
    ],
    training: [32, 32],
  });
}

function groupsOf(...given: Given[]) {
  const [theirs, ours] = groupRuns(given.map(run));
  if (theirs === undefined || ours === undefined) throw new Error('expected two groups');
  return { theirs, ours };
}

const accuracy = ({ estimates }: Evaluation) => estimates.accuracy.value;
const always = () => true;

describe('methods that were trained on several splits', () => {
  const { theirs, ours } = groupsOf(
    { method: 'one-hot', split: 0, seed: 0, right: 10 },
    { method: 'one-hot', split: 0, seed: 1, right: 12 },
    { method: 'one-hot', split: 1, seed: 0, right: 14 },
    { method: 'one-hot', split: 1, seed: 1, right: 14 },
    { method: 'one-hot', split: 2, seed: 0, right: 9 },
    { method: 'enhancement', split: 0, seed: 0, right: 14 },
    { method: 'enhancement', split: 0, seed: 1, right: 14 },
    { method: 'enhancement', split: 1, seed: 0, right: 14 },
    { method: 'enhancement', split: 1, seed: 1, right: 16 },
    { method: 'enhancement', split: 2, seed: 0, right: 14 },
    { method: 'enhancement', split: 2, seed: 1, right: 2 },
  );

  it('are compared split by split, seeds averaged first, by the corrected resampled t-test', () => {
    const comparison = compareGroups(ours, theirs, accuracy, always);
    // Split 2 has one seed in common. 20 test instances to 80 others.
    const expected = comparePaired([0.7, 0.75, 0.7], [0.55, 0.7, 0.45], { testPerTraining: 0.25 });
    if (comparison === undefined || 'reason' in comparison) throw new Error('expected a comparison');
    expect(comparison).toMatchObject({ over: 'splits', pairs: 3 });
    expect(comparison.meanDifference).toBeCloseTo(0.15, 12);
    expect(comparison.tTest.value).toBeCloseTo(expected.tTest.value ?? Number.NaN, 12);
    expect(comparison.interval?.low).toBeCloseTo(expected.interval?.low ?? Number.NaN, 12);
    expect(`${testName(comparison)} ${measuredText(comparison)}`).toBe(
      'corrected resampled t-test over 3 splits of the data',
    );
  });

  it('have means and deviations over the splits', () => {
    const found = overRepetitions(theirs, accuracy);
    expect(found?.mean).toBeCloseTo((0.55 + 0.7 + 0.45) / 3, 12);
    // Deviations from the mean: −1/60, 8/60, −7/60; the sum of their squares is 114/3600
    expect(found?.deviation).toBeCloseTo(Math.sqrt(114 / 3600 / 2), 12);
    expect(repetitionText(repetitionsOf([ours, theirs]))).toBe('3 splits of the data, 2 seeds each');
  });
});

describe('methods that were trained on one split', () => {
  it('are compared seed by seed, and the text says that the rows are the same', () => {
    const { theirs, ours } = groupsOf(
      { method: 'one-hot', split: 0, seed: 0, right: 10 },
      { method: 'one-hot', split: 0, seed: 1, right: 12 },
      { method: 'enhancement', split: 0, seed: 0, right: 14 },
      { method: 'enhancement', split: 0, seed: 1, right: 14 },
    );
    const comparison = compareGroups(ours, theirs, accuracy, always);
    expect(comparison).toEqual({ over: 'seeds', ...comparePaired([0.7, 0.7], [0.5, 0.6]) });
    expect(measuredText({ over: 'seeds', pairs: 2 })).toBe(
      'over 2 seeds on one split: how much training luck matters, not how much the rows do',
    );
    expect(repetitionText(repetitionsOf([ours, theirs]))).toBe('2 seeds on one split');
  });

  it('with one seed are told that this may be luck', () => {
    expect(measuredText({ over: 'seeds', pairs: 1 })).toBe('one seed on one split: this may be luck');
  });
});

describe('runs that make no pairs', () => {
  it.each([
    ['no split', { split: 1, seed: 0 }, always, 'they have no split in common'],
    ['no seed', { split: 0, seed: 1 }, always, 'they have no seed in common'],
    ['other test instances', { split: 0, seed: 0 }, () => false, 'they were tested with different data'],
  ])('because of %s say so', (_, other, sameTest, reason) => {
    const { theirs, ours } = groupsOf(
      { method: 'one-hot', split: 0, right: 10 },
      { method: 'enhancement', right: 12, ...other },
    );
    expect(compareGroups(ours, theirs, accuracy, sameTest)).toEqual({ reason });
  });
});
