import { float64At } from '../checked-access.js';
import type { FittingRows } from './fitting-rows.js';

/** Rows of a class with which its offset goes half of the way that they alone would send it. */
const ROWS_OF_HALF_WAY = 30;
/** With more classes than this there is one strength for all of them, and no offset of its own for any. */
const MOST_FREE_CLASSES = 100;
const MOST_PASSES = 10;
/** Strengths of `−log prior` that are tried as a start, from none on both sides. */
const STRENGTHS = Array.from({ length: 61 }, (_, k) => (k - 20) / 20);
const NOTICEABLE = 1e-12;

/**
 * Offsets `d` by which `argmax(log p + d)` has a high macro F1: the best strength τ of `d = −τ·log prior`, then class by class, the
 * rarest first, the best offset with all others held, until none gets better; then back towards the start, n/(n + 30) of the
 * way remaining for a class of n rows. Where that is no better than the start, the start.
 *
 * @param logits - logarithms of probabilities, `[rows, classes]`
 */
export function macroF1Offsets(rows: FittingRows, logits: Float64Array): Float64Array {
  const { classes, prior, counts, shares } = rows;
  const start = bestStrength(rows, logits);
  if (classes > MOST_FREE_CLASSES) return start;
  const order = Array.from(prior.keys())
    .filter((q) => float64At(shares, q) > 0)
    .sort((a, b) => float64At(shares, a) - float64At(shares, b) || a - b);
  const offsets = start.slice();
  let score = macroF1(rows, logits, offsets);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = score;
    for (const q of order) {
      const found = bestOffset(rows, logits, offsets, q);
      if (found.score <= score + NOTICEABLE) continue;
      offsets[q] = found.offset;
      ({ score } = found);
    }
    if (score <= before + NOTICEABLE) break;
  }
  const shrunken = offsets.map((offset, q) => {
    const [from, n] = [float64At(start, q), float64At(counts, q)];
    return from + (n / (n + ROWS_OF_HALF_WAY)) * (offset - from);
  });
  return macroF1(rows, logits, shrunken) > macroF1(rows, logits, start) ? shrunken : start;
}

function bestStrength(rows: FittingRows, logits: Float64Array): Float64Array {
  let best = { offsets: new Float64Array(rows.classes), score: Number.NEGATIVE_INFINITY };
  const byDistance = [...STRENGTHS].sort((a, b) => Math.abs(a) - Math.abs(b) || b - a);
  for (const strength of byDistance) {
    const offsets = rows.prior.map((share) => -strength * Math.log(share));
    const score = macroF1(rows, logits, offsets);
    if (score > best.score + NOTICEABLE) best = { offsets, score };
  }
  return best.offsets;
}

/** Weighted counts of answers, from which the sum of the F1 of all classes that have rows follows. */
class Tally {
  readonly #own: Float64Array;
  readonly #answered: Float64Array;
  readonly #right: Float64Array;
  #sum = 0;

  constructor({ shares }: FittingRows) {
    this.#own = shares;
    this.#answered = new Float64Array(shares.length);
    this.#right = new Float64Array(shares.length);
  }

  get mean(): number {
    return this.#sum / this.#own.reduce((present, share) => present + (share > 0 ? 1 : 0), 0);
  }

  /** Counts an answer to a row of this label, or with a negative weight takes it back. */
  add(answer: number, label: number, weight: number): void {
    this.#sum -= this.#f1(answer);
    this.#answered[answer] = float64At(this.#answered, answer) + weight;
    if (answer === label) this.#right[answer] = float64At(this.#right, answer) + weight;
    this.#sum += this.#f1(answer);
  }

  #f1(q: number): number {
    const own = float64At(this.#own, q);
    return own === 0 ? 0 : (2 * float64At(this.#right, q)) / (own + float64At(this.#answered, q));
  }
}

function macroF1(rows: FittingRows, logits: Float64Array, offsets: Float64Array): number {
  const tally = new Tally(rows);
  for (const [i, label] of rows.labels.entries()) {
    tally.add(bestOf(logits, offsets, i, -1).answer, label, float64At(rows.weights, i));
  }
  return tally.mean;
}

/** The class with the largest `log p + d` of a row, one left out. */
function bestOf(logits: Float64Array, offsets: Float64Array, row: number, without: number) {
  const classes = offsets.length;
  let answer = -1;
  let most = Number.NEGATIVE_INFINITY;
  for (let q = 0; q < classes; q++) {
    const score = (logits[row * classes + q] ?? Number.NaN) + (offsets[q] ?? Number.NaN);
    if (q !== without && score > most) [answer, most] = [q, score];
  }
  return { answer, most };
}

/**
 * The best offset of one class. From the lowest on, it wins one row after the other from the class that would be answered
 * otherwise: one walk over the rows in that order sees every macro F1 that there is. Of equal ones, the nearest to the present offset.
 */
function bestOffset(rows: FittingRows, logits: Float64Array, offsets: Float64Array, q: number) {
  const { labels, weights, classes } = rows;
  const tally = new Tally(rows);
  const winning = Array.from(labels, (label, row) => {
    const { answer, most } = bestOf(logits, offsets, row, q);
    const weight = float64At(weights, row);
    tally.add(answer, label, weight);
    return { row, answer, label, weight, from: most - float64At(logits, row * classes + q) };
  }).sort((a, b) => a.from - b.from || a.row - b.row);
  const present = float64At(offsets, q);
  const first = winning[0]?.from ?? 0;
  let best = { offset: first - 1, score: tally.mean };
  for (const [k, { answer, label, weight, from }] of winning.entries()) {
    tally.add(answer, label, -weight);
    tally.add(q, label, weight);
    const next = winning[k + 1]?.from ?? from + 2;
    if (next === from) continue;
    const found = { offset: (from + next) / 2, score: tally.mean };
    const isNearer = Math.abs(found.offset - present) < Math.abs(best.offset - present);
    const gain = found.score - best.score;
    if (gain > NOTICEABLE || (gain > -NOTICEABLE && isNearer)) best = found;
  }
  return best;
}
