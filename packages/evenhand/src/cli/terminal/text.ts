/** Control characters, line separators, and marks that turn the direction of writing. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** What `util.styleText` writes. */
const STYLES = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;]*m)`);

/** A name that somebody gave, as one line that does nothing to a terminal. */
export function printable(name: string): string {
  return name.replace(/\s+/gu, ' ').replace(CONTROLS, '');
}

/** Lines without control characters, whoever put them there; styles of ours may stay. */
export function withoutControls(text: string, keepStyles: boolean): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .split(STYLES)
        .map((part, i) => (i % 2 === 1 ? (keepStyles ? part : '') : part.replace(CONTROLS, '')))
        .join(''),
    )
    .join('\n');
}

const WIDE =
  /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hangul}|\p{sc=Hiragana}|\p{sc=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
const INVISIBLE = /^[\p{M}\p{Cf}]+$/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += characterWidth(segment);
  return width;
}

/** Code units that a letter with all its marks takes at most, for a look at the beginning of a text that is too long anyway. */
const LONGEST_LETTER = 32;

/** A text that takes at most so many columns: a longer one ends with `…`. */
export function fit(text: string, columns: number): string {
  // A segmenter's time grows with the square of the length.
  const beginning = text.slice(0, LONGEST_LETTER * (columns + 1));
  if (beginning === text && displayWidth(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of segmenter.segment(beginning)) {
    width += characterWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function characterWidth(character: string): number {
  if (INVISIBLE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
