import type { Values } from '../arrays.js';
import { checkNumber, checkShape } from '../check-arguments.js';
import { at } from '../checked-access.js';
import type { RateFunction } from './rate.js';

/** What is tried in every epoch. */
export const CANDIDATES: readonly number[] = [0, 0.3, 1, 3, 10, 30];

/** How far one epoch moves a bias, per unit of ε and of the share of the class that is missing or too much. */
const STEP = 0.1;

/** Losses that differ by less are the same; of the same ones the smallest ε is taken. */
const TOLERANCE = 1e-9;

/** Options of {@link lookAhead}. */
export interface LookAheadOptions {
  /** Training instances of each class, times their weight where they have one. @defaultValue all classes equally many */
  readonly trainingCounts?: Values;
}

/**
 * ε by looking one step ahead: of some candidates the one with which the biases of the last layer, pushed as the encoded labels will
 * push them, have the lowest balanced log-loss on the validation set; then half of the way there from the ε before.
 *
 * The gradient on bias k is `Σ_p π_p·ε·c[p,k] = ε·(column_k − π_k)`, where `column_k = Σ_p π_p·s'[p,k]`, once the training examples are
 * learned. Divided by the larger of the two, which is at least the curvature, a step is `Δb_k = η·ε·(π_k − column_k)/max(π_k, column_k)`,
 * from −η·ε to η·ε. The log-loss of class p then changes by
 * `mean_i log Σ_q P(q|x_i)·exp(Δb_q) − Δb_p ≤ log Σ_q s'[p,q]·exp(Δb_q) − Δb_p` (Jensen), and it is this bound that is compared: it needs S' alone,
 * it is exact for small steps, and a step that lowers it lowers the loss.
 */
export function lookAhead({ trainingCounts }: LookAheadOptions = {}): RateFunction {
  for (const [p, count] of (trainingCounts ?? []).entries()) {
    checkNumber(count, 0, Number.POSITIVE_INFINITY, `trainingCounts[${p}]`);
  }
  return ({ classes, normalisedSoftConfusion, previousRates }) => {
    if (trainingCounts !== undefined) checkShape(trainingCounts, 1, classes, 'trainingCounts');
    const measured = Array.from({ length: classes }, (_, p) => p).filter(
      (p) => !Number.isNaN(at(normalisedSoftConfusion, p * classes)),
    );
    const rowOf = (p: number) => normalisedSoftConfusion.subarray(p * classes, (p + 1) * classes);
    const direction = pushOnBiases(
      measured.map((p) => ({ p, row: rowOf(p), mass: trainingCounts === undefined ? 1 : at(trainingCounts, p) })),
      classes,
    );
    const losses = CANDIDATES.map((candidate) => {
      const shift = direction.map((push) => STEP * candidate * push);
      return measured.reduce((sum, p) => sum + lossBound(rowOf(p), p, shift), 0) / measured.length;
    });
    const least = Math.min(...losses);
    const best = at(
      CANDIDATES,
      losses.findIndex((loss) => loss <= least + TOLERANCE),
    );
    const before = previousRates?.enhancementRate;
    return typeof before === 'number' ? (before + best) / 2 : best;
  };
}

interface MeasuredClass {
  readonly p: number;
  /** Its row of S'. */
  readonly row: Float64Array;
  readonly mass: number;
}

/** `(π_k − column_k)/max(π_k, column_k)` of every class k. Classes that were not measured have no part in it. */
function pushOnBiases(measured: readonly MeasuredClass[], classes: number): Float64Array {
  const share = new Float64Array(classes);
  const column = new Float64Array(classes);
  for (const { p, row, mass } of measured) {
    share[p] = mass;
    for (const [k, value] of row.entries()) column[k] = at(column, k) + mass * value;
  }
  return share.map((own, k) => {
    const larger = Math.max(own, at(column, k));
    return larger === 0 || own === 0 ? 0 : (own - at(column, k)) / larger;
  });
}

/** By how much, at most, a shift of the logits changes the mean log-loss of class p. */
function lossBound(row: Float64Array, p: number, shift: Float64Array): number {
  const power = row.reduce((sum, share, q) => sum + share * Math.exp(at(shift, q)), 0);
  return Math.log(power) - at(shift, p);
}
