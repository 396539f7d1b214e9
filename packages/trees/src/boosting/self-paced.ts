import { at } from '../checked-access.js';
import type { Workspace } from '../growth/workspace.js';
import { softmax } from '../losses/softmax.js';
import { learnsFrom } from '../training-data.js';
import type { Objective } from './gradients.js';
import { rowScores } from './held-out-loss.js';
import type { RowShares } from './sample.js';

/** Bins of hardness, as the authors have them. */
const HARDNESS_BINS = 20;

/** What a self-paced draw goes by. */
interface SelfPacedDraw {
  readonly member: number;
  readonly classShares: readonly number[];
  /** The part of all rounds that is over. */
  readonly progress: number;
}

/**
 * Self-paced under-sampling (Liu et al. 2020). Rows of a label with a share below 1 are put into bins by their hardness h, which is `1 − p` of their class by the trees
 * that are there. From bin b come rows in proportion to `1/(h_b + α)`, h_b being its mean hardness, with `α = tan(π/2·progress)`. At first every bin has the
 * same hardness in all, and most rows are easy ones; the later the round, the more do bins count alike, and the few hard rows weigh as much as the many easy ones.
 */
export function selfPacedShares(
  space: Workspace,
  objective: Objective,
  { member, classShares, progress }: SelfPacedDraw,
): ReturnType<NonNullable<RowShares['shares']>> {
  const { layout, int32, float32 } = space;
  const hardness = hardnessOf(space, objective, member);
  const alpha = Math.tan((Math.PI / 2) * progress);
  const shares = classShares.map((share, label) => {
    if (share === 1) return undefined;
    const bins = { rows: new Float64Array(HARDNESS_BINS), sums: new Float64Array(HARDNESS_BINS) };
    for (let row = 0; row < layout.rows; row++) {
      if (int32[layout.labels / 4 + row] !== label || !learnsFrom(member, int32[layout.folds / 4 + row] ?? -1))
        continue;
      if ((float32[layout.weights / 4 + row] ?? 0) === 0) continue;
      const bin = binOf(at(hardness, row));
      bins.rows[bin] = at(bins.rows, bin) + 1;
      bins.sums[bin] = at(bins.sums, bin) + at(hardness, row);
    }
    return sharesOfBins(bins.rows, bins.sums, share, alpha);
  });
  return (row, label) => shares[label]?.[binOf(at(hardness, row))] ?? 1;
}

/** Of each bin, the share of its rows that is drawn: `share·n` rows in all, as far as the bins have them. */
export function sharesOfBins(rows: Float64Array, sums: Float64Array, share: number, alpha: number): Float64Array {
  const weights = rows.map((count, bin) => (count === 0 ? 0 : 1 / (at(sums, bin) / count + alpha + Number.EPSILON)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const wanted = share * rows.reduce((sum, count) => sum + count, 0);
  return rows.map((count, bin) => (count === 0 ? 0 : Math.min(1, (wanted * at(weights, bin)) / total / count)));
}

function binOf(hardness: number): number {
  return Math.min(HARDNESS_BINS - 1, Math.floor(hardness * HARDNESS_BINS));
}

/** `1 − Σ l_q·p_q` of every row, between 0 and 1. */
function hardnessOf(
  { layout, int32, float64 }: Workspace,
  { labels, classes }: Objective,
  member: number,
): Float64Array {
  const probabilities = new Float64Array(classes);
  return Float64Array.from({ length: layout.rows }, (_, row) => {
    rowScores(float64, layout, member, row, probabilities);
    softmax(probabilities);
    const label = int32[layout.labels / 4 + row] ?? 0;
    let right = 0;
    for (let k = 0; k < classes; k++) right += (labels.rows[label * classes + k] ?? 0) * at(probabilities, k);
    return Math.min(1, Math.max(0, 1 - right));
  });
}
