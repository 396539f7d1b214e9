import { crossEntropy } from './cross-entropy.js';
import { focal } from './focal.js';
import type { Loss } from './loss.js';
import { meanSquareError } from './mean-square-error.js';

/** What is minimised. */
export type LossOptions =
  | { readonly name: 'cross-entropy' }
  | { readonly name: 'focal'; readonly gamma: number }
  | { readonly name: 'mean-square-error' };

export function lossOf(options: LossOptions): Loss {
  if (options.name === 'focal') return focal(options.gamma);
  return options.name === 'cross-entropy' ? crossEntropy : meanSquareError;
}

/** The targets of training. Every row of the data refers to one of these label rows by its index. */
export interface LabelRows {
  /** `[label rows, classes]`. Entries may be negative or above 1, and need not sum to 1. */
  readonly rows: Float32Array;
  /** What the loss of a row with this label is multiplied by. @defaultValue all 1 */
  readonly weights?: Float32Array;
  /** `[label rows, classes]`: added to the scores of rows with this label in training only. @defaultValue all 0 */
  readonly offsets?: Float32Array;
}

/** Label rows of one-hot labels: the identity. */
export function oneHotRows(classes: number): LabelRows {
  const rows = new Float32Array(classes * classes);
  for (let k = 0; k < classes; k++) rows[k * classes + k] = 1;
  return { rows };
}
