import type { ClassCounts } from '../runs/classes-file.js';
import { counted } from '../wording/numbers.js';
import { type Html, html } from './html.js';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Pixels that a text takes in a chart, roughly: letters of East Asia and emoji are twice as wide as others. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text))
    width += /[\u1100-\u11ff\u2e80-\uffff]|\p{Emoji_Presentation}/u.test(segment) ? 13 : 6.7;
  return width;
}

const LONGEST = 2000;

/** A name that fits into a chart: on one line, cut where it is wider than so many pixels. */
export function shortName(name: string, widest = 126): string {
  // More than ever fits: a segmenter's time grows with the square of the length.
  const line = name
    .slice(0, LONGEST)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  if (line === '') return '(no name)';
  if (textWidth(line) <= widest) return line;
  let cut = '';
  for (const { segment } of segmenter.segment(line)) {
    if (textWidth(`${cut}${segment}…`) > widest) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Names for a chart, all different: what looks the same when cut gets a number. */
export function chartNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const short = shortName(name);
    let unique = short;
    for (let times = 2; taken.has(unique); times++) unique = `${short} (${times})`;
    taken.add(unique);
    return unique;
  });
}

/** A name that a user gave, in running text: right-to-left ones do not reorder what is around them. */
export function named(name: string): Html {
  return html`<bdi class="name">${name}</bdi>`;
}

/** What measured while the network was trained, in words: a validation set, or all training instances out of fold. */
export function measuringText({ training, validation }: ClassCounts): string {
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
  return sum(validation) > 0
    ? counted(sum(validation), 'validation instance')
    : `all ${counted(sum(training), 'training instance')}, out of fold`;
}
