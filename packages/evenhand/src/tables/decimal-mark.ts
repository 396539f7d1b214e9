/** What may stand between the whole part of a number and its fraction, by the names that options have for it. */
export const DECIMAL_MARKS = { point: '.', comma: ',' } as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[keyof typeof DECIMAL_MARKS];

/** Whole numbers in groups of three digits, as European programs print them: `1.234,5`, `1 234,5`, `1'234,5`. */
const GROUPED = /^[+-]?[1-9]\d{0,2}([. '’\u00a0\u202f])\d{3}(?:\1\d{3})*(?:,\d*)?$/;
const GROUP_MARKS = /[. '’\u00a0\u202f]/g;

/**
 * A number with a decimal comma, written with a point and without marks between thousands; null if the text cannot be one:
 * `1.234` is a thousand, `0.5` nothing.
 */
export function withDecimalPoint(text: string): string | null {
  if (GROUPED.test(text)) return text.replace(GROUP_MARKS, '').replace(',', '.');
  return text.includes('.') ? null : text.replace(',', '.');
}
