import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { shortened } from './cell-text.js';
import { withRoom } from './growing-array.js';
import { ObjectColumns } from './object-columns.js';
import type { ColumnRequest, RawTable } from './raw-table.js';
import type { TableBytes, TableHead } from './table-bytes.js';
import { asSingleBytes, detectEncoding, headAsSingleBytes } from './text-encoding.js';

/** How a file of JSON lines is read. */
export interface JsonLinesOptions {
  /** Bytes that are read at once. */
  readonly chunkSize?: number | undefined;
  /** What to do with objects and lists inside of a row: `text` takes them for texts, which are JSON. @defaultValue `refuse` */
  readonly structures?: 'refuse' | 'text' | undefined;
  /** Whether to give the text of every row as well. */
  readonly keepRows?: boolean | undefined;
}

const LINE_FEED = 0x0a;
const [QUOTE, COLON] = [0x22, 0x3a];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Longer lines than this are no rows. */
const LONGEST_LINE = 16 * 2 ** 20;
const MOST_COLUMNS = 100_000;
// A row costs room in every column, also in those that it has no key of.
const MOST_CELLS_PER_BYTE = 64;
const SPARE_CELLS = 2 ** 24;

const EXAMPLE = 'expected one JSON object per line, such as {"age": 42, "class": "yes"}';

/** Whether a file holds JSON objects, by its first character that is no blank, or JSON lines by its name. */
export function isJsonLines(file: string, { bytes }: TableHead): boolean {
  if (/\.(jsonl|ndjson)(\.gz)?$/i.test(file)) return true;
  const text = headAsSingleBytes(bytes, detectEncoding(file, bytes));
  const first = text.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  return first === OPENING_BRACE;
}

/**
 * Reads the chosen columns of a file with one JSON object per line. Keys become columns; a key that a line does not have is a
 * missing value there, as is null. Lines with nothing on them are skipped.
 *
 * @throws UserError that names the line, and the key if it is about one
 */
export async function readJsonLinesFile(
  source: TableBytes,
  head: TableHead,
  request: ColumnRequest,
  { chunkSize = 2 ** 19, structures, keepRows = false }: JsonLinesOptions = {},
): Promise<RawTable> {
  const { file } = source;
  const columns = new ObjectColumns(structures);
  const rowTexts: string[] = [];
  let lines = new Int32Array(0);
  let bytes = 0;
  for await (const { text, number } of linesOf(source, head, chunkSize)) {
    lines = withRoom(lines, columns.rows + 1);
    lines[columns.rows] = number;
    columns.take(parseRow(file, number, text));
    if (keepRows) rowTexts.push(text);
    bytes += text.length;
    refuseTooManyCells(file, number, columns, bytes);
  }
  if (columns.rows === 0) throw new UserError(`${file} is empty; ${EXAMPLE}.`);
  const numbering: RawTable['numbering'] = { unit: 'line', of: (row) => lines[row] ?? 0 };
  const refuse = (row: number, key: string, what: string) =>
    new UserError(
      `${file}, line ${numbering.of(row)}: "${key}" holds ${what}; expected a number, a text, true, false or null. ` +
        'Take it apart into keys of its own, or leave the column out.',
      { options: ['data.ignore'] },
    );
  const { header } = columns;
  const read = request.choose(header).map(({ column, as }) => columns.column(header[column] ?? '', as, refuse));
  return { rows: columns.rows, columns: read, numbering, notes: [], ...(keepRows ? { rowTexts } : {}) };
}

/** The lines that have something on them, with their numbers, from 1. */
async function* linesOf(
  { file, chunks }: TableBytes,
  head: TableHead,
  chunkSize: number,
): AsyncGenerator<{ readonly text: string; readonly number: number }> {
  const encoding = detectEncoding(file, head.bytes);
  let number = 0;
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of asSingleBytes(file, chunks(encoding.mark, chunkSize), encoding)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      number++;
      const text = decoded(file, number, [...begun, chunk.subarray(start, end)]);
      if (text !== '') yield { text, number };
      begun = [];
      length = 0;
      start = end + 1;
    }
    begun.push(Buffer.from(chunk.subarray(start)));
    length += chunk.length - start;
    if (length > LONGEST_LINE) {
      throw new UserError(
        `${file}, line ${number + 1}: the line is longer than ${LONGEST_LINE / 2 ** 20} MB; ${EXAMPLE}.`,
      );
    }
  }
  const text = decoded(file, number + 1, begun);
  if (text !== '') yield { text, number: number + 1 };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(file: string, line: number, parts: readonly Buffer[]): string {
  const [first = Buffer.alloc(0)] = parts;
  try {
    return utf8.decode(parts.length === 1 ? first : Buffer.concat(parts)).trim();
  } catch {
    throw new UserError(
      `${file}, line ${line} is not valid UTF-8, which JSON lines have to be; save the file as UTF-8.`,
    );
  }
}

function parseRow(file: string, line: number, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = shortened(errorMessage(error), 200);
    throw new UserError(`${file}, line ${line} is not valid JSON (${reason}); ${EXAMPLE}. Is the file complete?`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError(`${file}, line ${line} is JSON, but not an object: ${shortened(text, 40)}; ${EXAMPLE}.`);
  }
  const twice = repeatedKey(text, Object.keys(value).length);
  if (twice === undefined) return value;
  throw new UserError(
    `${file}, line ${line}: the key ${shortened(twice, 60)} is there twice; give every key one value.`,
  );
}

/** A key, with its quotes, that an object has twice, of which JSON.parse keeps the last; undefined if there is none. */
function repeatedKey(json: string, different: number): string | undefined {
  const keys = keysOf(json);
  if (keys.length === different) return undefined;
  const seen = new Set<unknown>();
  return keys.find((key) => {
    const name: unknown = JSON.parse(key);
    return seen.size === seen.add(name).size;
  });
}

/** The keys of an object, not those of objects in it, with their quotes, in text that is known to be JSON. */
function keysOf(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  let key = '';
  for (let i = 0; i < json.length; i++) {
    const letter = json.charCodeAt(i);
    if (letter === QUOTE) {
      const start = i;
      i = closingQuote(json, i);
      if (depth === 1) key = json.slice(start, i + 1);
    } else if (letter === COLON) {
      if (depth === 1) keys.push(key);
    } else if (letter === OPENING_BRACE || letter === OPENING_BRACKET) depth++;
    else if (letter === CLOSING_BRACE || letter === CLOSING_BRACKET) depth--;
  }
  return keys;
}

function closingQuote(json: string, opening: number): number {
  for (let end = json.indexOf('"', opening + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}

/** Keys that hardly two rows have in common make a table that is nearly all holes. */
function refuseTooManyCells(file: string, line: number, { rows, size }: ObjectColumns, bytes: number): void {
  if (size <= MOST_COLUMNS && rows * size <= MOST_CELLS_PER_BYTE * bytes + SPARE_CELLS) return;
  throw new UserError(
    `${file}, line ${line}: up to here there are ${size} different keys in ${rows} rows, most of which few rows have; expected rows with ` +
      'the same keys. Is a key a value, such as a date or a name?',
  );
}
