import type { Dataset } from '../dataset/dataset.js';
import { allInstances } from '../dataset/instances.js';
import { UserError } from '../user-error.js';
import { drawFolds } from './draw-folds.js';
import { keptTogether } from './split-dataset.js';

/** How a data set is divided into folds. */
export interface FoldOptions {
  /** How many, at least two. */
  readonly folds: number;
  /** Decides which instances are in which fold. */
  readonly seed: number;
  /** A column: rows with the same value, such as a patient, are in one fold. */
  readonly group?: string;
  /** Whether instances with the same features are kept in one fold. @defaultValue true */
  readonly duplicatesTogether?: boolean;
}

/**
 * Divides a data set into folds for cross-validation: every instance is in one fold, and every class is spread evenly over the folds. A
 * class with fewer instances than folds has one each in as many folds as it has instances.
 *
 * @returns the fold of every instance, from 0
 * @throws UserError for fewer than two folds, or more folds than instances
 *
 * @example
 * ```ts
 * const foldOf = stratifiedFolds(dataset, { folds: 5, seed: 0 });
 * ```
 */
export function stratifiedFolds(dataset: Dataset, { folds, seed, ...together }: FoldOptions): Int32Array {
  const instances = allInstances(dataset);
  if (!Number.isInteger(folds) || folds < 2 || folds > instances.length) {
    throw new UserError(
      `folds is ${folds}; expected an integer from 2 to the number of instances, of which ${dataset.name} has ${instances.length}`,
    );
  }
  return drawFolds({ dataset, instances, blockOf: keptTogether(dataset, together) }, folds, seed);
}
