import { at } from './checked-access.js';

/**
 * Corrects the p-values of several comparisons (Holm 1979): the i-th smallest of m, from 0, is multiplied by m − i, and is never below one
 * before it. What stays below 0.05 is then different with at most 5 per cent of a chance that any of all the comparisons is said to be so
 * wrongly.
 *
 * @param values - null where a comparison has no p-value; it stays so and does not count
 */
export function holmCorrected(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  let highest = 0;
  const corrected = known.map((value, i) => {
    highest = Math.max(highest, Math.min(1, value * (known.length - i)));
    return highest;
  });
  return values.map((value) => (value === null ? null : at(corrected, known.lastIndexOf(value))));
}
