import { UserError } from '../user-error.js';
import { CsvScan } from './csv-scan.js';
import { CsvTokenizer } from './csv-tokenizer.js';
import type { DecimalMark } from './decimal-mark.js';
import { type Delimiter, detectDelimiter } from './delimiter.js';
import { detectDecimalMark } from './detect-decimal-mark.js';
import type { ColumnRequest, RawTable } from './raw-table.js';
import type { TableBytes, TableHead } from './table-bytes.js';
import { asSingleBytes, detectEncoding, type FileEncoding, headAsSingleBytes } from './text-encoding.js';

/** Longer rows than this are no table; most likely a quote was never closed. */
const LONGEST_RECORD = 16 * 2 ** 20;

/** How a CSV file is read. */
export interface CsvOptions {
  /** Detected unless given. */
  readonly delimiter?: Delimiter | undefined;
  /** Detected unless given. */
  readonly decimalMark?: DecimalMark | undefined;
  /** Bytes that are read at once. */
  readonly chunkSize?: number | undefined;
}

/** What the head of a file says about all of it. */
interface CsvFormat {
  readonly encoding: FileEncoding;
  readonly delimiter: Delimiter;
  readonly chunkSize: number;
}

/**
 * Reads the chosen columns of a CSV file, chunk by chunk. A column is taken for numbers until a text turns up in it; if
 * numbers came before, the file is read once more for the texts of such columns. With decimal commas it is
 * read for the texts of all others too: `1.000` may be a thousand.
 */
export async function readCsvFile(
  source: TableBytes,
  head: TableHead,
  request: ColumnRequest,
  { delimiter, decimalMark, chunkSize = 2 ** 19 }: CsvOptions = {},
): Promise<RawTable> {
  const encoding = detectEncoding(source.file, head.bytes);
  const detected = () =>
    detectDelimiter(headAsSingleBytes(head.bytes, encoding), head.isWhole, new Set(request.expected));
  const format = { encoding, delimiter: delimiter ?? detected(), chunkSize };
  const scan = new CsvScan(request.choose);
  await run(scan, source, format);
  const readTextsOf = async (columns: readonly number[]) => {
    if (columns.length === 0) return;
    const again = new CsvScan(() => columns.map((column) => ({ column, as: 'texts' })));
    await run(again, source, format);
    scan.replace(again);
  };
  await readTextsOf(scan.mixedColumns());
  const writing = {
    delimiter: format.delimiter,
    decimalMark: decimalMark ?? detectDecimalMark(scan.textsAmongAny(), format.delimiter),
  };
  if (writing.decimalMark === ',') await readTextsOf(scan.numberColumns());
  return { ...scan.table(), writing };
}

async function run(scan: CsvScan, { file, size, chunks }: TableBytes, format: CsvFormat): Promise<void> {
  const { encoding, delimiter, chunkSize } = format;
  const tokenizer = new CsvTokenizer(file, delimiter);
  let buffer = Buffer.allocUnsafe(2 * chunkSize);
  let filled = 0;
  let incomplete = 0;
  let total = 0;
  for await (const chunk of asSingleBytes(file, chunks(encoding.mark, chunkSize), encoding)) {
    if (filled + chunk.length > buffer.length) {
      buffer = Buffer.concat([buffer.subarray(0, filled)], 2 * (filled + chunk.length));
    }
    chunk.copy(buffer, filled);
    filled += chunk.length;
    total += chunk.length;
    // A record of many chunks is looked at again only once it has doubled.
    if (incomplete > chunkSize && filled < Math.min(2 * incomplete, LONGEST_RECORD)) continue;
    const taken = tokenizer.tokenize(buffer, filled, false);
    scan.take(buffer, tokenizer, size / total);
    buffer.copyWithin(0, taken, filled);
    filled -= taken;
    incomplete = filled;
    if (filled > LONGEST_RECORD) throw longRecordError(file, tokenizer);
  }
  tokenizer.tokenize(buffer, filled, true);
  scan.take(buffer, tokenizer, 1);
  if (tokenizer.columns === 0) throw new UserError(`${file} is empty. A header row and rows below it are expected.`);
  if (tokenizer.raggedCount > 0) throw raggedRowsError(file, delimiter, tokenizer);
  if (scan.rows === 0) throw new UserError(`${file} has a header row, but no rows below it.`);
}

function longRecordError(file: string, tokenizer: CsvTokenizer): UserError {
  if (tokenizer.openQuoteLine !== null) return tokenizer.unclosedQuoteError(tokenizer.openQuoteLine);
  const megabytes = LONGEST_RECORD / 2 ** 20;
  return new UserError(`${file}, line ${tokenizer.line}: the line is longer than ${megabytes} MB. Is this a table?`);
}

function raggedRowsError(
  file: string,
  delimiter: Delimiter,
  { columns, ragged, raggedCount }: CsvTokenizer,
): UserError {
  const rows = ragged.map(({ line, cells }) => `line ${line} (${cells})`).join(', ');
  const more = raggedCount > ragged.length ? ` and ${raggedCount - ragged.length} more` : '';
  const cells = columns === 1 ? '1 cell' : `${columns} cells`;
  return new UserError(
    `${file}: the header has ${cells}, with ${JSON.stringify(delimiter)} between them; other numbers of cells in ${rows}${more}. ` +
      'Complete these rows, and put quotes around texts that contain the delimiter, or name another delimiter.',
    { options: ['data.delimiter'] },
  );
}
