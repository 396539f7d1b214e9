import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inParallel } from '../../src/images/in-parallel.js';

it('runs every item once, with its index', async () => {
  const seen: [string, number][] = [];
  await inParallel(['a', 'b', 'c'], async (item, index) => {
    seen.push([item, index]);
  });
  expect(seen.sort()).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ]);
});

it('runs a few at a time', async () => {
  let running = 0;
  let most = 0;
  await inParallel(Array.from({ length: 200 }), async () => {
    most = Math.max(most, ++running);
    await sleep(1);
    running--;
  });
  expect(most).toBe(2 * availableParallelism());
});

it('passes a failure on and starts nothing after it', async () => {
  let started = 0;
  const work = inParallel(Array.from({ length: 1000 }), async () => {
    started++;
    await sleep(1);
    throw new Error('the disk is gone');
  });
  await expect(work).rejects.toThrow('the disk is gone');
  await sleep(20);
  expect(started).toBe(2 * availableParallelism());
});
