import { z } from 'zod';
import { at } from '../../checked-access.js';

/** How alike in size classes are made. */
export const balanceOption = z
  .number()
  .gt(0)
  .max(1)
  .default(1)
  .describe('size of the smallest class relative to the largest, after resampling; 1: equally large');

/** Neighbours of a row that synthetic rows are made with. */
export const neighboursOption = z.int().min(1).default(5).describe('number of nearest neighbours');

/** For over-sampling: how many rows each class has afterwards that is smaller than `balance` times the largest. */
export function filledUp(labels: Int32Array, balance: number): Record<number, number> {
  const counts = countsOf(labels);
  const least = Math.round(balance * Math.max(...counts.values()));
  return Object.fromEntries([...counts].filter(([, count]) => count < least).map(([label]) => [label, least]));
}

/** For under-sampling: how many rows each class keeps that is larger than the smallest divided by `balance`. */
export function cutDown(labels: Int32Array, balance: number): Record<number, number> {
  const counts = countsOf(labels);
  const most = Math.round(Math.min(...counts.values()) / balance);
  return Object.fromEntries([...counts].filter(([, count]) => count > most).map(([label]) => [label, most]));
}

/** Rows of each class that has any. */
function countsOf(labels: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) {
    const label = at(labels, i);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}
