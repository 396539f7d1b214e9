import type { Labels, Values } from '../arrays.js';
import { checkLabels, checkProbabilities } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { rowsOfClass } from '../labelled-rows.js';
import { type Resampled, selection } from '../resampled.js';
import { resolveStrategy, type Strategy } from '../strategy.js';
import { selectPerClass } from './select-per-class.js';

/** Options of {@link instanceHardnessThreshold}. */
export interface InstanceHardnessOptions {
  /** Which classes keep about how many rows; `'auto'` cuts all down to the size of the smallest. */
  readonly strategy?: Strategy;
}

/**
 * Instance hardness threshold (Smith et al. 2014): keeps the rows that a classifier finds easiest. Rows as hard as the last one that is kept
 * stay as well, so that there may be more than the strategy asks for.
 *
 * @param probabilities - what a classifier that has not seen the row in training, as in cross-validation, thinks of each class; one row per
 * label, one column per class
 */
export function instanceHardnessThreshold(
  probabilities: Values,
  labels: Labels,
  { strategy }: InstanceHardnessOptions = {},
): Resampled {
  const operation = 'instanceHardnessThreshold';
  const checked = checkLabels(labels, operation);
  const columns = checkProbabilities(probabilities, checked.labels, checked.counts, operation);
  const targets = resolveStrategy(strategy, checked.counts, 'under-sampling', operation);
  const data = { ...checked, features: new Float64Array(), columns: 0 };
  const rows = selectPerClass(data, targets, ({ label, rows: count }) => {
    const own = rowsOfClass(checked.labels, label);
    const easiness = Float64Array.from(
      own,
      (row) => probabilities[row * columns + label] ?? outside(probabilities, row),
    );
    const threshold = percentile(easiness, (1 - count / own.length) * 100);
    return own.filter((_, i) => (easiness[i] ?? 0) >= threshold);
  });
  return selection(rows, checked.labels);
}

/** With linear interpolation between neighbours in the sorted list, rounded as NumPy does: from the nearer end. */
function percentile(numbers: Float64Array, percent: number): number {
  const sorted = numbers.slice().sort();
  const place = (percent / 100) * (sorted.length - 1);
  const below = Math.floor(place);
  const rest = place - below;
  const lower = sorted[below] ?? outside(sorted, below);
  const upper = sorted[Math.min(below + 1, sorted.length - 1)] ?? lower;
  return rest < 0.5 ? lower + (upper - lower) * rest : upper - (upper - lower) * (1 - rest);
}
