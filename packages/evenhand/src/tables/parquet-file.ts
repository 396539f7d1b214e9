import type { FileHandle } from 'node:fs/promises';
import { type AsyncBuffer, type ParquetScan, parquetScan, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { at } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { isMissingText, withoutBlanks } from './cell-text.js';
import type { TextMeaning } from './missing-texts.js';
import type { ChosenColumn, ColumnRequest, RawColumn, RawTable } from './raw-table.js';

/** Reads the chosen columns of a Parquet file, one after the other. Columns of lists and structures are passed over. */
export async function readParquetFile(file: string, handle: FileHandle, request: ColumnRequest): Promise<RawTable> {
  const source = { file: await asyncBuffer(handle), compressors };
  const { metadata } = await orUserError(file, () => parquetScan(source));
  const header = parquetSchema(metadata).children.map(({ element }) => element.name);
  const columns: RawColumn[] = [];
  const notes: string[] = [];
  for (const { column: index, as } of request.choose(header)) {
    const name = at(header, index);
    // A scan keeps what it has read of every column: each gets one of its own.
    const values = await orUserError(file, async () =>
      valuesOf(await parquetScan({ ...source, metadata, columns: [name] }), name),
    );
    const column = rawColumn(name, values, as);
    if (column === null) notes.push(`Column "${name}" is left out: its values are lists, structures or bytes.`);
    else columns.push(column);
  }
  const rows = Number(metadata.num_rows);
  if (rows === 0) throw new UserError(`${file} has columns, but no rows.`);
  return { rows, columns, numbering: NUMBERING, notes };
}

const NUMBERING: RawTable['numbering'] = { unit: 'row', of: (row) => row + 1 };

async function asyncBuffer(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const bytes = new Uint8Array(end - start);
      await handle.read(bytes, 0, bytes.length, start);
      return bytes.buffer;
    },
  };
}

async function valuesOf({ ranges, readColumn }: ParquetScan, column: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const range of ranges) {
    const part = await readColumn({ column, ...range });
    for (let row = 0; row < part.length; row++) values.push(part[row]);
  }
  return values;
}

async function orUserError<Result>(file: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const reason = errorMessage(error);
    throw new UserError(`${file} starts like a Parquet file, but cannot be read as one (${reason}). Is it complete?`, {
      cause: error,
    });
  }
}

/** Null if there are values that no column can hold. */
function rawColumn(name: string, values: readonly unknown[], as: ChosenColumn['as']): RawColumn | null {
  const first = values.find((value) => !isNothing(value));
  if (first instanceof Date) return { kind: 'dates', name, values: numbersOf(values) };
  if (typeof first === 'string' || typeof first === 'boolean')
    return rawTexts(name, values, as === 'any' ? 'texts' : as);
  if (isNothing(first) || typeof first === 'number' || typeof first === 'bigint') {
    return { kind: 'numbers', name, values: numbersOf(values) };
  }
  return null;
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function numbersOf(values: readonly unknown[]): Float64Array {
  const numbers = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    const number = isNothing(value) ? Number.NaN : Number(value);
    // One NaN for all: there are many, and they would hash differently.
    numbers[row] = Number.isNaN(number) ? Number.NaN : number;
  }
  return numbers;
}

function rawTexts(name: string, values: readonly unknown[], meaning: TextMeaning): RawColumn {
  const codeOfValue = new Map<unknown, number>([
    [null, -1],
    [undefined, -1],
  ]);
  const codeOfText = new Map<string, number>();
  const codes = new Int32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    let code = codeOfValue.get(values[row]);
    if (code === undefined) {
      const text = withoutBlanks(String(values[row]));
      code = isMissingText(text, meaning) ? -1 : (codeOfText.get(text) ?? codeOfText.size);
      if (code >= 0) codeOfText.set(text, code);
      codeOfValue.set(values[row], code);
    }
    codes[row] = code;
  }
  return { kind: 'texts', name, texts: [...codeOfText.keys()], codes };
}
