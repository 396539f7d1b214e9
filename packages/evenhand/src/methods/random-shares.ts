import type { Random } from '@evenhand/engine';

/** A draw from Beta(α, α), by Jöhnk's method: `X/(X + Y)` with `X = U^(1/α)` and `Y = V^(1/α)`, where `X + Y ≤ 1`. */
export function symmetricBeta(alpha: number, random: Random): number {
  while (true) {
    const [x, y] = [random() ** (1 / alpha), random() ** (1 / alpha)];
    if (x + y <= 1 && x + y > 0) return x / (x + y);
  }
}

/** A draw from Beta(α, 1), whose distribution function is `x^α`. */
export function risingBeta(alpha: number, random: Random): number {
  return random() ** (1 / alpha);
}
