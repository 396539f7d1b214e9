/**
 * How many instances of each class are for testing, if that is a share of all. Largest remainder: the whole test set has
 * `round(share·n)`; every class first gets `⌊share·n_p⌋`, then those with the largest fractions left get one more (the
 * earlier class of two equal ones). After that each class is brought to at least one, and to what leaves two for training
 * and validation.
 */
export function testTargetsByShare(counts: readonly number[], share: number): number[] {
  const instances = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map((count, p) => {
    const whole = Math.floor(share * count);
    return { p, count, whole, fraction: share * count - whole };
  });
  const missing = Math.round(share * instances) - shares.reduce((sum, { whole }) => sum + whole, 0);
  const byFraction = [...shares].sort((one, other) => other.fraction - one.fraction || one.p - other.p);
  const another = new Set(byFraction.slice(0, missing));
  return shares.map((own) => within(own.whole + (another.has(own) ? 1 : 0), own.count));
}

/** The same number for every class, but not more than leaves two for training and validation. */
export function testTargetsPerClass(counts: readonly number[], perClass: number): number[] {
  return counts.map((count) => within(perClass, count));
}

function within(target: number, count: number): number {
  return Math.max(0, Math.min(Math.max(target, 1), count - 2));
}

/** The same number for every class, but not more than half of it: training keeps the larger half. */
export function validationTargets(counts: readonly number[], perClass: number): number[] {
  return counts.map((count) => Math.min(perClass, Math.floor(count / 2)));
}
