import { UserError } from '../user-error.js';
import { withoutBlanks } from './cell-text.js';
import { CsvTokenizer } from './csv-tokenizer.js';

/** What may stand between cells, by the names that options have for it: the characters themselves mean something to a shell. */
export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** What may stand between cells. */
export type Delimiter = (typeof DELIMITERS)[keyof typeof DELIMITERS];

/** What speaks for a delimiter, the weightiest first. */
type Score = readonly [expectedNames: number, rows: number, columns: number];

/**
 * The delimiter of a file that starts with `head`: the one whose header has most of the expected names; of those, the one
 * with which most rows have as many cells as the header; of those, the one with most columns.
 *
 * @param complete - whether `head` is the whole file
 */
export function detectDelimiter(head: Buffer, complete: boolean, expected: ReadonlySet<string>): Delimiter {
  let best: Delimiter = ',';
  let bestScore: Score = [0, 0, 0];
  for (const delimiter of Object.values(DELIMITERS)) {
    const score = scoreOf(delimiter, head, complete, expected);
    if (isHigher(score, bestScore)) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

function scoreOf(delimiter: Delimiter, head: Buffer, complete: boolean, expected: ReadonlySet<string>): Score {
  // Tokenizing takes doubled quotes out of the bytes; the next delimiter needs them as they were.
  const bytes = Buffer.from(head);
  const tokenizer = new CsvTokenizer('', delimiter);
  try {
    tokenizer.tokenize(bytes, bytes.length, complete);
  } catch (error) {
    // Quotes that make no sense with this delimiter.
    if (error instanceof UserError) return [0, 0, 0];
    throw error;
  }
  const { columns, rows } = tokenizer;
  // One record longer than the head: all that can be said is how often the delimiter occurs.
  if (columns === 0) return [0, 0, head.filter((byte) => byte === delimiter.charCodeAt(0)).length];
  if (columns === 1) return [0, 0, 0];
  let found = 0;
  for (let column = 0; column < columns; column++) {
    const name = bytes.toString('utf8', tokenizer.starts[column], tokenizer.ends[column]);
    if (expected.has(withoutBlanks(name))) found++;
  }
  return [found, rows, columns];
}

/** The first difference decides. */
function isHigher(score: Score, other: Score): boolean {
  return (score[0] - other[0] || score[1] - other[1] || score[2] - other[2]) > 0;
}
