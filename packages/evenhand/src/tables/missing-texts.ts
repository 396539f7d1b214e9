import { uint8At } from '../checked-access.js';

/**
 * The texts that mean "no value", in any mixture of capitals, blanks around them aside. An empty cell is one of them.
 */
const MISSING_TEXTS = [
  '',
  'na',
  'n/a',
  '#n/a',
  '#na',
  '<na>',
  'nan',
  '-nan',
  'nat',
  'null',
  'nil',
  'none',
  '\\n',
  '?',
  '-',
  '--',
  '.',
];

/** Those that are likely names where they stand in the column of classes. */
const NAMES_OF_CLASSES = ['none', 'nil', '-', '--'];

/** What the texts of a column are: values, or classes, which may well be called `None` or `-`. */
export type TextMeaning = 'texts' | 'classes';

const LONGEST = Math.max(...MISSING_TEXTS.map((text) => text.length));
const keysOf = (texts: readonly string[]) => new Set(texts.map((text) => keyOf(Buffer.from(text), 0, text.length)));
const KEYS: Readonly<Record<TextMeaning, ReadonlySet<number>>> = {
  texts: keysOf(MISSING_TEXTS),
  classes: keysOf(MISSING_TEXTS.filter((text) => !NAMES_OF_CLASSES.includes(text))),
};
const INFINITE = /^[+-]?inf(inity)?$/i;
const LONGEST_INFINITE = '-infinity'.length;

/** Whether the bytes from `start` to `end`, without blanks around them, mean a missing value. */
export function isMissing(bytes: Buffer, start: number, end: number, meaning: TextMeaning = 'texts'): boolean {
  return end - start <= LONGEST && KEYS[meaning].has(keyOf(bytes, start, end));
}

/** Whether the bytes, without blanks around them, spell an infinite number. */
export function isInfinite(bytes: Buffer, start: number, end: number): boolean {
  return end - start <= LONGEST_INFINITE && INFINITE.test(bytes.toString('latin1', start, end));
}

/** Length and lower-case bytes in one number: exact, as none of the texts has more than four bytes. */
function keyOf(bytes: Buffer, start: number, end: number): number {
  let key = end - start;
  for (let at = start; at < end; at++) {
    const byte = uint8At(bytes, at);
    key = key * 256 + (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
  }
  return key;
}
