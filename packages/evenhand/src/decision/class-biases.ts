import { float64At, int32At, outside } from '../checked-access.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import type { FittingRows } from './fitting-rows.js';
import { minimise, type Slope } from './minimise.js';

/**
 * κ: how much the rows have to say against what is expected of a class beforehand. Where it is found half of the time, 5 rows move its
 * bias by a fifth of what they alone would say, 30 rows by three fifths, 300 by nearly all.
 */
const ROWS_OF_EXPECTATION = 10;

/** κ/κ_T: the temperature is one number for all classes, and 1 is only a guess at it, since logits come in any unit. */
const TEMPERATURE_FREEDOM = 10;

/** The strength of the expected shift, within which it is fitted. 0: none; 1: all of it; a bit more than that on either side. */
const WEAKEST = -1;
const STRONGEST = 2;
/** Halvings of that interval that leave an error below 1e-7. */
const HALVINGS = 25;

const LOWEST_TEMPERATURE = 0.05;
const HIGHEST_TEMPERATURE = 20;

/** What is fitted: `softmax(log p / T + b)`. */
export interface Biases {
  readonly temperature: number;
  readonly biases: Float64Array;
}

/** What is expected before the rows were looked at, and how far they may change it. */
export interface BiasOptions {
  /** The shift of the logits that is expected, but for its strength. @defaultValue none */
  readonly shift?: Float64Array;
  /** Whether the temperature is fitted; else it is 1. */
  readonly temperature: boolean;
  /** See {@link ROWS_OF_EXPECTATION}; 0 trusts the rows alone. */
  readonly expectation?: number;
}

/**
 * Minimises the weighted log-loss of `softmax(β·z + b + o)`, β = 1/T, o the known offsets of the rows, with a ridge that fades with
 * the number of rows:
 *
 * `Σ_i w_i·(log Σ_q exp(βz_iq + b_q + o_q) − βz_iy − b_y − o_y) + ½ Σ_p (w_p·κ/n_p)(b_p − τ·s_p)² + ½ (κ_T/n)(β − 1)²`
 *
 * with w_p the weights of class p together, n_p its rows, n = 1/Σ(w_p²/n_p) the rows that the weights are worth (Kish), s the
 * shift, and one strength τ for all classes, which is fitted first, with b = τ·s and β = 1, and again with the β found so. All of it is convex. A class without
 * rows stays at τ·s_p.
 *
 * @param logits - `[rows, classes]`
 */
export function fitBiases(rows: FittingRows, logits: Float64Array, options: BiasOptions): Biases {
  if (hasTooManyClasses(rows.classes)) return fitShared(rows, logits, options);
  const { shift = new Float64Array(rows.classes), temperature, expectation = ROWS_OF_EXPECTATION } = options;
  const fitted = (beta: number) =>
    fitAround(rows, logits, expectedBiases(rows, logits, shift, beta), { temperature, expectation });
  const first = fitted(1);
  return temperature && !isEven(shift) ? fitted(1 / first.temperature) : first;
}

function fitAround(
  rows: FittingRows,
  logits: Float64Array,
  expected: Float64Array,
  { temperature, expectation }: { readonly temperature: boolean; readonly expectation: number },
): Biases {
  const { classes, shares, counts } = rows;
  const ridge = shares.map((share, p) => (expectation * share) / Math.max(1, float64At(counts, p)));
  const worth = 1 / shares.reduce((sum, share, p) => sum + share ** 2 / Math.max(1, float64At(counts, p)), 0);
  // The last variable is β.
  const start = Float64Array.of(...expected, 1);
  const ridges = Float64Array.of(...ridge, expectation / TEMPERATURE_FREEDOM / worth);
  const fixed = Array.from(start, (_, k) => (k === classes ? !temperature : float64At(shares, k) === 0));
  const found = minimiseLoss({ rows, logits, start, ridges, fixed });
  const beta = float64At(found, classes);
  const bounded = Math.min(1 / LOWEST_TEMPERATURE, Math.max(1 / HIGHEST_TEMPERATURE, beta));
  if (bounded === beta) return { temperature: 1 / beta, biases: found.subarray(0, classes) };
  const atBound = Float64Array.of(...expected, bounded);
  const others = fixed.map((is, k) => is || k === classes);
  const refitted = minimiseLoss({ rows, logits, start: atBound, ridges, fixed: others });
  return { temperature: 1 / bounded, biases: refitted.subarray(0, classes) };
}

const isEven = (shift: Float64Array) => shift.every((entry) => entry === shift[0]);

/** Rows times classes that the two numbers of {@link fitShared} are fitted to: far more rows than they need. */
const MOST_NUMBERS = 2_000_000;

/**
 * With very many classes: the strength τ and the temperature alone, which all classes share. Each class has too few rows to say more, and
 * there are too many of them to fit one by one.
 */
function fitShared(all: FittingRows, allLogits: Float64Array, options: BiasOptions): Biases {
  const { classes } = all;
  const step = Math.max(1, Math.ceil(allLogits.length / MOST_NUMBERS));
  const chosen = Array.from(all.labels.keys()).filter((i) => i % step === 0);
  const rows = {
    ...all,
    labels: Int32Array.from(chosen, (i) => int32At(all.labels, i)),
    weights: Float64Array.from(chosen, (i) => float64At(all.weights, i)),
  };
  const logits = new Float64Array(chosen.length * classes);
  for (const [k, i] of chosen.entries()) logits.set(allLogits.subarray(i * classes, (i + 1) * classes), k * classes);
  const biases = expectedBiases(rows, logits, options.shift ?? new Float64Array(classes), 1);
  if (!options.temperature) return { temperature: 1, biases };
  // The loss is convex in β: its slope changes sign once, or the better bound is taken.
  let [low, high] = [Math.log(1 / HIGHEST_TEMPERATURE), Math.log(1 / LOWEST_TEMPERATURE)];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    const { gradient } = logLoss(rows, logits, Float64Array.of(...biases, Math.exp(middle)));
    if (float64At(gradient, classes) > 0) high = middle;
    else low = middle;
  }
  return { temperature: Math.exp(-(low + high) / 2), biases };
}

/** `τ·s` with the strength τ of the least loss: its slope rises with τ, so that halving finds where it is 0. */
function expectedBiases(rows: FittingRows, logits: Float64Array, shift: Float64Array, beta: number): Float64Array {
  if (isEven(shift)) return new Float64Array(shift.length);
  let [low, high] = [WEAKEST, STRONGEST];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    const scaled = shift.map((entry) => middle * entry);
    const { gradient } = logLoss(rows, logits, Float64Array.of(...scaled, beta));
    const slope = shift.reduce((sum, entry, q) => sum + entry * float64At(gradient, q), 0);
    if (slope > 0) high = middle;
    else low = middle;
  }
  return shift.map((entry) => ((low + high) / 2) * entry);
}

interface Problem {
  readonly rows: FittingRows;
  readonly logits: Float64Array;
  /** Where the ridge pulls to; biases, then β. */
  readonly start: Float64Array;
  readonly ridges: Float64Array;
  readonly fixed: readonly boolean[];
}

function minimiseLoss({ rows, logits, start, ridges, fixed }: Problem): Float64Array {
  // Steps are measured by the curvature at the start: the loss of a rare class is flat beside that of a frequent one.
  const { curvature } = logLoss(rows, logits, start);
  const scale = curvature.map((entry, k) => 1 / Math.sqrt(Math.max(entry + float64At(ridges, k), 1e-12)));
  const pointOf = (scaled: Float64Array) => start.map((entry, k) => entry + float64At(scaled, k) * float64At(scale, k));
  const slopeAt = (scaled: Float64Array): Slope => {
    const { value, gradient } = logLoss(rows, logits, pointOf(scaled));
    let penalty = 0;
    const whole = gradient.map((entry, k) => {
      if (fixed[k] === true) return 0;
      const distance = float64At(scaled, k) * float64At(scale, k);
      const pull = float64At(ridges, k) * distance;
      penalty += (pull * distance) / 2;
      return (entry + pull) * float64At(scale, k);
    });
    return { value: value + penalty, gradient: whole };
  };
  return pointOf(minimise(slopeAt, new Float64Array(start.length)));
}

/** The weighted log-loss at `(b, β)`, its gradient, and the diagonal of its Hessian. */
function logLoss(
  { labels, weights, offsets, classes }: FittingRows,
  logits: Float64Array,
  point: Float64Array,
): Slope & { readonly curvature: Float64Array } {
  const beta = float64At(point, classes);
  const gradient = new Float64Array(classes + 1);
  const curvature = new Float64Array(classes + 1);
  const powers = new Float64Array(classes);
  let value = 0;
  for (let i = 0; i < labels.length; i++) {
    const weight = float64At(weights, i);
    if (weight === 0) continue;
    const first = i * classes;
    const label = int32At(labels, i);
    let most = Number.NEGATIVE_INFINITY;
    for (let q = 0; q < classes; q++) {
      const [z, b, offset] = [logits[first + q], point[q], offsets[q]];
      if (z === undefined || b === undefined || offset === undefined) throw outside(logits, first + q);
      const score = beta * z + b + offset;
      powers[q] = score;
      if (score > most) most = score;
    }
    const own = float64At(powers, label);
    let sum = 0;
    for (let q = 0; q < classes; q++) {
      const power = Math.exp((powers[q] ?? Number.NaN) - most);
      powers[q] = power;
      sum += power;
    }
    value += weight * (most + Math.log(sum) - own);
    let mean = 0;
    let square = 0;
    for (let q = 0; q < classes; q++) {
      const share = (powers[q] ?? Number.NaN) / sum;
      const z = logits[first + q] ?? Number.NaN;
      gradient[q] = (gradient[q] ?? Number.NaN) + weight * share;
      curvature[q] = (curvature[q] ?? Number.NaN) + weight * share * (1 - share);
      mean += share * z;
      square += share * z * z;
    }
    gradient[label] = float64At(gradient, label) - weight;
    gradient[classes] = float64At(gradient, classes) + weight * (mean - float64At(logits, first + label));
    curvature[classes] = float64At(curvature, classes) + weight * Math.max(0, square - mean * mean);
  }
  return { value, gradient, curvature };
}
