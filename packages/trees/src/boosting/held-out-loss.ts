import { at } from '../checked-access.js';
import type { Workspace } from '../growth/workspace.js';
import { softmax } from '../losses/softmax.js';
import { type Layout, ROWS_PER_TASK } from '../memory/layout.js';
import type { Objective } from './gradients.js';

/** The probabilities of a row from a member's scores. */
function rowProbabilities(
  float64: Float64Array,
  layout: Layout,
  member: number,
  row: number,
  probabilities: Float64Array,
): void {
  const { trees } = layout;
  const scores = layout.scores / 8 + (member * layout.rows + row) * trees;
  probabilities[0] = 0;
  const skipped = probabilities.length - trees;
  for (let tree = 0; tree < trees; tree++) probabilities[skipped + tree] = float64[scores + tree] ?? 0;
  softmax(probabilities);
}

/** `[rows, classes]`: the probabilities of every row by the member that leaves it out; NaN for a row that none leaves out. */
export function heldOutProbabilities(memory: WebAssembly.Memory, layout: Layout, classes: number): Float32Array {
  const float64 = new Float64Array(memory.buffer);
  const folds = new Int32Array(memory.buffer, layout.folds, layout.rows);
  const result = new Float32Array(layout.rows * classes).fill(Number.NaN);
  const probabilities = new Float64Array(classes);
  folds.forEach((member, row) => {
    if (member < 0) return;
    rowProbabilities(float64, layout, member, row, probabilities);
    result.set(probabilities, row * classes);
  });
  return result;
}

/**
 * The mean loss of the rows that are left out, each by the member that leaves it out; null where there are none. Chunks are added in order, so that the number of
 * threads changes nothing.
 */
export function heldOutLoss(space: Workspace, { loss, labels, classes }: Objective): number | null {
  const { layout, team, int32, float32, float64 } = space;
  const sums = layout.chunkSums / 8;
  team.share(layout.chunks, (chunk) => {
    const probabilities = new Float64Array(classes);
    let sum = 0;
    let weights = 0;
    const to = Math.min(layout.rows, (chunk + 1) * ROWS_PER_TASK);
    for (let row = chunk * ROWS_PER_TASK; row < to; row++) {
      const member = at(int32, layout.folds / 4 + row);
      if (member < 0) continue;
      const label = at(int32, layout.labels / 4 + row);
      const weight = at(float32, layout.weights / 4 + row) * (labels.weights?.[label] ?? 1);
      rowProbabilities(float64, layout, member, row, probabilities);
      sum += weight * loss.value(probabilities, labels.rows, label * classes);
      weights += weight;
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
