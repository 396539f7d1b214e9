import type { ChartClasses } from 'evenhand/report';

/** Classes by their numbers, as the paper has them; the half with the fewest training images is the minority. */
export function numberedClasses(trainingCounts: readonly number[]): ChartClasses {
  const places = Array.from(trainingCounts.keys());
  const rarest = rarestFirst(trainingCounts).slice(0, Math.floor(places.length / 2));
  return { classNames: places.map(String), classOrder: places, minority: new Set(rarest) };
}

/** Places of the classes from the fewest to the most training images; of equal ones the higher index counts as rarer. */
export function rarestFirst(trainingCounts: readonly number[]): number[] {
  return Array.from(trainingCounts.keys()).sort((a, b) => (trainingCounts[a] ?? 0) - (trainingCounts[b] ?? 0) || b - a);
}
