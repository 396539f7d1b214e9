import { configDifference } from 'evenhand/config';
import { describe, expect, it } from 'vitest';
import { BUDGET_ROWS } from '../../src/equal-budget/rows.js';
import { ALL_RUNS, budgetRuns } from '../../src/equal-budget/runs.js';

const runs = budgetRuns(ALL_RUNS);

describe('the runs', () => {
  it('are ten rows over three draws and five seeds, and seven other pairs of rates on the first seed', () => {
    expect(runs).toHaveLength(10 * 15 + 7 * 3);
    expect(new Set(BUDGET_ROWS.map(({ name }) => name)).size).toBe(17);
    expect(new Set(runs.map(({ configHash }) => configHash)).size).toBe(runs.length);
  });

  it('begin with every row, and have every draw before another seed', () => {
    expect(runs.slice(0, 17).map(({ row }) => row)).toEqual(BUDGET_ROWS.map(({ name }) => name));
    expect(runs.slice(0, 51).every(({ seed }) => seed === 0)).toBe(true);
    expect(runs.slice(17, 34).every(({ draw }) => draw === 1)).toBe(true);
    expect(runs.slice(51, 61).map(({ draw, seed }) => [draw, seed])).toEqual(Array(10).fill([0, 1]));
  });

  it('of a draw and seed differ in nothing but the method and when images are given back', () => {
    const [first, ...others] = runs.slice(0, 17);
    if (first === undefined) throw new Error('no runs');
    for (const { config } of others) {
      const paths = configDifference(first.config, config).map(({ path }) => path);
      expect(paths.filter((path) => path !== 'data.giveBack' && !path.startsWith('method.'))).toEqual([]);
    }
  });
});
