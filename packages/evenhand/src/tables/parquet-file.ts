import type { FileHandle } from 'node:fs/promises';
import { at } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { type ParquetLimits, ParquetThread, parquetLimits } from './parquet-thread.js';
import type { ColumnRequest, RawColumn, RawTable } from './raw-table.js';

/** How a Parquet file is read. */
export interface ParquetOptions {
  /** Gives up reading, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** @defaultValue by the file's size */
  readonly limits?: ParquetLimits | undefined;
}

/**
 * Reads the chosen columns of a Parquet file, one after the other. Columns of lists and structures are passed over.
 *
 * @throws UserError if it is damaged, in bounded time and memory
 */
export async function readParquetFile(
  file: string,
  handle: FileHandle,
  request: ColumnRequest,
  { signal, limits }: ParquetOptions = {},
): Promise<RawTable> {
  const { size } = await handle.stat();
  const thread = new ParquetThread(file, { descriptor: handle.fd, size }, limits ?? parquetLimits(size), signal);
  try {
    const { header, rows } = await thread.header();
    const columns: RawColumn[] = [];
    const notes: string[] = [];
    for (const chosen of request.choose(header)) {
      const column = await thread.column(chosen, rows);
      if (column !== null) columns.push(column);
      else notes.push(`Column "${at(header, chosen.column)}" is left out: its values are lists, structures or bytes.`);
    }
    if (rows === 0) throw new UserError(`${file} has columns, but no rows.`);
    return { rows, columns, numbering: NUMBERING, notes };
  } finally {
    await thread.end();
  }
}

const NUMBERING: RawTable['numbering'] = { unit: 'row', of: (row) => row + 1 };
