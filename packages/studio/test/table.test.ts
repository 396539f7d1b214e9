import type { RunSummary } from 'evenhand/studio';
import { describe, expect, it } from 'vitest';
import { columnsOf, DEFAULT_COLUMNS } from '../src/views/runs/columns.js';
import { parseFilter } from '../src/views/runs/filter.js';
import { meanOf, rowsOf, rowText, sorted } from '../src/views/runs/rows.js';

function run(changes: Partial<RunSummary>): RunSummary {
  return {
    id: changes.name ?? 'id',
    name: 'fraud',
    folder: 'runs/fraud',
    sweep: null,
    state: 'finished',
    problem: null,
    dataset: 'fraud.csv',
    method: 'enhancement',
    model: 'mlp',
    seed: 0,
    split: 0,
    epochs: { done: 60, planned: 60 },
    best: { epoch: 12, softAccuracy: 0.7 },
    last: { epoch: 60, softAccuracy: 0.6 },
    loss: 0.2,
    metrics: null,
    group: 'one',
    changed: 0,
    options: {},
    tags: [],
    note: '',
    ...changes,
  };
}

function metrics(balancedAccuracy: number): NonNullable<RunSummary['metrics']> {
  return { balancedAccuracy, minorityAccuracy: null, accuracy: null, macroF1: null, gMean: null, logLoss: null };
}

const a = run({ name: 'a', method: 'one-hot', metrics: metrics(0.8), options: { 'optimizer.learningRate': 0.001 } });
const b = run({ name: 'b', tags: ['to publish'], metrics: metrics(0.9), options: { 'optimizer.learningRate': 0.1 } });
const c = run({ name: 'c', state: 'running', options: { 'optimizer.learningRate': 0.01 } });
const all = [a, b, c];
const columns = columnsOf(all);

function shown(filter: string): string[] {
  return all.filter(parseFilter(filter, columns).filter).map(({ name }) => name);
}

describe('the filter', () => {
  it.each([
    ['', ['a', 'b', 'c']],
    ['publish', ['b']],
    ['one-hot', ['a']],
    ['method=enhancement', ['b', 'c']],
    ['method!=enhancement', ['a']],
    ['state=running', ['c']],
    ['balancedAccuracy>0.8', ['b']],
    ['balancedaccuracy>=80%', ['a', 'b']],
    ['optimizer.learningRate<=0.01', ['a', 'c']],
    ['optimizer.learningRate<0.05 method=one-hot', ['a']],
    ['tags="to publish"', ['b']],
    ['folder:fra', ['a', 'b', 'c']],
    ['balancedAccuracy=', ['c']],
  ])('%s', (filter, names) => {
    expect(shown(filter)).toEqual(names);
  });

  it('names what is no column, and hides nothing for it', () => {
    expect(parseFilter('learnigRate>1', columns).unknown).toEqual(['learnigRate']);
    expect(shown('learnigRate>1')).toEqual(['a', 'b', 'c']);
  });
});

describe('rows', () => {
  const balanced = columns.find(({ key }) => key === 'balancedAccuracy');
  if (balanced === undefined) throw new Error('there is no column of balanced accuracy');

  it('are sorted with what has no value at the end, whichever way', () => {
    const names = (descending: boolean) => sorted(rowsOf(all, false), balanced, descending).map(({ id }) => id);
    expect(names(true)).toEqual(['b', 'a', 'c']);
    expect(names(false)).toEqual(['a', 'b', 'c']);
  });

  it('of runs that differ only in their seed have the mean and the sample standard deviation', () => {
    const [row] = rowsOf([a, b], true);
    if (row === undefined) throw new Error('there is no row');
    expect(row.runs).toHaveLength(2);
    // Of 0.8 and 0.9: the squares of ±0.05, over n − 1 = 1.
    expect(meanOf(row, balanced)?.mean).toBeCloseTo(0.85, 12);
    expect(meanOf(row, balanced)?.deviation).toBeCloseTo(Math.sqrt(0.005), 12);
    expect(rowText(row, balanced)).toBe('85.0 ± 7.1');
  });

  it('have columns for the options that differ, beside those of every table', () => {
    const keys = columns.map(({ key }) => key);
    expect(keys).toContain('optimizer.learningRate');
    expect(keys).toEqual(expect.arrayContaining([...DEFAULT_COLUMNS]));
  });
});
