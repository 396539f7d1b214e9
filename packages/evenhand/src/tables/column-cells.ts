import { float64At, int32At, uint8At } from '../checked-access.js';
import { numberOfBytes } from './cell-text.js';
import type { CsvTokenizer } from './csv-tokenizer.js';
import { withRoom } from './growing-array.js';
import { isMissing, type TextMeaning } from './missing-texts.js';
import type { RawNumbers, RawTexts } from './raw-table.js';
import { TextInterner } from './text-interner.js';

/** Collects the numbers of one column of a CSV file. */
export class NumberCells {
  rows = 0;
  #values: Float64Array;
  #numbers = 0;

  constructor(expectedRows: number) {
    this.#values = new Float64Array(expectedRows);
  }

  /** Whether nothing but missing cells was taken yet. */
  get onlyMissing(): boolean {
    return this.#numbers === 0;
  }

  /** Takes the tokenizer's rows; false if one has a text that is neither a number nor missing, which ends the column. */
  append(bytes: Buffer, tokens: CsvTokenizer, firstRow: number, column: number): boolean {
    const { starts, ends, numbers: plain, rows, columns } = tokens;
    const values = withRoom(this.#values, this.rows + rows - firstRow);
    this.#values = values;
    let to = this.rows;
    let numbers = this.#numbers;
    for (let cell = firstRow * columns + column; cell < rows * columns; cell += columns) {
      let value = float64At(plain, cell);
      if (Number.isNaN(value)) {
        const unusual = unusualNumber(bytes, int32At(starts, cell), int32At(ends, cell));
        if (unusual === null) return false;
        value = unusual;
      }
      if (!Number.isNaN(value)) numbers++;
      values[to++] = value;
    }
    this.rows = to;
    this.#numbers = numbers;
    return true;
  }

  finish(name: string): RawNumbers {
    return { kind: 'numbers', name, values: this.#values.subarray(0, this.rows) };
  }
}

/** The number of a cell that has quotes or blanks around it, or is infinite; NaN if it is missing, null if it is a text. */
function unusualNumber(bytes: Buffer, cellStart: number, cellEnd: number): number | null {
  const start = trimmedStart(bytes, cellStart, cellEnd);
  const end = trimmedEnd(bytes, start, cellEnd);
  return isMissing(bytes, start, end) ? Number.NaN : numberOfBytes(bytes, start, end);
}

/** Collects the texts of one column of a CSV file. */
export class TextCells {
  #rows = 0;
  #codes: Int32Array;
  readonly #meaning: TextMeaning;
  readonly #interner = new TextInterner();
  #decoded: ReturnType<TextInterner['texts']> | undefined;

  /** @param missing - how many rows, all of them missing, came before */
  constructor(expectedRows: number, missing: number, meaning: TextMeaning) {
    this.#meaning = meaning;
    this.#codes = new Int32Array(Math.max(expectedRows, missing)).fill(-1, 0, missing);
    this.#rows = missing;
  }

  append(bytes: Buffer, { starts, ends, rows, columns }: CsvTokenizer, firstRow: number, column: number): void {
    const codes = withRoom(this.#codes, this.#rows + rows - firstRow);
    this.#codes = codes;
    for (let cell = firstRow * columns + column; cell < rows * columns; cell += columns) {
      const cellEnd = int32At(ends, cell);
      const start = trimmedStart(bytes, int32At(starts, cell), cellEnd);
      const end = trimmedEnd(bytes, start, cellEnd);
      codes[this.#rows++] = isMissing(bytes, start, end, this.#meaning) ? -1 : this.#interner.intern(bytes, start, end);
    }
  }

  finish(name: string): { readonly column: RawTexts; readonly windows1252: boolean } {
    this.#decoded ??= this.#interner.texts();
    const { texts, windows1252 } = this.#decoded;
    return { column: { kind: 'texts', name, texts, codes: this.#codes.subarray(0, this.#rows) }, windows1252 };
  }
}

function trimmedStart(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(uint8At(bytes, at))) at++;
  return at;
}

function trimmedEnd(bytes: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(uint8At(bytes, at - 1))) at--;
  return at;
}

/** Space, tab, and line ends in quotes. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
