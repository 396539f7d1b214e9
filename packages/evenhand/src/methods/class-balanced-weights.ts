/**
 * Class-balanced weights `w_c ∝ (1 − β)/(1 − β^n_c)`, scaled to a mean of 1. From β = 0, where all are 1, they go to inverse
 * frequencies as β goes to 1.
 *
 * A class without training instances weighs 0 and has no part in the scale: its weight is never used, and as the largest of
 * all it would only make the others small.
 */
export function classBalancedWeights(trainingCounts: readonly number[], beta: number): number[] {
  // 1 − βⁿ, exact also where βⁿ is nearly 1
  const raw = trainingCounts.map((count) => (count === 0 ? 0 : -1 / Math.expm1(count * Math.log(beta))));
  const present = trainingCounts.filter((count) => count > 0).length;
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => (weight === 0 ? 0 : (weight * present) / total));
}
