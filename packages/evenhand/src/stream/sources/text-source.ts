import { z } from 'zod';
import { fileName, STANDARD_INPUT } from '../../files/standard-input.js';
import { UserError } from '../../user-error.js';
import {
  csvLineParser,
  formatOf,
  jsonLineParser,
  type LineParser,
  ROW_FORMATS,
  type RowFormat,
} from './row-formats.js';
import { parsePosition, type SourceRecord, type StreamSource } from './stream-source.js';
import { fileLines, standardInputLines } from './text-lines.js';

/** How a text of rows is read. */
export interface TextSourceOptions {
  /** The column of classes. */
  readonly target: string;
  /** @defaultValue told from the first line */
  readonly format?: RowFormat;
  /** Whether a file is waited for at its end. @defaultValue false */
  readonly follow?: boolean;
  /** Whether the standard input begins anew: what was read of it before is passed over. @defaultValue false, it goes on */
  readonly replayed?: boolean;
}

const positionSchema = z.strictObject({
  format: z.enum(ROW_FORMATS),
  /** Bytes and lines that were read. */
  bytes: z.int().min(0),
  line: z.int().min(0),
  /** Of CSV. */
  header: z.string().exactOptional(),
});

type Position = z.output<typeof positionSchema>;

/**
 * Rows as NDJSON or CSV, from a file or the standard input.
 *
 * @param path - `-` is the standard input
 */
export function textSource(path: string, options: TextSourceOptions): StreamSource {
  const name = fileName(path);
  return {
    name,
    records: async function* (position, signal) {
      const before = position === undefined ? undefined : parsePosition(positionSchema, position, name);
      // What goes on is counted from its own beginning.
      const isNew = path === STANDARD_INPUT && options.replayed !== true;
      const from = isNew ? 0 : (before?.bytes ?? 0);
      const lines =
        path === STANDARD_INPUT
          ? standardInputLines(from, signal)
          : fileLines(path, { from, follow: options.follow === true, signal });
      let parser = before === undefined ? undefined : parserOf(name, before, options);
      let line = isNew ? 0 : (before?.line ?? 0);
      for await (const read of lines) {
        const records: SourceRecord[] = [];
        for (const { bytes, end } of read) {
          line++;
          if (isBlank(bytes) && parser === undefined) continue;
          const format = before?.format ?? options.format ?? formatOf(bytes);
          const isHeader =
            format === 'csv' &&
            (parser === undefined || (isNew && line === 1 && bytes.toString('utf8') === parser.header));
          parser ??= format === 'csv' ? csvLineParser(name, bytes, options.target) : jsonLineParser();
          if (isHeader) continue;
          const parsed = parser.parse(bytes);
          if ('nothing' in parsed) continue;
          const { header } = parser;
          const behind: Position = { format, bytes: end, line, ...(header === undefined ? {} : { header }) };
          records.push({ ...parsed, name: `line ${line}`, position: JSON.stringify(behind) });
        }
        if (records.length > 0) yield records;
        if (signal.aborted) return;
      }
    },
  };
}

function parserOf(name: string, { format, header }: Position, { target }: TextSourceOptions): LineParser {
  if (format === 'ndjson') return jsonLineParser();
  if (header === undefined) throw new UserError(`${name}: the saved position has no header; begin a new stream`);
  return csvLineParser(name, Buffer.from(header), target);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.toString('latin1').trim() === '';
}
