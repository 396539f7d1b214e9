import { parseDecimal } from './decimal.js';
import { type DecimalMark, withDecimalPoint } from './decimal-mark.js';
import { isInfinite, isMissing, type TextMeaning } from './missing-texts.js';

/** What a text that is one value of a cell, without blanks around it, means in a numeric column; null if it is no number. */
export function numberOfText(text: string, mark: DecimalMark = '.'): number | null {
  const pointed = mark === '.' ? text : withDecimalPoint(text);
  if (pointed === null) return null;
  const bytes = Buffer.from(pointed);
  return numberOfBytes(bytes, 0, bytes.length);
}

/** The same of a text that is still bytes. */
export function numberOfBytes(bytes: Buffer, start: number, end: number): number | null {
  const value = parseDecimal(bytes, start, end);
  if (!Number.isNaN(value)) return value;
  return isInfinite(bytes, start, end) ? Number.POSITIVE_INFINITY : null;
}

/** Whether a text, without blanks around it, means a missing value. */
export function isMissingText(text: string, meaning: TextMeaning): boolean {
  const bytes = Buffer.from(text);
  return isMissing(bytes, 0, bytes.length, meaning);
}

/** A text without blanks around it: spaces, tabs and line ends. */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANKS.includes(text.charAt(start))) start++;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const BLANKS = ' \t\r\n';

/** At most so many letters of a text, for a message. */
export function shortened(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, letters)}…`;
}
