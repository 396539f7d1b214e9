import type { DecimalMark } from './decimal-mark.js';
import type { Delimiter } from './delimiter.js';
import { hasDecimalCommas } from './parsed-texts.js';
import type { RawTexts } from './raw-table.js';

/**
 * How the numbers of a file are written, by its columns that are not all numbers with points: with decimal commas, if one of
 * them holds nothing but such numbers, or all but a few cells. Where commas stand between the cells as well, `1,234` in
 * quotes is likelier a thousand: some comma must have other than three digits behind it then.
 */
export function detectDecimalMark(columns: readonly RawTexts[], delimiter: Delimiter): DecimalMark {
  const telling = delimiter === ',' ? /,(?!\d{3}$)/ : /,/;
  return columns.some((column) => hasDecimalCommas(column, telling)) ? ',' : '.';
}
