import { readSync } from 'node:fs';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetScan, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { at } from '../checked-access.js';
import { isMissingText, withoutBlanks } from './cell-text.js';
import type { TextMeaning } from './missing-texts.js';
import type { ChosenColumn, RawColumn } from './raw-table.js';

/** Pages are a megabyte as a rule, and a hundred with some writers. What claims to be more is a bomb, or damaged. */
const LARGEST_PAGE = 2 ** 28;

/** Repeated values take next to no room, but no table has nothing else. */
const MOST_CELLS_PER_BYTE = 1000;
const SPARE_CELLS = 10_000_000;

/** An open Parquet file. Whatever it throws means that the file is damaged; a damaged one may also keep it busy for ever. */
export class ParquetColumns {
  readonly header: readonly string[];
  readonly rows: number;
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;

  private constructor(file: AsyncBuffer, metadata: FileMetaData) {
    this.#file = file;
    this.#metadata = metadata;
    this.header = parquetSchema(metadata).children.map(({ element }) => element.name);
    if (!this.header.every((name) => typeof name === 'string')) throw new Error('it has a column without a name');
    this.rows = rowsIn(metadata);
    const cells = this.rows * this.header.length;
    if (cells > MOST_CELLS_PER_BYTE * file.byteLength + SPARE_CELLS) {
      throw new Error(`it claims ${this.rows} rows of ${this.header.length} columns in ${file.byteLength} bytes`);
    }
  }

  static async open(descriptor: number, size: number): Promise<ParquetColumns> {
    const file = checkedFile(descriptor, size);
    return new ParquetColumns(file, await parquetMetadataAsync(file));
  }

  /** Reads one column; null if there are values that no column can hold. */
  async read({ column, as }: ChosenColumn): Promise<RawColumn | null> {
    const name = at(this.header, column);
    // A scan keeps what it has read of every column: each gets one of its own.
    const { ranges, readColumn } = await parquetScan({
      file: this.#file,
      compressors: CHECKED_COMPRESSORS,
      metadata: this.#metadata,
      columns: [name],
    });
    const cells = new Cells(name, this.rows, as === 'any' ? 'texts' : as);
    for (const { rowStart, rowEnd } of ranges) {
      const part = await readColumn({ column: name, rowStart, rowEnd });
      if (part.length !== rowEnd - rowStart) {
        throw new Error(`"${name}" has ${part.length} values in a group of ${rowEnd - rowStart} rows`);
      }
      cells.take(part, rowStart);
    }
    return cells.column();
  }
}

/** The rows of all groups, which is what the whole must claim, too. */
function rowsIn({ num_rows, row_groups }: FileMetaData): number {
  const groups = row_groups.map((group) => Number(group.num_rows));
  const rows = groups.reduce((sum, count) => sum + count, 0);
  if (!groups.every((count) => Number.isSafeInteger(count) && count >= 0) || rows !== Number(num_rows)) {
    throw new Error(`it claims ${num_rows} rows, and groups of ${groups.join(' + ')}`);
  }
  return rows;
}

/** Reads nothing but what is there: an absurd size in a header never becomes memory. */
function checkedFile(descriptor: number, size: number): AsyncBuffer {
  return {
    byteLength: size,
    slice: (start, end = size) => {
      if (!(start >= 0 && start <= end && end <= size)) {
        throw new RangeError(`it points at bytes ${start} to ${end} of ${size}`);
      }
      const bytes = new Uint8Array(end - start);
      for (let filled = 0; filled < bytes.length; ) {
        const count = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled);
        if (count === 0) throw new RangeError(`it became shorter while it was read`);
        filled += count;
      }
      return bytes.buffer;
    },
  };
}

const CHECKED_COMPRESSORS = Object.fromEntries(
  Object.entries(compressors).map(([codec, decompress]) => [
    codec,
    (input: Uint8Array, length: number) => {
      if (length >= 0 && length <= LARGEST_PAGE) return decompress(input, length);
      throw new RangeError(
        `a page of ${input.length} bytes claims to become ${length}; expected ${LARGEST_PAGE} at most`,
      );
    },
  ]),
);

/** What a column is, by its first value. */
type CellKind = 'numbers' | 'dates' | 'texts' | 'neither';

/** The values of a column, taken part by part. */
class Cells {
  readonly #name: string;
  readonly #rows: number;
  readonly #meaning: TextMeaning;
  readonly #codeOfText = new Map<string, number>();
  readonly #codeOfValue = new Map<unknown, number>();
  #kind: CellKind | undefined;
  #numbers = new Float64Array();
  #codes = new Int32Array();

  constructor(name: string, rows: number, meaning: TextMeaning) {
    this.#name = name;
    this.#rows = rows;
    this.#meaning = meaning;
  }

  take(part: ArrayLike<unknown>, start: number): void {
    if (this.#kind === undefined) this.#begin(part);
    if (this.#kind === 'numbers' || this.#kind === 'dates') {
      for (let k = 0; k < part.length; k++) this.#numbers[start + k] = numberOf(part[k]);
    } else if (this.#kind === 'texts') {
      for (let k = 0; k < part.length; k++) this.#codes[start + k] = this.#codeOf(part[k]);
    }
  }

  column(): RawColumn | null {
    const name = this.#name;
    if (this.#kind === 'neither') return null;
    if (this.#kind === 'texts') return { kind: 'texts', name, texts: [...this.#codeOfText.keys()], codes: this.#codes };
    const values = this.#kind === undefined ? new Float64Array(this.#rows).fill(Number.NaN) : this.#numbers;
    return { kind: this.#kind ?? 'numbers', name, values };
  }

  /** Parts before the first value are missing throughout. */
  #begin(part: ArrayLike<unknown>): void {
    this.#kind = kindOf(part);
    if (this.#kind === 'texts') this.#codes = new Int32Array(this.#rows).fill(-1);
    else if (this.#kind !== undefined) this.#numbers = new Float64Array(this.#rows).fill(Number.NaN);
  }

  #codeOf(value: unknown): number {
    if (isNothing(value)) return -1;
    let code = this.#codeOfValue.get(value);
    if (code === undefined) {
      const text = withoutBlanks(String(value));
      code = isMissingText(text, this.#meaning) ? -1 : (this.#codeOfText.get(text) ?? this.#codeOfText.size);
      if (code >= 0) this.#codeOfText.set(text, code);
      this.#codeOfValue.set(value, code);
    }
    return code;
  }
}

/** Undefined if all are missing. */
function kindOf(part: ArrayLike<unknown>): CellKind | undefined {
  for (let k = 0; k < part.length; k++) {
    const value = part[k];
    if (isNothing(value)) continue;
    if (value instanceof Date) return 'dates';
    if (typeof value === 'string' || typeof value === 'boolean') return 'texts';
    return typeof value === 'number' || typeof value === 'bigint' ? 'numbers' : 'neither';
  }
  return undefined;
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function numberOf(value: unknown): number {
  const number = isNothing(value) ? Number.NaN : Number(value);
  // One NaN for all: there are many, and they would hash differently.
  return Number.isNaN(number) ? Number.NaN : number;
}
