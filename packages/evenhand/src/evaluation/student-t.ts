/**
 * The probability that Student's t is at least as far from 0 as `t`, on either side: the regularised incomplete beta
 * function `I_x(ν/2, 1/2)` at `x = ν/(ν + t²)`.
 *
 * @param freedom - the degrees of freedom ν, a positive integer
 */
export function twoSidedTailOfT(t: number, freedom: number): number {
  const x = freedom / (freedom + t * t);
  const beta = betaWithHalf(freedom);
  // The series is slow for x near 1. There the tail is wide and its complement, I_{1−x}(1/2, ν/2), may be subtracted.
  return Math.abs(t) < 1
    ? 1 - incompleteBetaSeries((t * t) / (freedom + t * t), 1 / 2, freedom / 2) / beta
    : incompleteBetaSeries(x, freedom / 2, 1 / 2) / beta;
}

/** Which t has a tail of this size on both sides together, by bisection: 2.776 for 0.05 and 4 degrees of freedom. */
export function tOfTwoSidedTail(tail: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (twoSidedTailOfT(high, freedom) > tail) [low, high] = [high, 2 * high];
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (twoSidedTailOfT(middle, freedom) > tail) low = middle;
    else high = middle;
  }
  return high;
}

/** `B(ν/2, 1/2)`, from `B(1/2, 1/2) = π`, `B(1, 1/2) = 2` and `B(a+1, 1/2) = B(a, 1/2)·a/(a + 1/2)`. */
function betaWithHalf(freedom: number): number {
  let beta = freedom % 2 === 1 ? Math.PI : 2;
  for (let a = freedom % 2 === 1 ? 1 / 2 : 1; a < freedom / 2; a++) beta *= a / (a + 1 / 2);
  return beta;
}

/** `B_x(a, b) = x^a·(1−x)^b / a · Σ_n x^n · Π_{k<n} (a+b+k)/(a+1+k)`: all terms positive, so nothing cancels. */
function incompleteBetaSeries(x: number, a: number, b: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 0; term > sum * Number.EPSILON; n++) {
    term *= x * ((a + b + n) / (a + 1 + n));
    sum += term;
  }
  return ((x ** a * (1 - x) ** b) / a) * sum;
}
