import { float64At, int32At } from '../checked-access.js';
import type { Column, ColumnType } from '../dataset/column.js';
import type { TableDataset } from '../dataset/dataset.js';
import { UserError } from '../user-error.js';
import { datePartsFor } from './date-parts.js';
import { median } from './median.js';
import type { DatePart, FeatureRule, TablePreprocessing } from './preprocessing.js';
import { isMissing, readRawNumbers } from './raw-numbers.js';
import type { NumberRule } from './table-features.js';

/** A category that training saw once cannot be learned; it counts as unknown. */
const LEAST_CATEGORY_COUNT = 2;

/**
 * Learns from the training rows, and from no others, how each column becomes numbers:
 *
 * - numeric and boolean columns are standardised; what is missing or infinite is replaced by the median, and where that
 *   happens in training, a second feature says so;
 * - dates become days since 1970, standardised, and points on the circles of year, week and, where times differ, day;
 * - categories become codes, those seen once are unknown.
 *
 * A column that is constant in the training rows is centred and not scaled.
 */
export function fitTablePreprocessing(dataset: TableDataset, trainingRows: Int32Array): TablePreprocessing {
  const { name, target, columns } = dataset;
  if (columns.length === 0) {
    throw new UserError(
      `${name}: no column is left to learn from beside the target "${target}"; expected at least one. ` +
        'Columns that look like identifiers are left out',
    );
  }
  if (trainingRows.length === 0) throw new UserError(`${name}: there are no training rows to learn from`);
  return {
    kind: 'table',
    version: 1,
    target,
    columns: columns.map((column) => ({ type: typeOf(column), rules: rulesOf(column, trainingRows) })),
  };
}

/** A column without its values. */
function typeOf(column: Column): ColumnType {
  const { name, kind } = column;
  if (kind === 'boolean') return { name, kind, texts: column.texts };
  if (kind === 'categorical') return { name, kind, categories: column.categories };
  return { name, kind };
}

function rulesOf(column: Column, rows: Int32Array): FeatureRule[] {
  if (column.kind === 'categorical') return [categoryRule(column.codes, column.categories, rows)];
  if (column.kind !== 'date') return [numberRule(column, undefined, rows)];
  const { values } = column;
  const parts = datePartsFor(Array.from(rows, (row) => float64At(values, row)));
  // One flag is enough: parts of a date are missing together.
  return parts.map((part, i) => {
    const rule = numberRule(column, part, rows);
    return { ...rule, flagged: rule.flagged && i === 0 };
  });
}

function numberRule(column: Column, part: DatePart | undefined, rows: Int32Array): NumberRule {
  const raw = new Float64Array(rows.length);
  readRawNumbers(column, part, rows, raw);
  const values = withoutMissing(raw);
  return {
    kind: 'number',
    ...(part === undefined ? {} : { part }),
    // Points on a circle have their scale, and a tiny deviation of theirs may be nothing but rounding.
    ...(part === undefined || part === 'day' ? meanAndDeviation(values) : { mean: 0, std: 1 }),
    fill: median(values),
    flagged: values.length < raw.length,
  };
}

/** Moves the values to the front, over the missing ones. */
function withoutMissing(raw: Float64Array): Float64Array {
  let count = 0;
  for (const value of raw) if (!isMissing(value)) raw[count++] = value;
  return raw.subarray(0, count);
}

/** Mean and standard deviation. Of values that are all the same, that value and 1; of none, 0 and 1. */
function meanAndDeviation(values: Float64Array): { mean: number; std: number } {
  const [first = 0] = values;
  let [sum, varies] = [0, false];
  for (const value of values) {
    sum += value;
    varies ||= value !== first;
  }
  if (!varies) return { mean: first, std: 1 };
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, std: Math.sqrt(squares / values.length) };
}

function categoryRule(codes: Int32Array, categories: readonly string[], rows: Int32Array): FeatureRule {
  const counts = new Int32Array(categories.length);
  for (const row of rows) {
    const code = int32At(codes, row);
    if (code >= 0) counts[code] = int32At(counts, code) + 1;
  }
  // ONNX Runtime ends texts at a NUL character, and could take such a category for another one.
  const known = categories.filter(
    (text, code) => int32At(counts, code) >= LEAST_CATEGORY_COUNT && !text.includes('\0'),
  );
  return { kind: 'category', categories: known };
}
