import type { ChartClasses } from 'evenhand/report';
import { at } from '../checked-access.js';

/** Classes by their numbers, as the paper has them; the half with the fewest training images is the minority. */
export function numberedClasses(trainingCounts: readonly number[]): ChartClasses {
  const classes = Array.from(trainingCounts.keys());
  const rarest = rarestFirst(trainingCounts).slice(0, Math.floor(classes.length / 2));
  return { classNames: classes.map(String), classOrder: classes, minority: new Set(rarest) };
}

/** The classes by index, from the fewest to the most training images; of equal ones the higher index counts as rarer. */
export function rarestFirst(trainingCounts: readonly number[]): number[] {
  return Array.from(trainingCounts.keys()).sort((a, b) => at(trainingCounts, a) - at(trainingCounts, b) || b - a);
}
