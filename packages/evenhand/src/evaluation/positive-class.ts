/** The class that is looked for, of two: the one with fewer training instances, the second one if both have as many. */
export function positiveClass(trainingCounts: readonly number[]): number {
  const [first = 0, second = 0] = trainingCounts;
  return first < second ? 0 : 1;
}
