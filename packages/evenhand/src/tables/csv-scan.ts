import { at, int32At } from '../checked-access.js';
import { withoutBlanks } from './cell-text.js';
import { NumberCells, TextCells } from './column-cells.js';
import type { CsvTokenizer } from './csv-tokenizer.js';
import { withRoom } from './growing-array.js';
import type { ChosenColumn, ColumnRequest, RawColumn, RawTable, RawTexts } from './raw-table.js';
import { decodeTexts } from './text-encoding.js';

/** Room is made for at most so many rows before they are there. */
const MOST_EXPECTED_ROWS = 2 ** 22;

interface ScannedColumn {
  /** Which column of the file it is. */
  readonly column: number;
  readonly name: string;
  readonly as: ChosenColumn['as'];
  /** Null once a text turned up behind numbers. */
  cells: NumberCells | TextCells | null;
}

/** One reading of a CSV file: collects the cells of the chosen columns. */
export class CsvScan {
  rows = 0;
  readonly #choose: ColumnRequest['choose'];
  #columns: ScannedColumn[] | null = null;
  #lines = new Int32Array(0);

  constructor(choose: ColumnRequest['choose']) {
    this.#choose = choose;
  }

  /**
   * Takes the tokenizer's rows, the very first as the header.
   *
   * @param times - how often as many rows are still to be expected
   */
  take(bytes: Buffer, tokenizer: CsvTokenizer, times: number): void {
    let firstRow = 0;
    if (this.#columns === null) {
      if (tokenizer.rows === 0) return;
      firstRow = 1;
      const expectedRows = Math.min(Math.ceil(1.02 * times * tokenizer.rows), MOST_EXPECTED_ROWS);
      this.#columns = scannedColumns(headerOf(bytes, tokenizer), this.#choose, expectedRows);
      this.#lines = new Int32Array(expectedRows);
    }
    for (const column of this.#columns) column.cells = appended(column, bytes, tokenizer, firstRow);
    const rows = this.rows + tokenizer.rows - firstRow;
    this.#lines = withRoom(this.#lines, rows);
    this.#lines.set(tokenizer.lines.subarray(firstRow, tokenizer.rows), this.rows);
    this.rows = rows;
  }

  /** The columns, by their index, in which a text turned up behind numbers: their texts are not known. */
  mixedColumns(): number[] {
    return (this.#columns ?? []).filter(({ cells }) => cells === null).map(({ column }) => column);
  }

  /** The columns, by their index, that are numbers with points: with decimal commas `1.000` is something else. */
  numberColumns(): number[] {
    return (this.#columns ?? []).filter(({ cells }) => cells instanceof NumberCells).map(({ column }) => column);
  }

  /** Takes the place of what was read before of the same columns. */
  replace(again: CsvScan): void {
    const columns = new Map(again.#columns?.map((own) => [own.column, own]));
    for (const own of this.#columns ?? []) own.cells = columns.get(own.column)?.cells ?? own.cells;
  }

  /** The texts of columns that might have been numbers as well. */
  textsAmongAny(): RawTexts[] {
    return (this.#columns ?? []).flatMap(({ as, cells, name }) =>
      as === 'any' && cells instanceof TextCells ? [cells.finish(name).column] : [],
    );
  }

  /** What was read. */
  table(): RawTable {
    const columns: RawColumn[] = [];
    const notes: string[] = [];
    for (const column of this.#columns ?? []) {
      if (column.cells instanceof NumberCells) columns.push(column.cells.finish(column.name));
      if (column.cells instanceof TextCells) {
        const finished = column.cells.finish(column.name);
        columns.push(finished.column);
        if (finished.windows1252) notes.push(`Column "${column.name}" is not valid UTF-8; it is read as Windows-1252.`);
      }
    }
    const lines = this.#lines;
    return { rows: this.rows, columns, numbering: { unit: 'line', of: (row) => int32At(lines, row) }, notes };
  }
}

function headerOf(bytes: Buffer, { columns, starts, ends }: CsvTokenizer): string[] {
  const cells: Buffer[] = [];
  const lengths: number[] = [];
  let length = 0;
  for (let column = 0; column < columns; column++) {
    const cell = bytes.subarray(starts[column], ends[column]);
    cells.push(cell);
    length += cell.length;
    lengths.push(length);
  }
  return decodeTexts(Buffer.concat(cells), lengths).texts.map(withoutBlanks);
}

function scannedColumns(
  header: readonly string[],
  choose: ColumnRequest['choose'],
  expectedRows: number,
): ScannedColumn[] {
  return choose(header).map(({ column, as }: ChosenColumn) => ({
    column,
    name: at(header, column),
    as,
    cells: as === 'any' ? new NumberCells(expectedRows) : new TextCells(expectedRows, 0, as),
  }));
}

/** The column with the tokenizer's rows from `firstRow` on. */
function appended(
  { cells, column }: ScannedColumn,
  bytes: Buffer,
  tokenizer: CsvTokenizer,
  firstRow: number,
): NumberCells | TextCells | null {
  if (cells instanceof NumberCells) {
    if (cells.append(bytes, tokenizer, firstRow, column)) return cells;
    // Missing cells are the same in both kinds of columns.
    if (!cells.onlyMissing) return null;
    const texts = new TextCells(cells.rows + tokenizer.rows, cells.rows, 'texts');
    texts.append(bytes, tokenizer, firstRow, column);
    return texts;
  }
  cells?.append(bytes, tokenizer, firstRow, column);
  return cells;
}
