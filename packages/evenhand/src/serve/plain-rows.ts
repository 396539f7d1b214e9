import type { ColumnType } from '../dataset/column.js';
import { columnsOfRows } from '../sources/table-columns.js';
import { type Cells, cellsOf } from './cells.js';

/** The cell of a value that means the same in any table; undefined if that takes a closer look. */
type CellOf = (value: unknown) => number | undefined;

/**
 * Reads rows of which every value is plain: a finite number where a number is expected, a known category letter by letter. Most
 * requests are like this, and are read many times faster than by `columnsOfRows`, which says what the values mean and is asked about
 * all other requests.
 */
export class PlainRows {
  readonly #names: readonly string[];
  readonly #cellOf: readonly CellOf[];

  constructor(types: readonly ColumnType[]) {
    this.#names = types.map(({ name }) => name);
    this.#cellOf = types.map(cellReader);
  }

  /** @returns undefined unless all rows have all columns, no others, and plain values in them */
  read(rows: readonly unknown[]): Cells | undefined {
    const columns = this.#names.length;
    const cells = new Float64Array(rows.length * columns);
    let next = 0;
    for (const row of rows) {
      if (typeof row !== 'object' || row === null) return undefined;
      const values = new Map<string, unknown>(Object.entries(row));
      if (values.size !== columns) return undefined;
      for (const [place, name] of this.#names.entries()) {
        const cell = this.#cellOf[place]?.(values.get(name));
        if (cell === undefined) return undefined;
        cells[next++] = cell;
      }
    }
    return cells;
  }
}

function cellReader(type: ColumnType): CellOf {
  if (type.kind === 'numeric') {
    return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
  }
  if (type.kind === 'date') return () => undefined;
  const values = type.kind === 'boolean' ? [false, true, ...type.texts] : type.categories;
  const codes = new Map<unknown, number>();
  for (const value of values) {
    const { columns, rows } = columnsOfRows([Object.fromEntries([[type.name, value]])], [type]);
    const [code] = cellsOf(columns, rows);
    if (code !== undefined && code >= 0) codes.set(value, code);
  }
  return (value) => codes.get(value);
}
