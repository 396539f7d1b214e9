import { majorityOf, minorityOf, presentClasses } from './labelled-rows.js';

/**
 * Which classes are resampled, and to how many rows.
 *
 * - `'auto'` is `'not majority'` for over-sampling and `'not minority'` otherwise.
 * - `'minority'` (over-sampling only), `'majority'` (not for over-sampling), `'not minority'`, `'not majority'`, `'all'`: these classes,
 *   over-sampled to the size of the largest class or under-sampled to that of the smallest. Cleaning methods remove what they find in them.
 * - A number from 0 to 1, for two classes: the number of rows of the smaller class divided by that of the larger one, afterwards.
 * - Counts: the number of rows that each class named has afterwards, as in `{ 1: 500 }`; the others stay as they are.
 * - A list of classes: those that a cleaning method may remove rows from.
 *
 * Where classes are equally large, the one with the smaller index is the majority or minority.
 */
export type Strategy = StrategyName | number | Readonly<Record<number, number>> | readonly number[];

/** A {@link Strategy} by name. */
export type StrategyName = 'auto' | 'minority' | 'majority' | 'not minority' | 'not majority' | 'all';

/** What kind of method asks: the same strategy means different things to each. */
export type SamplingKind = 'over-sampling' | 'under-sampling' | 'cleaning';

/** What is to be done with a class. */
export interface Target {
  readonly label: number;
  /** Over-sampling: rows to add. Under-sampling: rows to keep. Cleaning: the size of the smallest class, which binds nobody. */
  readonly rows: number;
}

const NAMES = ['auto', 'minority', 'majority', 'not minority', 'not majority', 'all'];

/** The classes to resample, in ascending order. */
export function resolveStrategy(
  strategy: Strategy | undefined,
  counts: Int32Array,
  kind: SamplingKind,
  operation: string,
): Target[] {
  if (strategy === undefined) return targetsByName('auto', counts, kind, operation);
  if (typeof strategy === 'string') return targetsByName(strategy, counts, kind, operation);
  if (typeof strategy === 'number') return targetsByRatio(strategy, counts, kind, operation);
  if (Array.isArray(strategy)) return targetsByList(strategy, counts, kind, operation);
  if (typeof strategy === 'object' && strategy !== null) return targetsByCount(strategy, counts, kind, operation);
  throw fault(
    operation,
    String(strategy),
    `one of ${NAMES.join(', ')}, a ratio, counts per class or a list of classes`,
  );
}

function fault(operation: string, received: string, expected: string): RangeError {
  return new RangeError(`${operation}: strategy is ${received}; expected ${expected}`);
}

function targetsByName(name: StrategyName, counts: Int32Array, kind: SamplingKind, operation: string): Target[] {
  const [minority, majority] = [minorityOf(counts), majorityOf(counts)];
  if (!NAMES.includes(name)) throw fault(operation, `'${name}'`, `one of ${NAMES.join(', ')}`);
  if (name === 'minority' && kind !== 'over-sampling') {
    throw fault(operation, `'minority'`, 'one that leaves the smallest class as it is: this method only removes rows');
  }
  if (name === 'majority' && kind === 'over-sampling') {
    throw fault(operation, `'majority'`, 'one that leaves the largest class as it is: this method only adds rows');
  }
  const resolved = name !== 'auto' ? name : kind === 'over-sampling' ? 'not majority' : 'not minority';
  const chosen: Record<Exclude<StrategyName, 'auto'>, (label: number) => boolean> = {
    minority: (label) => label === minority,
    majority: (label) => label === majority,
    'not minority': (label) => label !== minority,
    'not majority': (label) => label !== majority,
    all: () => true,
  };
  const smallest = counts[minority] ?? 0;
  const largest = counts[majority] ?? 0;
  return presentClasses(counts)
    .filter(chosen[resolved])
    .map((label) => ({ label, rows: kind === 'over-sampling' ? largest - (counts[label] ?? 0) : smallest }));
}

function targetsByRatio(ratio: number, counts: Int32Array, kind: SamplingKind, operation: string): Target[] {
  if (kind === 'cleaning') {
    throw fault(
      operation,
      String(ratio),
      'the classes to clean: how many rows a cleaning method removes is up to the data',
    );
  }
  if (!(ratio > 0 && ratio <= 1)) throw fault(operation, String(ratio), 'a ratio above 0 and at most 1');
  const present = presentClasses(counts);
  if (present.length > 2) {
    throw fault(
      operation,
      `the ratio ${ratio} for ${present.length} classes`,
      'counts per class, as in { 1: 500 }, for more than two',
    );
  }
  const [minority, majority] = [minorityOf(counts), majorityOf(counts)];
  const [smallest, largest] = [counts[minority] ?? 0, counts[majority] ?? 0];
  if (kind === 'over-sampling') {
    const label = present.find((other) => other !== majority) ?? minority;
    const rows = Math.trunc(largest * ratio - (counts[label] ?? 0));
    if (rows <= 0)
      throw fault(operation, String(ratio), `a ratio above ${smallest / largest}, which the classes have already`);
    return [{ label, rows }];
  }
  const label = present.find((other) => other !== minority) ?? majority;
  const rows = Math.trunc(smallest / ratio);
  if (rows > (counts[label] ?? 0)) {
    throw fault(operation, String(ratio), `a ratio of at least ${smallest / largest}, which the classes have already`);
  }
  return [{ label, rows }];
}

function targetsByList(list: readonly number[], counts: Int32Array, kind: SamplingKind, operation: string): Target[] {
  if (kind !== 'cleaning') {
    throw fault(
      operation,
      'a list of classes',
      `counts per class, as in { ${list[0] ?? 1}: 500 }: only cleaning methods take a list`,
    );
  }
  for (const label of list) checkPresent(label, counts, operation);
  const rows = counts[minorityOf(counts)] ?? 0;
  return [...new Set(list)].sort((a, b) => a - b).map((label) => ({ label, rows }));
}

function targetsByCount(
  wanted: Readonly<Record<number, number>>,
  counts: Int32Array,
  kind: SamplingKind,
  operation: string,
): Target[] {
  if (kind === 'cleaning') {
    throw fault(operation, 'counts per class', 'a list of classes, as in [0, 2]: how many rows go is up to the data');
  }
  const targets = Object.entries(wanted).map(([key, rows]) => {
    const label = Number(key);
    checkPresent(label, counts, operation);
    const there = counts[label] ?? 0;
    const least = kind === 'over-sampling' ? there : 1;
    const most = kind === 'over-sampling' ? Number.MAX_SAFE_INTEGER : there;
    if (!Number.isInteger(rows) || rows < least || rows > most) {
      const range = kind === 'over-sampling' ? `an integer of at least ${there}` : `an integer from 1 to ${there}`;
      throw fault(operation, `${String(rows)} for class ${label}`, `${range}: the class has ${there} rows`);
    }
    return { label, rows: kind === 'over-sampling' ? rows - there : rows };
  });
  return targets.sort((a, b) => a.label - b.label);
}

function checkPresent(label: number, counts: Int32Array, operation: string): void {
  if (!((counts[label] ?? 0) > 0)) {
    throw fault(
      operation,
      `for class ${String(label)}, which has no rows`,
      `classes out of ${presentClasses(counts).join(', ')}`,
    );
  }
}
