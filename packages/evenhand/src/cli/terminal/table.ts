import { at } from '../../checked-access.js';
import { displayWidth, fit, printable } from './text.js';

/** A column of a table on the terminal. */
export interface TableColumn {
  readonly title: string;
  /** @defaultValue `right` */
  readonly align?: 'left' | 'right';
}

/** Longer cells are cut: a name of 200 characters is nothing to align others by. */
const WIDEST = 36;

/**
 * Rows under their titles, aligned. Cells are made harmless first.
 *
 * @param style - what makes titles look like titles
 */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: (title: string) => string = (title) => title,
): string {
  const cells = rows.map((row) => row.map((cell) => fit(printable(cell), WIDEST)));
  const titles = columns.map(({ title }) => fit(printable(title), WIDEST));
  const widths = titles.map((title, i) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(at(row, i)))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => {
        const gap = ' '.repeat(Math.max(0, at(widths, i) - displayWidth(cell)));
        return columns[i]?.align === 'left' ? cell + gap : gap + cell;
      })
      .join('  ')
      .trimEnd();
  return [style(line(titles)), ...cells.map(line)].map((text) => `  ${text}`).join('\n');
}
