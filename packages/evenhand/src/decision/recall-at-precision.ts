import type { Values } from '@evenhand/encoding';
import { at, float64At, int32At } from '../checked-access.js';
import type { FittingRows } from './fitting-rows.js';

/** A threshold of a class's probability, and what it comes to on the rows that it was fitted to. */
export interface FittedCut {
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
}

/** A precision of exactly what is wanted is reached, whatever the order of its sum. */
const ROUNDING = 1e-12;

/**
 * The lowest threshold of a class's probability at which its answers have the precision that is wanted, in the middle of the gap below;
 * where none has, the threshold of the highest precision.
 *
 * @param probabilities - `[rows, classes]`
 */
export function lowestThreshold(rows: FittingRows, probabilities: Values, wanted: number, looked: number): FittedCut {
  const { labels, weights, classes, shares } = rows;
  const scored = Array.from(labels.keys(), (row) => ({ row, score: at(probabilities, row * classes + looked) })).sort(
    (a, b) => b.score - a.score,
  );
  let [found, answered] = [0, 0];
  let best: FittedCut = { threshold: 1, precision: 0, recall: 0 };
  for (const [k, { row, score }] of scored.entries()) {
    const weight = float64At(weights, row);
    answered += weight;
    if (int32At(labels, row) === looked) found += weight;
    const next = scored[k + 1]?.score ?? 0;
    if (next === score || answered === 0) continue;
    const precision = found / answered;
    const isEnough = precision >= wanted - ROUNDING || precision >= best.precision - ROUNDING;
    if (isEnough) best = { threshold: middle(next, score), precision, recall: found / float64At(shares, looked) };
  }
  return best;
}

/** Between the two; the upper one where no number is between them. */
function middle(below: number, above: number): number {
  const half = (below + above) / 2;
  return half > below ? half : above;
}
