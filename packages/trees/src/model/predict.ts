import { softmax } from '../boosting/gradients.js';
import { at } from '../checked-access.js';
import { TreesError } from '../errors.js';
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
  const result = new Float64Array(rows * classes);
  const scores = new Float64Array(classes);
  for (const member of members) {
    const prepared = member.rounds.map((trees) => trees.map((tree) => ({ tree, listed: tree.categories.map(setOf) })));
    const first = firstScored(model, member);
    for (let row = 0; row < rows; row++) {
      scores.fill(0);
      scores.set(member.baseline, first);
      for (const round of prepared) {
        for (let i = 0; i < round.length; i++) {
          const { tree, listed } = at(round, i);
          const leaf = leafOf(tree, listed, table.values, row * table.columns);
          scores[first + i] = (scores[first + i] ?? 0) + (tree.values[leaf] ?? 0);
        }
      }
      softmax(scores);
      for (let k = 0; k < classes; k++) result[row * classes + k] = (result[row * classes + k] ?? 0) + (scores[k] ?? 0);
    }
  }
  return Float32Array.from(result, (sum) => sum / members.length);
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

function setOf(categories: Float32Array | null): ReadonlySet<number> | null {
  return categories === null ? null : new Set(categories);
}

function leafOf(
  tree: Tree,
  listed: readonly (ReadonlySet<number> | null)[],
  values: Float32Array,
  first: number,
): number {
  let node = 0;
  for (let feature = tree.features[0] ?? -1; feature >= 0; feature = tree.features[node] ?? -1) {
    const value = values[first + feature] ?? Number.NaN;
    const categories = listed[node] ?? null;
    const left =
      categories === null
        ? value <= (tree.thresholds[node] ?? 0) || (Number.isNaN(value) && tree.missingLeft[node] === 1)
        : categories.has(value);
    node = (left ? tree.left[node] : tree.right[node]) ?? 0;
  }
  return node;
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
