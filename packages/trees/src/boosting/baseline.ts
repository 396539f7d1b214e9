import type { Workspace } from '../growth/workspace.js';
import { learnsFrom } from '../training-data.js';
import type { Objective } from './gradients.js';

/** Shares below this count as this: a class without rows has a score all the same. */
const SMALLEST_SHARE = 1e-7;

/**
 * The scores of a member before its first tree: the logarithms of the shares that the classes have in the labels of its rows, less what is added to the
 * scores in training. Negative labels count as 0 where they are all a class has.
 */
export function baselineOf({ layout, int32, float32 }: Workspace, objective: Objective, member: number): Float32Array {
  const { labels, classes } = objective;
  const labelRows = labels.rows.length / classes;
  const weights = new Float64Array(labelRows);
  for (let row = 0; row < layout.rows; row++) {
    if (!learnsFrom(member, int32[layout.folds / 4 + row] ?? -1)) continue;
    const label = int32[layout.labels / 4 + row] ?? 0;
    weights[label] = (weights[label] ?? 0) + (float32[layout.weights / 4 + row] ?? 0) * (labels.weights?.[label] ?? 1);
  }
  const shares = new Float64Array(classes);
  const offsets = new Float64Array(classes);
  let all = 0;
  for (let label = 0; label < labelRows; label++) {
    const weight = weights[label] ?? 0;
    all += weight;
    for (let k = 0; k < classes; k++) {
      shares[k] = (shares[k] ?? 0) + weight * (labels.rows[label * classes + k] ?? 0);
      offsets[k] = (offsets[k] ?? 0) + weight * (labels.offsets?.[label * classes + k] ?? 0);
    }
  }
  const total = shares.reduce((sum, share) => sum + Math.max(0, share), 0);
  const scores = shares.map((share, k) => {
    const logShare = total > 0 ? Math.log(Math.max(SMALLEST_SHARE, share / total)) : 0;
    return logShare - (all > 0 ? (offsets[k] ?? 0) / all : 0);
  });
  return scoresOfTrees(scores, layout.trees);
}

/** The scores of classes as trees have them: one tree for two classes has the score of the second, beside 0 of the first. */
export function scoresOfTrees(scores: ArrayLike<number>, trees: number): Float32Array {
  return trees < scores.length ? Float32Array.of((scores[1] ?? 0) - (scores[0] ?? 0)) : Float32Array.from(scores);
}
