import { TreesError } from './errors.js';
import { type LabelRows, oneHotRows } from './losses/labels.js';
import type { TableValues } from './model/predict.js';

/** What trees are trained with. */
export interface TrainingData extends TableValues {
  /** Indices of the columns whose numbers are categories. In a column of more than 255 categories, only the most frequent have bins of their own. */
  readonly categorical?: readonly number[];
  readonly classes: number;
  /** The class of every row; with `labelRows`, the label row of every row. */
  readonly labels: Int32Array;
  /** The label rows that `labels` refers to, if labels are not one-hot. */
  readonly labelRows?: LabelRows;
  /** What the loss of every row is multiplied by. Rows of weight 0 teach nothing. @defaultValue all 1 */
  readonly weights?: Float32Array;
  /**
   * For K members: the member, 0 to K − 1, that leaves a row out, or −1 for a row that all learn from. Held-out rows tell when to stop. A single
   * validation set is fold 0, beside −1 for all other rows. A row that member m alone learns from, such as a synthetic one, has −2 − m.
   * @defaultValue one member that learns from all rows
   */
  readonly folds?: Int32Array;
  /** The scores of the classes before the first tree. @defaultValue for each member the logarithms of the shares that the classes have in the labels of its rows */
  readonly baseline?: Float32Array;
}

/** Data that has been checked. */
export interface CheckedData {
  readonly rows: number;
  readonly members: number;
  readonly labels: LabelRows;
}

/** The fold of a row that a member alone learns from; and from such a fold, the member. */
function onlyFor(memberOrFold: number): number {
  return -2 - memberOrFold;
}

/** Whether a member learns from the rows of a fold. */
export function learnsFrom(member: number, fold: number): boolean {
  return fold < -1 ? onlyFor(fold) === member : fold !== member;
}

/** Members that a model may have. */
const MOST_MEMBERS = 255;

/**
 * Checks all that training would otherwise stumble over.
 *
 * @throws {@link TreesError}
 */
export function checkData(data: TrainingData): CheckedData {
  const { values, columns, classes, categorical = [] } = data;
  if (!Number.isInteger(columns) || columns < 1) {
    throw new TreesError(`fit: the table has ${columns} columns; expected at least 1 to learn from`);
  }
  const rows = values.length / columns;
  if (!Number.isInteger(rows) || rows < 1) {
    throw new TreesError(
      `fit: ${values.length} values cannot be rows of ${columns}; expected a multiple of it, row by row`,
    );
  }
  if (!Number.isInteger(classes) || classes < 2)
    throw new TreesError(`fit: there are ${classes} classes; expected at least 2`);
  for (const column of categorical) {
    if (!Number.isInteger(column) || column < 0 || column >= columns) {
      throw new TreesError(`fit: "categorical" names column ${column}; expected 0 to ${columns - 1}`);
    }
  }
  checkValues(values, columns);
  const labels = data.labelRows ?? oneHotRows(classes);
  checkLabels(data, labels, rows);
  checkBaseline(data);
  return { rows, labels, members: checkFolds(data, rows) };
}

function checkBaseline({ baseline, classes }: TrainingData): void {
  if (baseline === undefined || (baseline.length === classes && baseline.every(Number.isFinite))) return;
  throw new TreesError(`fit: "baseline" is ${baseline.join(', ')}; expected ${classes} finite numbers, one per class`);
}

function checkValues(values: Float32Array, columns: number): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      throw new TreesError(
        `fit: row ${Math.floor(i / columns)}, column ${i % columns} is ${value}; expected a number within float32, or NaN for a missing one. ` +
          'Replace infinite values, by the largest number that makes sense or by NaN',
      );
    }
  }
}

function checkLabels(
  { classes, labels, labelRows, weights }: TrainingData,
  { rows: all }: LabelRows,
  rows: number,
): void {
  const count = all.length / classes;
  if (!Number.isInteger(count)) {
    throw new TreesError(`fit: label rows have ${all.length} entries; expected a multiple of the ${classes} classes`);
  }
  checkLabelRows(labelRows, count, classes);
  if (labels.length !== rows)
    throw new TreesError(`fit: there are ${labels.length} labels; expected ${rows}, one per row`);
  labels.forEach((label, row) => {
    if (label < 0 || label >= count) {
      throw new TreesError(`fit: the label of row ${row} is ${label}; expected 0 to ${count - 1}`);
    }
  });
  if (weights === undefined) return;
  if (weights.length !== rows)
    throw new TreesError(`fit: there are ${weights.length} weights; expected ${rows}, one per row`);
  weights.forEach((weight, row) => {
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new TreesError(`fit: the weight of row ${row} is ${weight}; expected a finite number from 0 on`);
    }
  });
}

/** Label rows, their weights and offsets: of the right sizes, and finite. */
export function checkLabelRows(labelRows: LabelRows | undefined, count: number, classes: number): void {
  if (labelRows === undefined) return;
  const { rows, weights = new Float32Array(count), offsets = rows } = labelRows;
  if (rows.length !== count * classes || weights.length !== count || offsets.length !== rows.length) {
    throw new TreesError(
      `fit: label rows, their weights and offsets have ${rows.length}, ${weights.length} and ${offsets.length} entries; ` +
        `expected ${count * classes}, ${count} and ${count * classes}`,
    );
  }
  const infinite = [rows, weights, offsets].flatMap((values) => values.findIndex((value) => !Number.isFinite(value)));
  if (infinite.some((index) => index >= 0) || weights.some((weight) => weight < 0)) {
    throw new TreesError(
      'fit: label rows, their weights or offsets are not finite, or a weight is negative; expected finite numbers and weights from 0 on',
    );
  }
}

function checkFolds({ folds, labels, labelRows, weights, classes }: TrainingData, rows: number): number {
  if (folds !== undefined && folds.length !== rows) {
    throw new TreesError(`fit: there are ${folds.length} folds; expected ${rows}, one per row`);
  }
  let members = 1;
  folds?.forEach((fold, row) => {
    if (fold < onlyFor(MOST_MEMBERS - 1) || fold >= MOST_MEMBERS) {
      throw new TreesError(
        `fit: the fold of row ${row} is ${fold}; expected −1 to ${MOST_MEMBERS - 1}, or −2 − m for a row of member m alone`,
      );
    }
    members = Math.max(members, fold + 1, onlyFor(fold) + 1);
  });
  const learned = Array.from({ length: members }, () => new Set<number>());
  for (let row = 0; row < rows; row++) {
    const label = labels[row] ?? 0;
    if ((weights?.[row] ?? 1) * (labelRows?.weights?.[label] ?? 1) === 0) continue;
    learned.forEach((seen, member) => {
      if (seen.size < 2 && learnsFrom(member, folds?.[row] ?? -1)) seen.add(label);
    });
  }
  learned.forEach((seen, member) => {
    const of = members === 1 ? '' : ` that member ${member} learns from`;
    if (seen.size === 0) {
      throw new TreesError(
        `fit: all rows${of} have weight 0; expected some with a weight, or there is nothing to learn`,
      );
    }
    if (seen.size === 1 && labelRows === undefined) {
      throw new TreesError(
        `fit: all rows${of} are of class ${[...seen][0]}; expected rows of at least 2 of the ${classes} classes. ` +
          'Use fewer folds, or stratified ones',
      );
    }
  });
  return members;
}
