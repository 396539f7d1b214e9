import type { Dataset } from '../dataset/dataset.js';

/** Longer lists of classes end in "and 12 more". */
const LISTED = 10;

/** Classes for people, with a number each where that says something: `"a" (2), "b" (1)`. */
export function classList({ classNames }: Dataset, classes: readonly number[], counts?: readonly number[]): string {
  const listed = classes
    .slice(0, LISTED)
    .map((p) => (counts === undefined ? `"${classNames[p]}"` : `"${classNames[p]}" (${counts[p]})`))
    .join(', ');
  return classes.length > LISTED ? `${listed} and ${classes.length - LISTED} more` : listed;
}
