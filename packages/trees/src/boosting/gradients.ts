import { at } from '../checked-access.js';
import type { Units, Workspace } from '../growth/workspace.js';
import { crossEntropy } from '../losses/cross-entropy.js';
import type { LabelRows } from '../losses/labels.js';
import { type Loss, negativeMass } from '../losses/loss.js';
import { softmax } from '../losses/softmax.js';
import { ROWS_PER_TASK } from '../memory/layout.js';
import { BIN_BYTES } from '../wasm/histogram-kernels.js';

/** Labels and loss of a round. */
export interface Objective {
  readonly loss: Loss;
  readonly labels: LabelRows;
  readonly classes: number;
}

/** Sums of integers stay below 2^62, and each is exact as a number. */
const SUM_BITS = 61;
const VALUE_BITS = 50;
/** An array of 32-bit integers keeps the low word of what is written to it by itself. */
const HIGH_WORD = 2 ** -32;

/**
 * Units in which gradients and Hessians are integers: as small as they may be, given that no sum over rows may overflow. They come from bounds that
 * hold for all probabilities, so that they change only with the labels.
 */
export function unitsOf({ layout, int32, float32, countBits }: Workspace, objective: Objective): Units {
  const { loss, labels, classes } = objective;
  const bounds = Float64Array.from({ length: labels.rows.length / classes }, (_, row) => {
    return loss.bound(labels.rows, row * classes, classes) * (labels.weights?.[row] ?? 1);
  });
  let sum = 0;
  let largest = 0;
  for (let row = 0; row < layout.rows; row++) {
    const weight = float32[layout.weights / 4 + row] ?? 0;
    const bound = weight * (bounds[int32[layout.labels / 4 + row] ?? 0] ?? 0);
    sum += bound;
    largest = Math.max(largest, bound);
  }
  // Where nothing is to be learned every unit will do.
  if (largest === 0) return { gradient: 1, hessian: 1 };
  const bits = Math.floor(Math.min(SUM_BITS - Math.log2(sum), VALUE_BITS - Math.log2(largest)));
  // Hessians are at most a quarter of the bound.
  return { gradient: 2 ** -bits, hessian: 2 ** -(bits - countBits + 2) };
}

/** Writes gradients and Hessians of the rows of a chunk, for all trees of a member's round. */
export function writeGradients(
  space: Workspace,
  objective: Objective,
  units: Units,
  member: number,
  chunk: number,
): void {
  const { layout } = space;
  const from = chunk * ROWS_PER_TASK;
  const to = Math.min(layout.rows, from + ROWS_PER_TASK);
  if (layout.trees === 1 && objective.loss === crossEntropy) writeLogistic(space, objective, units, member, from, to);
  else writeSoftmax(space, objective, units, member, from, to);
}

/** Two classes and cross-entropy: the most frequent case, without a call per row. */
function writeLogistic(
  { layout, int32, float32, float64, countBits }: Workspace,
  { labels: { rows, weights, offsets } }: Objective,
  units: Units,
  member: number,
  from: number,
  to: number,
): void {
  const count = 2 ** countBits;
  const perGradient = 1 / units.gradient;
  const perHessian = 1 / units.hessian;
  const labelAt = layout.labels / 4;
  const weightAt = layout.weights / 4;
  const scores = layout.scores / 8 + member * layout.rows;
  const labelRows = rows.length / 2;
  const floors = Float64Array.from({ length: labelRows }, (_, row) => negativeMass(rows, 2 * row, 2) / 4);
  for (let row = from; row < to; row++) {
    const label = int32[labelAt + row] ?? 0;
    const second = 2 * label + 1;
    const offset = offsets === undefined ? 0 : (offsets[second] ?? 0) - (offsets[second - 1] ?? 0);
    const weight = (float32[weightAt + row] ?? 0) * (weights === undefined ? 1 : (weights[label] ?? 0));
    const y = 1 / (1 + Math.exp(-((float64[scores + row] ?? 0) + offset)));
    const sum = (rows[second - 1] ?? 0) + (rows[second] ?? 0);
    const gradient = weight * (sum * y - (rows[second] ?? 0));
    const hessian = weight * (Math.max(sum, 0) * y * (1 - y) + (floors[label] ?? 0));
    const word = (layout.statistics + BIN_BYTES * row) / 4;
    const g = Math.floor(gradient * perGradient + 0.5);
    const h = Math.floor(hessian * perHessian + 0.5) * count + 1;
    int32[word] = g;
    int32[word + 1] = Math.floor(g * HIGH_WORD);
    int32[word + 2] = h;
    int32[word + 3] = Math.floor(h * HIGH_WORD);
  }
}

function writeSoftmax(
  { layout, int32, float32, float64, countBits }: Workspace,
  { loss, labels, classes }: Objective,
  units: Units,
  member: number,
  from: number,
  to: number,
): void {
  const { trees } = layout;
  const count = 2 ** countBits;
  const perGradient = 1 / units.gradient;
  const perHessian = 1 / units.hessian;
  const scores = layout.scores / 8 + member * layout.rows * trees;
  const probabilities = new Float64Array(classes);
  const gradients = new Float64Array(classes);
  const hessians = new Float64Array(classes);
  // Of two classes only the second has trees.
  const skipped = classes - trees;
  for (let row = from; row < to; row++) {
    const label = at(int32, layout.labels / 4 + row);
    const weight = at(float32, layout.weights / 4 + row) * (labels.weights?.[label] ?? 1);
    probabilities[0] = 0;
    for (let tree = 0; tree < trees; tree++) probabilities[skipped + tree] = float64[scores + row * trees + tree] ?? 0;
    if (labels.offsets !== undefined) addOffsets(probabilities, labels.offsets, label * classes);
    softmax(probabilities);
    loss.derivatives(probabilities, labels.rows, label * classes, gradients, hessians);
    for (let tree = 0; tree < trees; tree++) {
      const word = (layout.statistics + BIN_BYTES * (tree * layout.rows + row)) / 4;
      const g = Math.floor(weight * (gradients[skipped + tree] ?? 0) * perGradient + 0.5);
      const h = Math.floor(weight * (hessians[skipped + tree] ?? 0) * perHessian + 0.5) * count + 1;
      int32[word] = g;
      int32[word + 1] = Math.floor(g * HIGH_WORD);
      int32[word + 2] = h;
      int32[word + 3] = Math.floor(h * HIGH_WORD);
    }
  }
}

/** Adds what belongs to a label in training to the scores of a row. */
export function addOffsets(values: Float64Array, offsets: Float32Array, first: number): void {
  for (let k = 0; k < values.length; k++) values[k] = (values[k] ?? 0) + (offsets[first + k] ?? 0);
}
