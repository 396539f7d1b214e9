import type { Random } from '@evenhand/engine';
import { int32At } from '../checked-access.js';

/** The same numbers in another order: Fisher and Yates' shuffle. */
export function shuffled(numbers: ArrayLike<number>, random: Random): Int32Array {
  const result = Int32Array.from(numbers);
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const other = int32At(result, j);
    result[j] = int32At(result, i);
    result[i] = other;
  }
  return result;
}
