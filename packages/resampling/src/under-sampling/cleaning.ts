import type { Labels, Values } from '../arrays.js';
import { checkData } from '../check-arguments.js';
import type { LabelledRows } from '../labelled-rows.js';
import { resolveStrategy, type Strategy, type Target } from '../strategy.js';

/** Options of all cleaning methods. */
export interface CleaningOptions {
  /** Which classes may lose rows; `'auto'` is all but the smallest. Counts and ratios make no sense here. */
  readonly strategy?: Strategy;
}

/** The data, and which classes may lose rows. */
export function checkCleaning(
  features: Values,
  labels: Labels,
  strategy: Strategy | undefined,
  operation: string,
): { data: LabelledRows; cleaned: Uint8Array } {
  const data = checkData(features, labels, operation);
  return { data, cleaned: maskOf(resolveStrategy(strategy, data.counts, 'cleaning', operation), data.counts.length) };
}

/** 1 for the classes of the targets. */
export function maskOf(targets: readonly Target[], classes: number): Uint8Array {
  const mask = new Uint8Array(classes);
  for (const { label } of targets) mask[label] = 1;
  return mask;
}

/** The rows that are left of those before, but all the rows of a class of which none would be: no class is ever lost. */
export function keepClasses(labels: Int32Array, before: Int32Array, left: Int32Array): Int32Array {
  const survivors = new Set(left.map((row) => labels[row] ?? 0));
  const lost = before.filter((row) => !survivors.has(labels[row] ?? 0));
  if (lost.length === 0) return left;
  const rows = new Int32Array(left.length + lost.length);
  rows.set(left);
  rows.set(lost, left.length);
  return rows.sort();
}
