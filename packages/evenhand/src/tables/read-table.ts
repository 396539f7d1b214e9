import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from '../files/file-error.js';
import { openFile } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { type CsvOptions, readCsvFile } from './csv-file.js';
import type { ParquetOptions } from './parquet-file.js';
import type { ColumnRequest, RawTable } from './raw-table.js';

/** The first four bytes of every Parquet file. */
const PARQUET_MARK = 'PAR1';

/** Enough to tell format, encoding and delimiter. */
const HEAD_BYTES = 2 ** 16;

/** How a file is read; of its format nothing is known before. */
type ReadTableOptions = CsvOptions & ParquetOptions;

/** Reads the chosen columns of a CSV, TSV or Parquet file, which is told by its content, not by its name. */
export async function readTable(
  path: string,
  request: ColumnRequest,
  options: ReadTableOptions = {},
): Promise<RawTable> {
  const handle = await openTable(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    const file = basename(path);
    if (head.toString('latin1', 0, PARQUET_MARK.length) === PARQUET_MARK) {
      const { readParquetFile } = await import('./parquet-file.js');
      return await readParquetFile(file, handle, request, options);
    }
    return await readCsvFile(file, handle, head.subarray(0, bytesRead), request, options);
  } finally {
    await handle.close();
  }
}

async function openTable(path: string): Promise<FileHandle> {
  const expected = 'a CSV, TSV or Parquet file is expected';
  try {
    return await openFile(path, expected);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (errorCode(error) === 'ENOENT') throw new UserError(`there is no file ${path}; ${expected}`, { cause: error });
    const reason = errorMessage(error);
    throw new UserError(`${path} cannot be read (${reason}); ${expected}`, { cause: error });
  }
}
