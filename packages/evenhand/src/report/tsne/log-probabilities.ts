import { float64At } from '../../checked-access.js';

/** Probabilities far below this one differ little from one another: what is less likely still is much the same. */
const NEGLIGIBLE = 1e-8;

/**
 * `log(p + 10⁻⁸)` of some instances' probabilities, for a map of them. A sure network gives nearly all classes far less: cut
 * off at a smallest probability, half of its outputs would be one and the same point.
 *
 * @param probabilities - `[instances, classes]`
 * @param instances - which ones
 * @returns `[instances, classes]`
 */
export function logProbabilities(
  probabilities: Float64Array,
  instances: readonly number[],
  classes: number,
): Float64Array {
  const result = new Float64Array(instances.length * classes);
  for (const [k, i] of instances.entries()) {
    for (let q = 0; q < classes; q++) {
      result[k * classes + q] = Math.log(float64At(probabilities, i * classes + q) + NEGLIGIBLE);
    }
  }
  return result;
}
