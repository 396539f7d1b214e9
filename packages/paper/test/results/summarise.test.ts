import { describe, expect, it } from 'vitest';
import type { CellResult } from '../../src/results/cell-result.js';
import { summarise } from '../../src/results/summarise.js';
import { resultWith } from '../runner/small-cells.js';

/** Top-1 of one-hot and of enhancement for seeds 0, 1 and 2. */
const RESULTS: readonly CellResult[] = [0.9, 0.91, 0.92].flatMap((oneHot, seed) => [
  resultWith({ method: 'enhancement', seed }, { top1: [0.93, 0.92, 0.94][seed] ?? 0 }),
  resultWith({ method: 'one-hot', seed }, { top1: oneHot, recall: [1, [0.2, 0.4, 0.9][seed] ?? 0, null] }),
]);

describe('a summary', () => {
  const [row] = summarise('table1', RESULTS);

  it('has the rows of which something was run, with the methods in the order of the paper', () => {
    expect(summarise('table1', RESULTS)).toHaveLength(1);
    expect(row?.setting.name).toBe('long-tail');
    expect(row?.loss).toBe('ce');
    expect(row?.methods.map(({ method, seeds }) => [method, seeds])).toEqual([
      ['one-hot', [0, 1, 2]],
      ['enhancement', [0, 1, 2]],
    ]);
  });

  it('has the mean and the sample deviation in per cent, beside the number of the paper', () => {
    // 90, 91, 92: mean 91, deviation √((1 + 0 + 1)/2) = 1.
    const [top1] = row?.methods[0]?.metrics ?? [];
    expect(top1?.metric).toBe('top1');
    expect(top1?.mean).toBeCloseTo(91, 10);
    expect(top1?.deviation).toBeCloseTo(1, 10);
    expect(top1?.paper).toEqual({ mean: 89.14, deviation: 0.13 });
  });

  it('compares enhancement with one-hot seed by seed', () => {
    // Differences 3, 1, 2: mean 2, deviation 1, t = 2/(1/√3) = 3.4641 with two degrees of freedom.
    // P(|T| > t) = 1 − t/√(2 + t²) for two degrees of freedom = 1 − 3.4641/√14 = 0.07418.
    // Of the 8 sign flips only +++ and −−− have a sum as far from 0 as 6.
    const [gain] = row?.gains ?? [];
    expect(gain?.pairs).toBe(3);
    expect(gain?.meanDifference).toBeCloseTo(2, 10);
    expect(gain?.tTest.value).toBeCloseTo(0.07418, 5);
    expect(gain?.signFlipTest.value).toBe(2 / 8);
  });

  it('has the mean recall of every class, null where the test set has none of it', () => {
    const [first, second, third] = row?.methods[0]?.recall ?? [];
    expect([first, third]).toEqual([100, null]);
    expect(second).toBeCloseTo(50, 10);
  });

  it('does not depend on the order of the results', () => {
    expect(summarise('table1', [...RESULTS].reverse())).toEqual(summarise('table1', RESULTS));
  });

  it('pairs only seeds that both methods have', () => {
    const [partial] = summarise(
      'table1',
      RESULTS.filter(({ method, seed }) => method === 'one-hot' || seed === 1),
    );
    expect(partial?.gains.map(({ pairs, meanDifference }) => [pairs, Math.round(1e9 * meanDifference)])).toEqual([
      [1, 1e9],
    ]);
    expect(partial?.methods[1]?.metrics[0]?.deviation).toBeNull();
  });

  it('has no comparison where one of the two methods is missing', () => {
    const [alone] = summarise(
      'table1',
      RESULTS.filter(({ method }) => method === 'one-hot'),
    );
    expect(alone?.gains).toEqual([]);
  });

  it('puts a method that the paper does not have last, without a number of the paper', () => {
    const [more] = summarise('table1', [resultWith({ method: 'ldam' }), ...RESULTS]);
    expect(more?.methods.map(({ method }) => method)).toEqual(['one-hot', 'enhancement', 'ldam']);
    expect(more?.methods[2]?.metrics[0]?.paper).toBeNull();
  });

  it("keeps other subsets out of the table, and shows their spread with the table's own", () => {
    const others = [1, 2].map((subset) => resultWith({ subset }, { top1: 0.9 + subset / 10 - 0.1 }));
    const [spread] = summarise('table1', [...RESULTS, ...others]);
    expect(spread?.methods).toEqual(row?.methods);
    // 90 of the table's subset, 90 and 100: mean 280/3, deviation √((2·(10/3)² + (20/3)²)/2) = 10/√3.
    const own = spread?.overSubsets.find(({ method }) => method === 'one-hot');
    expect(own?.subsets).toEqual([0, 1, 2]);
    expect(own?.metrics[0]?.mean).toBeCloseTo(280 / 3, 10);
    expect(own?.metrics[0]?.deviation).toBeCloseTo(10 / Math.sqrt(3), 10);
    expect(row?.overSubsets).toEqual([]);
  });

  it('has all metrics of the table', () => {
    const key = { table: 'table3', setting: 'caltech101', scale: 'cpu' } as const;
    const [caltech] = summarise('table3', [resultWith(key, { top1: 0.5, top5: 0.75, minority: 0.25 })]);
    expect(caltech?.methods[0]?.metrics.map(({ metric, mean, paper }) => [metric, mean, paper?.mean])).toEqual([
      ['top1', 50, 58.3],
      ['top5', 75, 77.45],
      ['minority', 25, 43.14],
    ]);
  });
});
