import type { Dataset } from '../dataset/dataset.js';

/** Longer lists of classes end in "and 12 more". */
const LISTED = 10;

/** The classes whose number passes the test. */
export function classesWhere(numbers: readonly number[], passes: (number: number, p: number) => boolean): number[] {
  return numbers.flatMap((number, p) => (passes(number, p) ? [p] : []));
}

/** Classes for people, with a number each where that says something: `"a" (2), "b" (1)`. */
export function classList({ classNames }: Dataset, classes: readonly number[], counts?: readonly number[]): string {
  const listed = classes
    .slice(0, LISTED)
    .map((p) => (counts === undefined ? `"${classNames[p]}"` : `"${classNames[p]}" (${counts[p]})`))
    .join(', ');
  return classes.length > LISTED ? `${listed} and ${classes.length - LISTED} more` : listed;
}
