import { isMissingText, withoutBlanks } from './cell-text.js';
import { recoded } from './codes.js';
import { withRoom } from './growing-array.js';
import type { TextMeaning } from './missing-texts.js';
import { asTexts, type ChosenColumn, type RawColumn } from './raw-table.js';

/** The columns of plain objects, one object per row: the union of their keys, in the order of their first appearance. */
export class ObjectColumns {
  rows = 0;
  readonly #structures: 'refuse' | 'text';
  readonly #columns = new Map<string, ObjectColumn>();

  /** @param structures - what to do with objects and lists inside of them: `text` takes them for texts, which are JSON */
  constructor(structures: 'refuse' | 'text' = 'refuse') {
    this.#structures = structures;
  }

  /** How many columns there are. */
  get size(): number {
    return this.#columns.size;
  }

  get header(): string[] {
    return [...this.#columns.keys()];
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  take(object: object): void {
    for (const [key, value] of Object.entries(object)) {
      let column = this.#columns.get(key);
      if (column === undefined) {
        column = new ObjectColumn(key, this.#structures);
        this.#columns.set(key, column);
      }
      column.set(this.rows, value);
    }
    this.rows++;
  }

  /**
   * A column by its name; all its values are missing if no object has this key.
   *
   * @param refuse - makes the error for a row with a value that no column can hold
   */
  column(name: string, as: ChosenColumn['as'], refuse: (row: number, key: string, what: string) => Error): RawColumn {
    const column = this.#columns.get(name) ?? new ObjectColumn(name, this.#structures);
    if (column.structure !== undefined) throw refuse(column.structure.row, name, column.structure.what);
    return column.finish(this.rows, as);
  }
}

/** The values of one key: numbers until anything else turns up, texts from then on. */
class ObjectColumn {
  /** The first value that no column can hold. */
  structure: { readonly row: number; readonly what: string } | undefined;
  readonly #name: string;
  readonly #structures: 'refuse' | 'text';
  #numbers: Float64Array = new Float64Array();
  #codes: Int32Array = new Int32Array();
  /** Rows up to the last one that has the key. */
  #rows = 0;
  /** Undefined as long as there are only numbers. */
  #texts: { readonly list: string[]; readonly codeOf: Map<string, number> } | undefined;

  constructor(name: string, structures: 'refuse' | 'text') {
    this.#name = name;
    this.#structures = structures;
  }

  set(row: number, value: unknown): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'number' || typeof value === 'bigint') this.#setNumber(row, Number(value));
    else if (typeof value === 'string') this.#setText(row, value);
    else if (typeof value === 'boolean') this.#setText(row, String(value));
    else if (value instanceof Date) {
      if (!Number.isNaN(value.getTime())) this.#setText(row, value.toISOString());
    } else if (this.#structures === 'text') this.#setText(row, JSON.stringify(value));
    else this.structure ??= { row, what: describeStructure(value) };
  }

  finish(rows: number, as: ChosenColumn['as']): RawColumn {
    const name = this.#name;
    if (this.#texts === undefined) {
      const values = this.#numbersUpTo(rows).subarray(0, rows);
      const numbers = { kind: 'numbers', name, values } as const;
      return as === 'any' ? numbers : asTexts(numbers);
    }
    const { list } = this.#texts;
    const isText = meant(as === 'any' ? 'texts' : as);
    const texts = list.filter(isText);
    const codeOf = new Map(texts.map((text, code) => [text, code]));
    const codes = recoded(
      this.#codesUpTo(rows).subarray(0, rows),
      Int32Array.from(list, (text) => codeOf.get(text) ?? -1),
    );
    return { kind: 'texts', name, texts, codes };
  }

  #setNumber(row: number, number: number): void {
    if (this.#texts !== undefined) {
      if (!Number.isNaN(number)) this.#setText(row, String(number));
      return;
    }
    this.#numbersUpTo(row)[row] = number;
    this.#rows = row + 1;
  }

  #setText(row: number, given: string): void {
    const text = withoutBlanks(given);
    // Those that are missing even among classes are missing everywhere, and numbers may go on.
    if (isMissingText(text, 'classes')) return;
    const { list, codeOf } = this.#asTexts();
    let code = codeOf.get(text);
    if (code === undefined) {
      code = list.length;
      list.push(text);
      codeOf.set(text, code);
    }
    this.#codesUpTo(row)[row] = code;
    this.#rows = row + 1;
  }

  #asTexts() {
    if (this.#texts !== undefined) return this.#texts;
    const { texts, codes } = asTexts({
      kind: 'numbers',
      name: this.#name,
      values: this.#numbers.subarray(0, this.#rows),
    });
    this.#codes = codes;
    this.#numbers = new Float64Array();
    this.#texts = { list: [...texts], codeOf: new Map(texts.map((text, code) => [text, code])) };
    return this.#texts;
  }

  /** With room for a row, and those before it that did not have the key. */
  #numbersUpTo(row: number): Float64Array {
    this.#numbers = withRoom(this.#numbers, row + 1);
    return this.#numbers.fill(Number.NaN, this.#rows, row);
  }

  #codesUpTo(row: number): Int32Array {
    this.#codes = withRoom(this.#codes, row + 1);
    return this.#codes.fill(-1, this.#rows, row);
  }
}

function meant(meaning: TextMeaning): (text: string) => boolean {
  return (text) => !isMissingText(text, meaning);
}

function describeStructure(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
