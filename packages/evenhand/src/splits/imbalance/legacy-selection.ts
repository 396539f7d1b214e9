import { at, int32At } from '../../checked-access.js';
import { mt19937, type WordSource } from './mt19937.js';

/**
 * Selects from every class as the code of LDAM-DRW (Cao et al. 2019) does, and all who compare with it: one stream of
 * NumPy's `RandomState(seed)`; class after class, the ranks within the class are shuffled and the first ones kept.
 *
 * @param sizes - instances of each class
 * @param kept - how many of them to keep
 * @returns the ranks within each class that are kept, in the order of the shuffle
 */
export function legacySelection(sizes: readonly number[], kept: readonly number[], seed: number): Int32Array[] {
  const words = mt19937(seed);
  return sizes.map((size, p) => legacyShuffle(size, words).slice(0, at(kept, p)));
}

/** 0 … size − 1, in the order of NumPy's legacy `shuffle`. */
function legacyShuffle(size: number, words: WordSource): Int32Array {
  const ranks = Int32Array.from({ length: size }, (_, rank) => rank);
  for (let i = size - 1; i > 0; i--) {
    const j = legacyInterval(i, words);
    [ranks[i], ranks[j]] = [int32At(ranks, j), int32At(ranks, i)];
  }
  return ranks;
}

/** Uniform in 0 … highest: words masked to its bit length, until one is not above it. */
function legacyInterval(highest: number, words: WordSource): number {
  const mask = 2 ** (32 - Math.clz32(highest)) - 1;
  for (;;) {
    const value = (words() & mask) >>> 0;
    if (value <= highest) return value;
  }
}
