/**
 * How many instances of each class are for testing, if that is a share of all. Largest remainder: the whole test set has
 * `round(share·n)`; every class first gets `⌊share·n_p⌋`, then those with the largest fractions left get one more (the
 * earlier class of two equal ones). After that each class is brought to at least one, and to what leaves two for training
 * and validation.
 */
export function testTargetsByShare(counts: readonly number[], share: number): number[] {
  const instances = counts.reduce((sum, count) => sum + count, 0);
  const quotas = counts.map((count) => share * count);
  const targets = quotas.map(Math.floor);
  const missing = Math.round(share * instances) - targets.reduce((sum, target) => sum + target, 0);
  const fraction = (p: number) => (quotas[p] ?? 0) - (targets[p] ?? 0);
  const byFraction = [...counts.keys()].sort((p, q) => fraction(q) - fraction(p) || p - q);
  const another = new Set(byFraction.slice(0, missing));
  return targets.map((target, p) => within(target + (another.has(p) ? 1 : 0), counts[p] ?? 0));
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
