import { type ClassificationReport, confusionMatrix, type Values } from '@evenhand/encoding';
import { seededRandom } from '@evenhand/engine';
import { at, int32At } from '../checked-access.js';
import { type Estimate, percentileEstimate } from './estimate.js';
import { confusionResampler } from './resampled-confusion.js';
import { type SparseConfusion, sparseConfusion } from './sparse-confusion.js';

/** What the answers to a test set cost. */
export interface Costs {
  readonly total: number;
  /** Per instance. */
  readonly mean: Estimate;
  /** The same if the likeliest class were always answered. */
  readonly likeliest: { readonly total: number; readonly mean: number };
}

/** What to measure the costs of. */
interface CostedOutputs {
  readonly labels: Int32Array;
  readonly probabilities: Values;
  readonly seed: number;
}

/** Costs of the answers that a report is about, and of the likeliest classes beside them. */
export function costEstimates(
  { labels, probabilities, seed }: CostedOutputs,
  costs: readonly (readonly number[])[],
  report: ClassificationReport,
  resamples: number,
): Costs {
  const classes = report.perClass.length;
  const total = ({ rows, columns, counts }: SparseConfusion) =>
    counts.reduce((sum, count, cell) => sum + count * at(at(costs, int32At(rows, cell)), int32At(columns, cell)), 0);
  const confusion = sparseConfusion(report.confusionMatrix, classes);
  const resample = confusionResampler(confusion, seededRandom(seed, 'bootstrap/costs'));
  const draws = Array.from({ length: resamples }, () => total(resample()) / report.instances);
  const likeliest = sparseConfusion(confusionMatrix(labels, probabilities, classes), classes);
  const [ours, theirs] = [total(confusion), total(likeliest)];
  return {
    total: ours,
    mean: percentileEstimate({ value: ours / report.instances }, draws),
    likeliest: { total: theirs, mean: theirs / report.instances },
  };
}
