import { at, float64At } from '../checked-access.js';
import type { Column, ColumnType } from '../dataset/column.js';

/**
 * A table as one array, row after row, `[rows, columns]`: numbers and dates as they are, categories and booleans as their codes,
 * missing values as NaN and −1. Rows of several requests are joined by putting their arrays behind each other, and a thread is given
 * one array instead of many.
 */
export type Cells = Float64Array<ArrayBuffer>;

export function cellsOf(columns: readonly Column[], rows: number): Cells {
  const cells = new Float64Array(rows * columns.length);
  for (const [place, column] of columns.entries()) {
    const values = 'codes' in column ? column.codes : column.values;
    for (let row = 0; row < rows; row++) cells[row * columns.length + place] = at(values, row);
  }
  return cells;
}

/** The inverse of {@link cellsOf}. */
export function columnsOf(types: readonly ColumnType[], cells: Cells): Column[] {
  const rows = cells.length / types.length;
  return types.map((type, place) => {
    const values = new Float64Array(rows);
    for (let row = 0; row < rows; row++) values[row] = float64At(cells, row * types.length + place);
    if (type.kind === 'numeric' || type.kind === 'date') return { ...type, values };
    return { ...type, codes: Int32Array.from(values) };
  });
}
