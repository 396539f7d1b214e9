import type { FileHandle } from 'node:fs/promises';
import { errorCode } from '../files/file-error.js';
import { openFile } from '../files/read-file.js';
import { fileName, openStandardInput, STANDARD_INPUT } from '../files/standard-input.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { type CsvOptions, readCsvFile } from './csv-file.js';
import { isJsonLines, type JsonLinesOptions, readJsonLinesFile } from './json-lines-file.js';
import type { ParquetOptions } from './parquet-file.js';
import type { ColumnRequest, RawTable } from './raw-table.js';
import { gzipBytes, headOf, isGzip, plainBytes, type TableBytes, type TableHead } from './table-bytes.js';

/** The first four bytes of every Parquet file. */
const PARQUET_MARK = 'PAR1';

/** How a file is read; of its format nothing is known before. */
type ReadTableOptions = CsvOptions & ParquetOptions & JsonLinesOptions;

/**
 * Reads the chosen columns of a CSV, TSV, JSON lines or Parquet file; the text formats may be packed by gzip. All of that is told
 * by the content.
 *
 * @param path - `-` is the standard input
 */
export async function readTable(
  path: string,
  request: ColumnRequest,
  options: ReadTableOptions = {},
): Promise<RawTable> {
  if (path === STANDARD_INPUT) return readOpened(path, await openStandardInput(options), request, options);
  const handle = await openTable(path);
  try {
    return await readOpened(path, handle, request, options);
  } finally {
    await handle.close();
  }
}

async function readOpened(
  path: string,
  handle: FileHandle,
  request: ColumnRequest,
  options: ReadTableOptions,
): Promise<RawTable> {
  const file = fileName(path);
  const source = await plainBytes(file, handle);
  const head = await headOf(source);
  if (isParquet(head)) {
    const { readParquetFile } = await import('./parquet-file.js');
    return readParquetFile(file, handle, request, options);
  }
  if (!isGzip(head.bytes)) return readText(source, head, request, options);
  const unpacked = await gzipBytes(file, handle);
  const unpackedHead = await headOf(unpacked);
  if (isParquet(unpackedHead) || isGzip(unpackedHead.bytes)) {
    const what = isParquet(unpackedHead) ? 'a Parquet file' : 'another packed file';
    throw new UserError(`${file} is compressed with gzip, and in it is ${what}; unpack it first: gunzip`);
  }
  return readText(unpacked, unpackedHead, request, options);
}

/**
 * Reads the chosen columns of a table that is in memory, CSV, TSV or JSON lines, which its content tells.
 *
 * @param name - what messages call it
 */
export async function readTableText(
  name: string,
  content: Buffer,
  request: ColumnRequest,
  options: ReadTableOptions = {},
): Promise<RawTable> {
  const source: TableBytes = {
    file: name,
    size: content.length,
    chunks: async function* (start, chunkSize) {
      for (let from = start; from < content.length; from += chunkSize) yield content.subarray(from, from + chunkSize);
    },
  };
  return readText(source, await headOf(source), request, options);
}

/** How the name of a table's file ends, by its content. */
export async function tableFileEnding(handle: FileHandle): Promise<string> {
  const head = await headOf(await plainBytes('', handle));
  if (isParquet(head)) return '.parquet';
  if (isGzip(head.bytes)) return '.txt.gz';
  return isJsonLines(fileName(STANDARD_INPUT), head) ? '.jsonl' : '.csv';
}

function readText(
  source: TableBytes,
  head: TableHead,
  request: ColumnRequest,
  options: ReadTableOptions,
): Promise<RawTable> {
  const read = isJsonLines(source.file, head) ? readJsonLinesFile : readCsvFile;
  return read(source, head, request, options);
}

function isParquet({ bytes }: TableHead): boolean {
  return bytes.toString('latin1', 0, PARQUET_MARK.length) === PARQUET_MARK;
}

async function openTable(path: string): Promise<FileHandle> {
  const expected = 'a CSV, TSV, JSON lines or Parquet file is expected';
  try {
    return await openFile(path, expected);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (errorCode(error) === 'ENOENT') throw new UserError(`there is no file ${path}; ${expected}`, { cause: error });
    const reason = errorMessage(error);
    throw new UserError(`${path} cannot be read (${reason}); ${expected}`, { cause: error });
  }
}
