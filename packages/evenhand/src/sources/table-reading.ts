import type { Config } from '../config/schema.js';
import { numberOfText } from '../tables/cell-text.js';
import type { GivenType } from '../tables/column-typing.js';
import { DECIMAL_MARKS, type DecimalMark } from '../tables/decimal-mark.js';
import { DELIMITERS, type Delimiter } from '../tables/delimiter.js';
import type { RawTable } from '../tables/raw-table.js';

/** What a user says of how a table is to be read; all of it is told by the file unless given. */
export interface TableReading {
  /** What stands between the cells of a text file. */
  readonly delimiter?: Delimiter | undefined;
  /** How numbers are written in it. */
  readonly decimalMark?: DecimalMark | undefined;
  /** What columns are, by their names. */
  readonly types?: Readonly<Record<string, GivenType>> | undefined;
  /** What to do about the few cells that are no numbers, or no dates, in a column of such. @defaultValue `missing` */
  readonly invalidCells?: 'missing' | 'refuse' | undefined;
}

/** How the table of a configuration is to be read. */
export function tableReading({ delimiter, decimal, types, invalidCells }: Config['data']): TableReading {
  return {
    delimiter: delimiter === undefined ? undefined : DELIMITERS[delimiter],
    decimalMark: decimal === undefined ? undefined : DECIMAL_MARKS[decimal],
    types,
    invalidCells,
  };
}

/** What the user says that a column is. */
export function givenType({ types }: TableReading, name: string): GivenType | undefined {
  return types !== undefined && Object.hasOwn(types, name) ? types[name] : undefined;
}

/** How the numbers of a table may be written, the likeliest way first. What the user says leaves no choice. */
export function decimalMarksOf({ writing }: RawTable, { decimalMark }: TableReading): readonly DecimalMark[] {
  if (decimalMark !== undefined) return [decimalMark];
  return writing?.decimalMark === ',' ? [',', '.'] : ['.'];
}

/** What to tell of columns that have numbers with decimal commas. */
export function decimalCommaNotes(
  columns: readonly { readonly column: { readonly name: string }; readonly commaExample?: string }[],
): string[] {
  const found = columns.flatMap(({ column, commaExample: text }) => (text === undefined ? [] : [{ ...column, text }]));
  const [first] = found;
  if (first === undefined) return [];
  const readAs = ({ name, text }: { readonly name: string; readonly text: string }) =>
    `"${text}" in "${name}" is ${numberOfText(text, ',')}`;
  const grouped = found.find(({ text }) => !text.includes(','));
  const thousands = grouped === undefined || grouped === first ? '' : `, ${readAs(grouped)}`;
  const count = found.length === 1 ? 'one column' : `${found.length} columns`;
  return [`Numbers are read with decimal commas, in ${count}: ${readAs(first)}${thousands}.`];
}
