import { shortened } from './cell-text.js';
import type { ParsedTexts } from './parsed-texts.js';

/** Texts that a message lists, and letters of each. */
const SHOWN = 5;
const LONGEST = 40;

/**
 * Cells that are no values of their column, for a message: `2 of 5000 cells are no numbers: "12.5O" (line 213), "n" (line 7)`.
 *
 * @param describeRow - what a message calls a row
 */
export function describeInvalid(
  { invalidCells, invalidTexts }: Omit<ParsedTexts, 'values'>,
  kind: 'numeric' | 'date',
  rows: number,
  describeRow: (row: number) => string,
): string {
  const value = kind === 'numeric' ? 'number' : 'date';
  const what = invalidCells === 1 ? `is no ${value}` : `are no ${value}s`;
  const list = invalidTexts
    .slice(0, SHOWN)
    .map(({ text, row }) => `${JSON.stringify(shortened(text, LONGEST))} (${describeRow(row)})`);
  const more = invalidTexts.length > SHOWN ? ` and ${invalidTexts.length - SHOWN} more texts` : '';
  return `${invalidCells} of ${rows} cells ${what}: ${list.join(', ')}${more}`;
}
