import { checkInteger } from './check-arguments.js';
import { outside } from './checked-access.js';
import { countSynthetic, type Resampled } from './resampled.js';

/** Any array that a column of categories may be. */
type Categories<Value> = { readonly length: number; readonly [row: number]: Value };

/**
 * The matrix of a result, in the kind of array that the features are: the rows taken, then the synthetic ones.
 *
 * @param features - the matrix that was resampled, or any other with a row for each of its rows
 * @param columns - the number of its columns
 */
export function buildRows(features: Float32Array, resampled: Resampled, columns: number): Float32Array;
export function buildRows(features: Float64Array, resampled: Resampled, columns: number): Float64Array;
export function buildRows(features: readonly number[], resampled: Resampled, columns: number): number[];
export function buildRows(
  features: readonly number[] | Float32Array | Float64Array,
  resampled: Resampled,
  columns: number,
): number[] | Float32Array | Float64Array;
export function buildRows(
  features: readonly number[] | Float32Array | Float64Array,
  resampled: Resampled,
  columns: number,
): number[] | Float32Array | Float64Array {
  checkInteger(columns, 1, 'columns', 'buildRows');
  if (!Number.isInteger(features.length / columns)) {
    throw new RangeError(
      `buildRows: features has length ${features.length}; expected a multiple of ${columns} columns`,
    );
  }
  const count = (resampled.rows.length + countSynthetic(resampled)) * columns;
  if (features instanceof Float64Array) return fill(features, new Float64Array(count), resampled, columns);
  if (features instanceof Float32Array) return fill(features, new Float32Array(count), resampled, columns);
  return Array.from(fill(Float64Array.from(features), new Float64Array(count), resampled, columns));
}

function fill<Matrix extends Float32Array | Float64Array>(
  features: Matrix,
  into: Matrix,
  { rows, synthetic }: Resampled,
  columns: number,
): Matrix {
  for (let i = 0; i < rows.length; ) {
    // Rows that follow each other are copied in one go.
    const first = rows[i] ?? 0;
    const start = i++;
    while (i < rows.length && rows[i] === first + i - start) i++;
    into.set(features.subarray(first * columns, (first + i - start) * columns), start * columns);
  }
  const { offsets, parents, weights, categorical, donors, noise } = synthetic;
  const firstSynthetic = rows.length * columns;
  for (let row = 0; row + 1 < offsets.length; row++) {
    const place = firstSynthetic + row * columns;
    const [from, to] = [offsets[row] ?? 0, offsets[row + 1] ?? 0];
    const base = (parents[from] ?? outside(parents, from)) * columns;
    if (to === from + 1) into.set(features.subarray(base, base + columns), place);
    else if (to === from + 2) {
      const other = (parents[from + 1] ?? 0) * columns;
      const weight = weights[from + 1] ?? 0;
      for (let column = 0; column < columns; column++) {
        const value = features[base + column] ?? 0;
        into[place + column] = value + weight * ((features[other + column] ?? 0) - value);
      }
    } else {
      for (let column = 0; column < columns; column++) {
        const value = features[base + column] ?? 0;
        let shift = 0;
        for (let j = from + 1; j < to; j++) {
          shift += (weights[j] ?? 0) * ((features[(parents[j] ?? 0) * columns + column] ?? 0) - value);
        }
        into[place + column] = value + shift;
      }
    }
    for (let i = 0; i < categorical.length; i++) {
      const column = categorical[i] ?? 0;
      const donor = donors[row * categorical.length + i] ?? 0;
      into[place + column] = features[donor * columns + column] ?? outside(features, donor * columns + column);
    }
  }
  for (let i = 0; i < noise.length; i++) into[firstSynthetic + i] = (into[firstSynthetic + i] ?? 0) + (noise[i] ?? 0);
  return into;
}

/**
 * A column of categories of a result: texts, or anything else that cannot be interpolated. A synthetic row copies the value of its parent with
 * the largest weight, or, for the `n`th of the categorical columns of SMOTE-NC and SMOTEN, of the row that they chose.
 *
 * @param values - one for each row of the data that was resampled
 */
export function buildCategories<Value extends NonNullable<unknown> | null>(
  values: Categories<Value>,
  resampled: Resampled,
  n?: number,
): Value[] {
  const { rows, synthetic } = resampled;
  const { offsets, parents, weights, categorical, donors } = synthetic;
  if (n !== undefined && categorical.length > 0 && !(Number.isInteger(n) && n >= 0 && n < categorical.length)) {
    throw new RangeError(
      `buildCategories: n is ${n}; expected which of the ${categorical.length} categorical columns this is, counted from 0`,
    );
  }
  const taken = Array.from(rows, (row) => valueAt(values, row));
  for (let row = 0; row + 1 < offsets.length; row++) {
    let heaviest = offsets[row] ?? 0;
    for (let j = heaviest; j < (offsets[row + 1] ?? 0); j++)
      if ((weights[j] ?? 0) > (weights[heaviest] ?? 0)) heaviest = j;
    const chosen = n === undefined ? undefined : donors[row * categorical.length + n];
    taken.push(valueAt(values, chosen ?? parents[heaviest] ?? 0));
  }
  return taken;
}

function valueAt<Value extends NonNullable<unknown> | null>(values: Categories<Value>, row: number): Value {
  const value = values[row];
  if (value === undefined) {
    throw new RangeError(
      `buildCategories: values has ${values.length} entries and none for row ${row}; expected one, be it null, for each row that was resampled`,
    );
  }
  return value;
}
