import { at } from '../checked-access.js';
import { TreesError } from '../errors.js';
import { softmax } from '../losses/softmax.js';
import { firstScored, type Member, type TreeModel } from './model.js';
import type { Tree } from './tree.js';

/** A table of numbers, and of categories as numbers. */
export interface TableValues {
  /** `[rows, columns]`, row by row; missing values are NaN. */
  readonly values: Float32Array;
  readonly columns: number;
}

/**
 * Predicts the probabilities of rows: `[rows, classes]`.
 *
 * @throws {@link TreesError} if the table has other columns than the model
 */
export function predict(model: TreeModel, table: TableValues): Float32Array {
  const { classes, members } = model;
  const rows = rowsOf(model, table);
  const sums = new Float64Array(rows * classes);
  const probabilities = new Float64Array(classes);
  for (const member of members) {
    const first = firstScored(model, member);
    const scores = new Float64Array(rows * classes);
    for (let row = 0; row < rows; row++) scores.set(member.baseline, row * classes + first);
    for (const round of member.rounds) {
      for (const [i, tree] of round.entries()) addScores(tree, table, scores.subarray(first + i), classes);
    }
    for (let row = 0; row < rows; row++) {
      probabilities.set(scores.subarray(row * classes, (row + 1) * classes));
      softmax(probabilities);
      for (let k = 0; k < classes; k++)
        sums[row * classes + k] = (sums[row * classes + k] ?? 0) + (probabilities[k] ?? 0);
    }
  }
  return Float32Array.from(sums, (sum) => sum / members.length);
}

/** Adds the values of the leaves that rows come to. Trees are gone through one after the other, because one stays in the cache. */
function addScores(tree: Tree, { values, columns }: TableValues, scores: Float64Array, stride: number): void {
  const listed = tree.categories.map((categories) => (categories === null ? null : new Set(categories)));
  const { features, thresholds, missingLeft, left, right } = tree;
  for (let first = 0, target = 0; first < values.length; first += columns, target += stride) {
    let node = 0;
    for (let feature = features[0] ?? -1; feature >= 0; feature = features[node] ?? -1) {
      const value = values[first + feature] ?? Number.NaN;
      const categories = listed[node] ?? null;
      const goesLeft =
        categories === null
          ? value <= (thresholds[node] ?? 0) || (missingLeft[node] === 1 && Number.isNaN(value))
          : categories.has(value);
      node = (goesLeft ? left[node] : right[node]) ?? 0;
    }
    scores[target] = (scores[target] ?? 0) + (tree.values[node] ?? 0);
  }
}

function rowsOf({ columns }: TreeModel, table: TableValues): number {
  if (table.columns !== columns.length) {
    throw new TreesError(
      `predict: the table has ${table.columns} columns; expected ${columns.length}, as the trees were trained with`,
    );
  }
  const rows = table.values.length / table.columns;
  if (!Number.isInteger(rows)) {
    throw new TreesError(
      `predict: ${table.values.length} values cannot be rows of ${table.columns}; expected a multiple of it, row by row`,
    );
  }
  return rows;
}

/** By how much the splits by each column lower the loss in training, as shares that sum to 1; all 0 if there is no split. */
export function gainImportance({ columns, members }: TreeModel): Float64Array {
  const gains = new Float64Array(columns.length);
  for (const tree of members.flatMap(({ rounds }: Member) => rounds.flat())) {
    tree.features.forEach((feature, node) => {
      if (feature >= 0) gains[feature] = at(gains, feature) + at(tree.gains, node);
    });
  }
  const sum = gains.reduce((all, gain) => all + gain, 0);
  return sum > 0 ? gains.map((gain) => gain / sum) : gains;
}
