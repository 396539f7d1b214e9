import { save } from '../charts/save-picture.js';

/** What a spreadsheet would take for a formula; numbers are none. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A cell of a CSV file: quoted where it must be, and never a formula. */
function csvCell(text: string): string {
  const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Rows as CSV. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** Saves rows as a CSV file. */
export function saveCsv(rows: readonly (readonly string[])[], name: string): void {
  save(new Blob([csvText(rows)], { type: 'text/csv' }), `${name}.csv`);
}

/** The cells of a table on the page. */
export function tableRows(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) =>
    [...row.cells].map((cell) => (cell.textContent ?? '').trim().replace(/\s+/g, ' ')),
  );
}
