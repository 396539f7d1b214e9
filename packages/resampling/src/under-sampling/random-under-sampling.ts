import type { Labels, Values } from '../arrays.js';
import { checkData, checkSeed } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { rowsOfClass } from '../labelled-rows.js';
import { randomInteger, randomSubset, seededRandom } from '../random.js';
import { type Resampled, selection } from '../resampled.js';
import { resolveStrategy, type Strategy } from '../strategy.js';
import { selectPerClass } from './select-per-class.js';

/** Options of {@link randomUnderSampling}. */
export interface RandomUnderSamplingOptions {
  /** Decides every random choice. */
  readonly seed: number;
  /** Which classes keep how many rows; `'auto'` cuts all down to the size of the smallest. */
  readonly strategy?: Strategy;
  /** Whether a row may be drawn again; `false` unless given. */
  readonly replacement?: boolean;
}

/** Random under-sampling: of the larger classes only some rows are kept, drawn at random. */
export function randomUnderSampling(features: Values, labels: Labels, options: RandomUnderSamplingOptions): Resampled {
  const operation = 'randomUnderSampling';
  const { seed, strategy, replacement = false } = options;
  const data = checkData(features, labels, operation, { anyNumbers: true });
  checkSeed(seed, operation);
  const targets = resolveStrategy(strategy, data.counts, 'under-sampling', operation);
  const random = seededRandom(seed);
  const rows = selectPerClass(data, targets, ({ label, rows: count }) => {
    const own = rowsOfClass(data.labels, label);
    if (!replacement) return randomSubset(random, own, count);
    return new Int32Array(count).map(() => own[randomInteger(random, own.length)] ?? outside(own, 0));
  });
  return selection(rows, data.labels);
}
