import { int32At, uint8At } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { scanDecimal } from './decimal.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/** A row that has more or fewer cells than the header. */
interface RaggedRow {
  readonly line: number;
  readonly cells: number;
}

/**
 * Finds the cells of CSV text (RFC 4180; lines end in LF, CR or CRLF; lines with nothing on them are skipped). Works on
 * bytes in which the delimiter, quotes and line ends are single ASCII bytes: UTF-8 or any single-byte encoding. The first
 * record ever seen says how many columns there are.
 */
export class CsvTokenizer {
  /** At r·columns + c, of the cell in row r and column c: where its content starts and ends in the bytes given last. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** Its number, if it is a decimal without quotes and blanks; else NaN. Found on the way, it costs no second look at the bytes. */
  numbers = new Float64Array(0);
  /** The line in which each row starts, from 1. */
  lines = new Int32Array(0);
  rows = 0;
  columns = 0;
  /** The first ragged rows, and how many there are. */
  readonly ragged: RaggedRow[] = [];
  raggedCount = 0;
  /** The line of the record that was not complete, and of its open quote if it has one. */
  line = 1;
  openQuoteLine: number | null = null;

  readonly #file: string;
  readonly #delimiter: number;
  /** 1 for the bytes that end a cell without quotes. */
  readonly #stops = new Uint8Array(256);
  /** Of the current record: how many cells, which of them have doubled quotes, how many line ends are inside quotes. */
  #cells = 0;
  readonly #doubled: number[] = [];
  #lineEndsInQuotes = 0;

  constructor(file: string, delimiter: string) {
    this.#file = file;
    this.#delimiter = delimiter.charCodeAt(0);
    for (const stop of [this.#delimiter, LINE_FEED, CARRIAGE_RETURN]) this.#stops[stop] = 1;
  }

  /**
   * Takes all complete records from the first `length` of `bytes` and gives the index of the first byte that it did not
   * take. With `final`, nothing follows. Doubled quotes are made single in place.
   */
  tokenize(bytes: Buffer, length: number, final: boolean): number {
    if (this.starts.length <= length) {
      // No cell or row without a byte of its own, but for one at the very end.
      const room = Math.max(length + 1, 2 * this.starts.length);
      this.starts = new Int32Array(room);
      this.ends = new Int32Array(room);
      this.numbers = new Float64Array(room);
      this.lines = new Int32Array(room);
    }
    this.rows = 0;
    let taken = 0;
    let cell = 0;
    while (taken < length) {
      const next = this.#afterBlankLine(bytes, taken, length, final);
      if (next < 0) break;
      if (next > taken) {
        taken = next;
        this.line++;
        continue;
      }
      this.#doubled.length = 0;
      this.#lineEndsInQuotes = 0;
      const end = this.#record(bytes, taken, length, final, cell);
      if (end < 0) break;
      cell = this.#finishRecord(bytes, cell);
      taken = end;
    }
    return taken;
  }

  /** The index behind a line with nothing on it; `at` itself if it starts a record; −1 if that cannot be told yet. */
  #afterBlankLine(bytes: Buffer, at: number, length: number, final: boolean): number {
    if (bytes[at] === LINE_FEED) return at + 1;
    if (bytes[at] !== CARRIAGE_RETURN) return at;
    return this.#afterCarriageReturn(bytes, at + 1, length, final);
  }

  #afterCarriageReturn(bytes: Buffer, at: number, length: number, final: boolean): number {
    if (at === length && !final) return -1;
    return at < length && bytes[at] === LINE_FEED ? at + 1 : at;
  }

  /** Notes the cells of the record that starts at `from`; gives the index behind it, or −1 if its end is not there. */
  #record(bytes: Buffer, from: number, length: number, final: boolean, firstCell: number): number {
    const { starts, ends, numbers } = this;
    const stops = this.#stops;
    const delimiter = this.#delimiter;
    let cell = firstCell;
    let at = from;
    for (;;) {
      if (at < length && bytes[at] === QUOTE) {
        starts[cell] = at + 1;
        numbers[cell] = Number.NaN;
        at = this.#closingQuote(bytes, at + 1, length, final, cell);
        if (at < 0) return -1;
        ends[cell] = at++;
      } else {
        starts[cell] = at;
        at = scanDecimal(bytes, at, length, numbers, cell);
        if (at < length && stops[bytes[at] ?? LINE_FEED] === 0) {
          numbers[cell] = Number.NaN;
          do at++;
          while (at < length && stops[bytes[at] ?? LINE_FEED] === 0);
        }
        ends[cell] = at;
      }
      cell++;
      if (at === length && !final) return -1;
      const stop = at < length ? bytes[at] : LINE_FEED;
      at++;
      if (stop !== delimiter) {
        this.#cells = cell - firstCell;
        return stop === CARRIAGE_RETURN ? this.#afterCarriageReturn(bytes, at, length, final) : at;
      }
    }
  }

  /** The index of the quote that closes a cell, or −1 if it is not there yet. */
  #closingQuote(bytes: Buffer, from: number, length: number, final: boolean, cell: number): number {
    const openLine = this.line + this.#lineEndsInQuotes;
    let doubled = false;
    for (let at = from; at < length; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) this.#lineEndsInQuotes++;
      if (byte !== QUOTE) continue;
      if (at + 1 === length && !final) break;
      if (at + 1 < length && bytes[at + 1] === QUOTE) {
        doubled = true;
        at++;
        continue;
      }
      if (at + 1 < length && this.#stops[uint8At(bytes, at + 1)] === 0) throw this.#textBehindQuoteError(openLine);
      if (doubled) this.#doubled.push(cell);
      this.openQuoteLine = null;
      return at;
    }
    this.openQuoteLine = openLine;
    if (final) throw this.unclosedQuoteError(openLine);
    return -1;
  }

  /** Keeps the record that was just noted, if it has the right number of cells; gives the index of the next one's first cell. */
  #finishRecord(bytes: Buffer, firstCell: number): number {
    const line = this.line;
    this.line += 1 + this.#lineEndsInQuotes;
    if (this.columns === 0) this.columns = this.#cells;
    if (this.#cells !== this.columns) {
      if (this.ragged.length < 10) this.ragged.push({ line, cells: this.#cells });
      this.raggedCount++;
      return firstCell;
    }
    for (const cell of this.#doubled) this.#undouble(bytes, cell);
    this.lines[this.rows++] = line;
    return firstCell + this.columns;
  }

  #undouble(bytes: Buffer, cell: number): void {
    const end = int32At(this.ends, cell);
    let to = int32At(this.starts, cell);
    for (let at = to; at < end; at++) {
      const byte = uint8At(bytes, at);
      bytes[to++] = byte;
      if (byte === QUOTE) at++;
    }
    this.ends[cell] = to;
  }

  /** The error of a quote that was opened in `line`. */
  unclosedQuoteError(line: number): UserError {
    return new UserError(
      `${this.#file}, line ${line}: a quote opens here and is never closed. Close it, or double it if it is part of a text: "".`,
    );
  }

  #textBehindQuoteError(line: number): UserError {
    return new UserError(
      `${this.#file}, line ${line}: text follows the closing quote of a cell, where a delimiter or the end of the line is expected. A quote inside a quoted cell is written twice: "".`,
    );
  }
}
