import { describe, expect, it } from 'vitest';
import type { MethodName } from '../../src/methods/registry.js';
import { groupRuns } from '../../src/runs/run-groups.js';
import { leadText, verdictOn, verdictOnGroups } from '../../src/runs/verdict.js';
import { evaluatedRun, type RunOutline } from './evaluated-run.js';

const LOST: Pick<RunOutline, 'training' | 'confusion'> = {
  training: [80, 20],
  confusion: [
    [20, 0],
    [5, 0],
  ],
};

const flagsOf = ({ advice }: ReturnType<typeof verdictOn>) => advice.map(({ flags }) => flags.join(' '));

describe('what to try', () => {
  it('is nothing where every class is found more often than by chance', () => {
    const run = evaluatedRun({
      training: [80, 20],
      confusion: [
        [18, 2],
        [1, 4],
      ],
    });
    expect(verdictOn(run).advice).toEqual([]);
  });

  it('with a lost class: other methods, an objective, more epochs, other splits', () => {
    const run = evaluatedRun({ ...LOST, config: { method: { name: 'one-hot' }, epochs: 5 } });
    expect(flagsOf(verdictOn(run))).toEqual([
      '--method one-hot,inverse-frequency,logit-adjustment,enhancement',
      '--objective balanced-accuracy',
      '--epochs 60',
      '--splits 5',
    ]);
  });

  it('with a common class that pays for the others: whether it does so without a method for imbalance', () => {
    const outline = {
      training: [80, 20],
      confusion: [
        [4, 16],
        [0, 20],
      ],
    };
    const trained = (name: MethodName) =>
      flagsOf(
        verdictOn(evaluatedRun({ ...outline, config: { method: { name }, decision: { objective: 'macro-f1' } } })),
      );
    expect(trained('inverse-frequency')).toEqual(['--method one-hot,inverse-frequency']);
    expect(trained('one-hot')).toEqual([]);
  });

  it('leaves out what was done already', () => {
    const config = { method: { name: 'inverse-frequency' as const }, decision: { objective: 'macro-f1' as const } };
    expect(flagsOf(verdictOn(evaluatedRun({ ...LOST, config })))).toEqual([
      '--method inverse-frequency,logit-adjustment,enhancement',
      '--splits 5',
    ]);
  });
});

describe('a verdict on several methods', () => {
  /** Found of 20 test instances of the rare class, by seed. */
  const runs = (method: MethodName, found: readonly number[]) =>
    found.map((right, seed) =>
      evaluatedRun({
        folder: `${method}-${seed}`,
        config: { method: { name: method }, seed },
        training: [320, 80],
        confusion: [
          [60, 20],
          [20 - right, right],
        ],
      }),
    );
  const always = () => true;

  it('names the best by balanced accuracy and its best run, whatever comes last', () => {
    const groups = groupRuns([
      ...runs('inverse-frequency', [12, 16, 14]),
      ...runs('enhancement', [6, 4, 5]),
      ...runs('one-hot', [0, 0, 0]),
    ]);
    const verdict = verdictOnGroups(groups, always);
    expect(verdict).toMatchObject({
      best: 'inverse-frequency',
      run: 'inverse-frequency-1',
      against: { name: 'one-hot', comparison: { over: 'seeds', pairs: 3 } },
      isClear: true,
      lost: [],
    });
    // Recall of the rare class 14/20 instead of 0
    expect(leadText(verdict)).toBe(
      ', +35.0 percentage points against one-hot: more than luck, measured over 3 seeds on one split: ' +
        'how much training luck matters, not how much the rows do',
    );
  });

  it('measures one-hot, where that is best, against the second best, and calls luck what may be luck', () => {
    const groups = groupRuns([...runs('ldam', [2, 0]), ...runs('enhancement', [9, 3]), ...runs('one-hot', [4, 10])]);
    const verdict = verdictOnGroups(groups, always);
    expect(verdict).toMatchObject({
      best: 'one-hot',
      run: 'one-hot-1',
      against: { name: 'enhancement' },
      isClear: false,
    });
    expect(leadText(verdict)).toContain('+2.5 percentage points against enhancement: this may be luck');
  });

  it('says which classes even the best loses, and what was not tried yet', () => {
    const groups = groupRuns([...runs('one-hot', [0]), ...runs('enhancement', [0])]);
    const { lost, advice } = verdictOnGroups(groups, always);
    expect(lost).toEqual([{ name: 'b', recall: 0, test: 20 }]);
    expect(advice[0]?.flags).toEqual(['--method', 'one-hot,inverse-frequency,logit-adjustment']);
  });
});
