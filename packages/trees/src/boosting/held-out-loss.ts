import { at } from '../checked-access.js';
import type { Workspace } from '../growth/workspace.js';
import type { LabelRows } from '../losses/labels.js';
import { softmax } from '../losses/softmax.js';
import { type Layout, ROWS_PER_TASK } from '../memory/layout.js';
import { learnsFrom } from '../training-data.js';
import { addOffsets, type Objective } from './gradients.js';

/** The scores of a row by a member, one per class. */
export function rowScores(
  float64: Float64Array,
  layout: Layout,
  member: number,
  row: number,
  classScores: Float64Array,
): void {
  const { trees } = layout;
  const scores = layout.scores / 8 + (member * layout.rows + row) * trees;
  classScores[0] = 0;
  const skipped = classScores.length - trees;
  for (let tree = 0; tree < trees; tree++) classScores[skipped + tree] = float64[scores + tree] ?? 0;
}

/** `[rows, classes]`: the probabilities of every row by the member that leaves it out; NaN for a row that none leaves out. */
export function heldOutProbabilities(memory: WebAssembly.Memory, layout: Layout, classes: number): Float32Array {
  const float64 = new Float64Array(memory.buffer);
  const folds = new Int32Array(memory.buffer, layout.folds, layout.rows);
  const result = new Float32Array(layout.rows * classes).fill(Number.NaN);
  const probabilities = new Float64Array(classes);
  folds.forEach((member, row) => {
    if (member < 0) return;
    rowScores(float64, layout, member, row, probabilities);
    softmax(probabilities);
    result.set(probabilities, row * classes);
  });
  return result;
}

/** The mean loss of the rows that are left out, each by the member that leaves it out; null where there are none. */
export function heldOutLoss(space: Workspace, objective: Objective): number | null {
  return meanLoss(space, { ...objective, labels: withoutOffsets(objective.labels) }, 'held out');
}

/** Rows that the loss of training is measured on: it is a curve to look at, and must not take long. */
const LOSS_ROWS = 1024;

/** The mean loss of the rows that members learn from, over all members; of many rows, of some that are evenly spread. */
export function trainingLoss(space: Workspace, objective: Objective): number {
  return meanLoss(space, objective, 'learned from') ?? 0;
}

/** Offsets are for training only. */
function withoutOffsets({ offsets: _, ...labels }: LabelRows): LabelRows {
  return labels;
}

/**
 * The mean loss over members and rows. Chunks are added in order, so that the number of threads changes nothing.
 *
 * @param which - the rows that count for a member
 */
function meanLoss(
  space: Workspace,
  { loss, labels, classes }: Objective,
  which: 'held out' | 'learned from',
): number | null {
  const { layout, team, int32, float32, float64 } = space;
  const sums = layout.chunkSums / 8;
  const step = which === 'held out' ? 1 : Math.ceil(layout.rows / LOSS_ROWS);
  team.share(layout.chunks, (chunk) => {
    const probabilities = new Float64Array(classes);
    let sum = 0;
    let weights = 0;
    const to = Math.min(layout.rows, (chunk + 1) * ROWS_PER_TASK);
    const from = Math.ceil((chunk * ROWS_PER_TASK) / step) * step;
    for (let row = from; row < to; row += step) {
      const fold = at(int32, layout.folds / 4 + row);
      const label = at(int32, layout.labels / 4 + row);
      const weight = at(float32, layout.weights / 4 + row) * (labels.weights?.[label] ?? 1);
      const [first, last] = which === 'held out' ? [fold, fold] : [0, layout.members - 1];
      for (let member = Math.max(0, first); member <= last; member++) {
        if (which === 'learned from' && !learnsFrom(member, fold)) continue;
        rowScores(float64, layout, member, row, probabilities);
        if (labels.offsets !== undefined) addOffsets(probabilities, labels.offsets, label * classes);
        softmax(probabilities);
        sum += weight * loss.value(probabilities, labels.rows, label * classes);
        weights += weight;
      }
    }
    float64[sums + 2 * chunk] = sum;
    float64[sums + 2 * chunk + 1] = weights;
  });
  let sum = 0;
  let weights = 0;
  for (let chunk = 0; chunk < layout.chunks; chunk++) {
    sum += at(float64, sums + 2 * chunk);
    weights += at(float64, sums + 2 * chunk + 1);
  }
  return weights > 0 ? sum / weights : null;
}
