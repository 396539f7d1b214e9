import { type Random, shuffled } from '@evenhand/engine';
import { at, int32At } from '../../checked-access.js';

/** How many rows are answered again, and how often, for each column. */
export interface Effort {
  readonly rows: number;
  readonly permutations: number;
}

/** More permutations hardly move the mean: rows differ by more than permutations of them do. */
const MOST_PERMUTATIONS = 5;
/** Rows to be predicted for all columns together: of 4,000 rows and 10 columns that takes a twentieth of the time of training. */
const PREDICTIONS = 100_000;
/** Probabilities of them: very many classes must not take longer than training. */
const PROBABILITIES = 10_000_000;
/** With fewer rows an interval says nothing. */
const FEWEST_ROWS = 200;

/** What a table's columns are worth being measured with. Where not all can be afforded, another row says more than another permutation. */
export function effortFor(rows: number, columns: number, classes: number): Effort {
  const affordable = Math.min(PREDICTIONS, PROBABILITIES / classes) / columns;
  const perColumn = Math.max(FEWEST_ROWS, Math.floor(affordable));
  const permutations = Math.min(MOST_PERMUTATIONS, Math.max(1, Math.floor(perColumn / rows)));
  return { rows: Math.min(rows, perColumn), permutations };
}

/**
 * At most so many rows, drawn at random, in rising order: as many of each class as of every other, and of a class with fewer all. The mean over the
 * classes is known best that way.
 */
export function drawnEvenly(labels: Int32Array, classes: number, most: number, random: Random): Int32Array {
  if (labels.length <= most) return labels.map((_, row) => row);
  const counts = new Int32Array(classes);
  for (const label of labels) counts[label] = int32At(counts, label) + 1;
  const perClass = Math.max(1, largestShare(counts, most));
  const taken = new Int32Array(classes);
  const drawn = shuffled(
    labels.map((_, row) => row),
    random,
  ).filter((row) => {
    const label = int32At(labels, row);
    taken[label] = int32At(taken, label) + 1;
    return int32At(taken, label) <= perClass;
  });
  return drawn.slice(0, most).sort();
}

/** The largest m with `Σ_c min(n_c, m) ≤ most`. */
function largestShare(counts: Int32Array, most: number): number {
  const rising = counts.filter((count) => count > 0).sort();
  let left = most;
  for (let c = 0; c < rising.length; c++) {
    const share = Math.floor(left / (rising.length - c));
    if (at(rising, c) > share) return share;
    left -= at(rising, c);
  }
  return left;
}
