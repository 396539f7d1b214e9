import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { groupRuns, pairsBySplit } from '../../src/runs/run-groups.js';

function run(folder: string, given: Partial<ConfigInput> = {}) {
  return {
    folder,
    config: parseConfig({ data: { source: 'a.csv', target: 'class' }, model: { name: 'mlp' }, threads: 1, ...given }),
  };
}

function groups(...runs: ReturnType<typeof run>[]) {
  return groupRuns(runs).map(({ name, runs: members }) => [name, members.map(({ folder }) => folder)]);
}

it('puts together what differs in seed, threads and device, by seed', () => {
  const [a, b, c] = [run('a', { seed: 2 }), run('b', { seed: 0, threads: 2 }), run('c', { seed: 1, device: 'cuda' })];
  expect(groups(a, b, c)).toEqual([['enhancement', ['b', 'c', 'a']]]);
});

it('puts one-hot first, and names what sets groups apart', () => {
  const rate = (enhancementRate: number) => ({ name: 'enhancement' as const, enhancementRate });
  const [a, b, c] = [
    run('a', { method: rate(1) }),
    run('b', { method: rate(3) }),
    run('c', { method: { name: 'one-hot' } }),
  ];
  expect(groups(a, b, c)).toEqual([
    ['one-hot', ['c']],
    ['enhancement enhancementRate=1', ['a']],
    ['enhancement enhancementRate=3', ['b']],
  ]);
  const longer = run('d', { method: { name: 'one-hot' }, epochs: 9 });
  expect(groups(a, longer).map(([name]) => name)).toEqual(['one-hot epochs=9', 'enhancement epochs=60']);
});

it('refuses a seed twice: it would count as two', () => {
  expect(() => groupRuns([run('a', { seed: 4 }), run('copy of a', { seed: 4, threads: 2 })])).toThrow(
    'a and copy of a have the same configuration and the same seed, 4; expected each seed once. Leave one of them out',
  );
});

it('pairs runs of the same seed', () => {
  const [ours, theirs] = groupRuns([
    run('a', { seed: 0 }),
    run('b', { seed: 1 }),
    run('c', { seed: 1, epochs: 9 }),
    run('d', { seed: 2, epochs: 9 }),
  ]);
  if (ours === undefined || theirs === undefined) throw new Error('expected two groups');
  expect(foldersOf(pairsBySplit(ours, theirs))).toEqual([[['b', 'c']]]);
});

function foldersOf(splits: ReturnType<typeof pairsBySplit>): string[][][] {
  return splits.map((pairs) => pairs.map((pair) => pair.map(({ folder }) => folder)));
}

it('puts splits of the data together, and pairs runs of the same split and seed', () => {
  const on = (splitSeed: number, seed: number, given: Partial<ConfigInput> = {}) =>
    run(`split ${splitSeed}, seed ${seed}${given.epochs === undefined ? '' : ', longer'}`, {
      data: { source: 'a.csv', target: 'class', splitSeed },
      seed,
      ...given,
    });
  const [ours, theirs, ...others] = groupRuns([
    on(1, 0),
    on(0, 1),
    on(0, 0),
    on(0, 0, { epochs: 9 }),
    on(1, 0, { epochs: 9 }),
    on(2, 0, { epochs: 9 }),
  ]);
  if (ours === undefined || theirs === undefined) throw new Error('expected two groups');
  expect(others).toEqual([]);
  expect(ours.runs.map(({ folder }) => folder)).toEqual(['split 0, seed 0', 'split 0, seed 1', 'split 1, seed 0']);
  expect(foldersOf(pairsBySplit(ours, theirs))).toEqual([
    [['split 0, seed 0', 'split 0, seed 0, longer']],
    [['split 1, seed 0', 'split 1, seed 0, longer']],
  ]);
});
