import { at, int32At } from '../checked-access.js';
import type { Split } from '../splits/split-dataset.js';

/** What networks learn from, as indices of the instances. */
export interface RowsOfNetworks {
  /** Of each network of a pack; of the only one, where there is no pack. */
  readonly rows: readonly Int32Array[];
  /** The same for the epochs in which held-out instances train too, if there are such. */
  readonly withHeldOut?: readonly Int32Array[];
}

/** Which rows of a split are learned from. */
interface RowsOptions {
  /** Whether the validation instances train too in the last epochs. @defaultValue false */
  readonly givesBack?: boolean;
  /** Whether each network of a pack learns from the folds but its own; else from all. @defaultValue true */
  readonly leaveOutFolds?: boolean;
}

/** With folds each network learns from those outside its own. */
export function rowsOfNetworks(
  { training, validation, folds }: Pick<Split, 'training' | 'validation' | 'folds'>,
  { givesBack = false, leaveOutFolds = true }: RowsOptions = {},
): RowsOfNetworks {
  if (folds !== undefined) {
    const rows = Array.from({ length: Math.max(...folds) + 1 }, (_, network) =>
      leaveOutFolds ? training.filter((_, row) => folds[row] !== network) : training,
    );
    return { rows };
  }
  if (!givesBack || validation.length === 0) return { rows: [training] };
  return { rows: [training], withHeldOut: [Int32Array.from([...training, ...validation]).sort()] };
}

/** How many rows of each class all networks learn from. */
export function countLearned(rows: readonly Int32Array[], labels: Int32Array, classes: number): number[] {
  const counts = new Array<number>(classes).fill(0);
  for (const own of rows) {
    for (const row of own) {
      const label = int32At(labels, row);
      counts[label] = at(counts, label) + 1;
    }
  }
  return counts;
}
