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
 * @param memberOf - for every row the one member that is asked, as for rows that it has left out. @defaultValue the mean of all
 * @throws {@link TreesError} if the table has other columns than the model
 */
export function predict(model: TreeModel, table: TableValues, memberOf?: Int32Array): Float32Array {
  const { classes, members } = model;
  const rows = rowsOf(model, table);
  checkMembers(model, memberOf, rows);
  const sums = new Float64Array(rows * classes);
  const probabilities = new Float64Array(classes);
  for (const [index, member] of members.entries()) {
    const asked = memberOf === undefined ? undefined : rowsOfMember(memberOf, index);
    const scores = memberScores(model, member, asked === undefined ? table : chosenRows(table, asked));
    for (let i = 0; i < scores.length / classes; i++) {
      const row = asked === undefined ? i : at(asked, i);
      probabilities.set(scores.subarray(i * classes, (i + 1) * classes));
      softmax(probabilities);
      for (let k = 0; k < classes; k++)
        sums[row * classes + k] = (sums[row * classes + k] ?? 0) + (probabilities[k] ?? 0);
    }
  }
  return Float32Array.from(sums, memberOf === undefined ? (sum) => sum / members.length : (sum) => sum);
}

/** `[rows, classes]`: what the trees of a member add up to. */
function memberScores(model: TreeModel, member: Member, table: TableValues): Float64Array {
  const { classes } = model;
  const rows = table.values.length / table.columns;
  const first = firstScored(model, member);
  const scores = new Float64Array(rows * classes);
  for (let row = 0; row < rows; row++) scores.set(member.baseline, row * classes + first);
  for (const round of member.rounds) {
    for (const [i, tree] of round.entries()) addScores(tree, table, scores.subarray(first + i), classes);
  }
  return scores;
}

function checkMembers({ members }: TreeModel, memberOf: Int32Array | undefined, rows: number): void {
  if (memberOf === undefined) return;
  if (memberOf.length !== rows)
    throw new TreesError(`predict: there are members for ${memberOf.length} rows; expected ${rows}, one per row`);
  const wrong = memberOf.findIndex((member) => member < 0 || member >= members.length);
  if (wrong >= 0)
    throw new TreesError(
      `predict: the member of row ${wrong} is ${memberOf[wrong]}; expected 0 to ${members.length - 1}`,
    );
}

function rowsOfMember(memberOf: Int32Array, member: number): Int32Array {
  return memberOf.map((_, row) => row).filter((row) => memberOf[row] === member);
}

function chosenRows({ values, columns }: TableValues, rows: Int32Array): TableValues {
  const chosen = new Float32Array(rows.length * columns);
  for (const [i, row] of rows.entries()) chosen.set(values.subarray(row * columns, (row + 1) * columns), i * columns);
  return { values: chosen, columns };
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
