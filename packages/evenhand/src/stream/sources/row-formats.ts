import { float64At, int32At } from '../../checked-access.js';
import { CsvTokenizer } from '../../tables/csv-tokenizer.js';
import { detectDelimiter } from '../../tables/delimiter.js';
import { columnsInHeader } from '../../tables/header.js';
import { isMissing } from '../../tables/missing-texts.js';
import { UserError } from '../../user-error.js';
import type { StreamRow } from '../rows/stream-column.js';

/** How rows are written. */
export const ROW_FORMATS = ['ndjson', 'csv'] as const;

export type RowFormat = (typeof ROW_FORMATS)[number];

/** What a line holds. */
type ParsedLine = { readonly row: StreamRow } | { readonly damage: string } | { readonly nothing: true };

/** Reads the lines of one format. */
export interface LineParser {
  /** The line that says what the others mean; undefined if there is none. */
  readonly header: string | undefined;
  parse(line: Buffer): ParsedLine;
}

const NOTHING: ParsedLine = { nothing: true };
const [BLANK, TAB, OPENING_BRACE] = [0x20, 0x09, 0x7b];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The format of a text that begins with a line. */
export function formatOf(line: Buffer): RowFormat {
  return withoutMark(line).find((byte) => byte !== BLANK && byte !== TAB) === OPENING_BRACE ? 'ndjson' : 'csv';
}

/** One JSON object per line. */
export function jsonLineParser(): LineParser {
  return {
    header: undefined,
    parse: (line) => {
      const text = withoutMark(line).toString('utf8').trim();
      if (text === '') return NOTHING;
      try {
        const value: unknown = JSON.parse(text);
        return isRow(value) ? { row: value } : { damage: 'it is JSON, but no object' };
      } catch {
        return { damage: 'it is not valid JSON' };
      }
    },
  };
}

/**
 * CSV of which a record is a line; its delimiter is found in the header.
 *
 * @param header - the first line
 * @param target - a column that the header has
 * @throws {@link UserError} if the header cannot be used
 */
export function csvLineParser(file: string, header: Buffer, target: string): LineParser {
  const first = Buffer.from(withoutMark(header));
  const delimiter = detectDelimiter(first, true, new Set([target]));
  const tokenizer = new CsvTokenizer(file, delimiter);
  const text = first.toString('utf8');
  tokenizer.tokenize(first, first.length, true);
  const cellOf = (bytes: Buffer, cell: number) =>
    bytes.toString('utf8', int32At(tokenizer.starts, cell), int32At(tokenizer.ends, cell)).trim();
  const names = Array.from({ length: tokenizer.columns }, (_, column) => cellOf(first, column));
  columnsInHeader(file, names, [target]);
  return {
    header: text,
    parse: (line) => {
      const bytes = Buffer.from(line); // doubled quotes are made single in place
      const ragged = tokenizer.raggedCount;
      try {
        tokenizer.tokenize(bytes, bytes.length, true);
      } catch (error) {
        if (error instanceof UserError) return { damage: 'its quotes do not match' };
        throw error;
      }
      if (tokenizer.raggedCount > ragged)
        return { damage: `it does not have ${names.length} cells, as the header has` };
      if (tokenizer.rows === 0) return NOTHING;
      const cells = names.map((name, cell): [string, unknown] => {
        const [start, end] = [int32At(tokenizer.starts, cell), int32At(tokenizer.ends, cell)];
        const number = float64At(tokenizer.numbers, cell);
        if (!Number.isNaN(number) && name !== target) return [name, number];
        return [name, isMissing(bytes, start, end, name === target ? 'classes' : 'texts') ? null : cellOf(bytes, cell)];
      });
      return { row: Object.fromEntries(cells) };
    },
  };
}

function isRow(value: unknown): value is StreamRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutMark(line: Buffer): Buffer {
  return line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? line.subarray(3) : line;
}
