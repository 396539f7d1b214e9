import { DecayedMoments, type DecayedMomentsJSON } from '@evenhand/streams';
import { at, float32At } from '../../checked-access.js';
import type { TablePreprocessing } from '../../preprocessing/preprocessing.js';
import { LIMIT } from '../../preprocessing/table-features.js';
import {
  cellOf,
  isMissing,
  numberOf,
  type StreamColumn,
  type StreamRow,
  textOfValue,
  truthOf,
} from './stream-column.js';

/** {@link RowFeatures} as JSON. */
export interface RowFeaturesJSON {
  readonly columns: readonly StreamColumn[];
  readonly most: number;
  /** Known categories, for each categorical column. */
  readonly categories: readonly (readonly string[])[];
  readonly moments: DecayedMomentsJSON | null;
  readonly invalid: number;
}

/** What a float32 holds, roughly. */
const LARGEST = 3e38;

/** Truth values as the model file names them. */
const TRUTH: readonly [string, string] = ['false', 'true'];

/**
 * From rows to numbers. A row is kept as its *cells*, the numbers and category codes as they came; what a network takes is made of them by
 * the moments of that moment, so that a row that is learned from again is scaled as new ones are.
 */
export class RowFeatures {
  readonly columns: readonly StreamColumn[];
  readonly #numeric: readonly StreamColumn[];
  readonly #categorical: readonly StreamColumn[];
  /** Indices among the numeric columns. */
  readonly #flagged: readonly number[];
  readonly #most: number;
  readonly #codes: readonly Map<string, number>[];
  readonly #moments: DecayedMoments | null;
  readonly #scale: RowScale;
  #invalid = 0;

  /**
   * @param most - categories of a column that have a code of their own
   * @param memory - of the moments, in rows
   */
  constructor(columns: readonly StreamColumn[], most: number, memory: number, moments?: DecayedMoments) {
    this.columns = columns;
    this.#most = most;
    this.#numeric = columns.filter(({ kind }) => kind !== 'categorical');
    this.#categorical = columns.filter(({ kind }) => kind === 'categorical');
    this.#flagged = this.#numeric.flatMap(({ flagged }, i) => (flagged === true ? [i] : []));
    this.#codes = this.#categorical.map(() => new Map());
    const { length } = this.#numeric;
    this.#scale = { means: new Float64Array(length), deviations: new Float64Array(length) };
    this.#moments = length === 0 ? null : (moments ?? new DecayedMoments(length, memory));
  }

  /** Numbers that are kept of a row. */
  get cells(): number {
    return this.columns.length;
  }

  /** Numbers that the network takes, and of them those that are standardised. */
  get inputs(): number {
    return this.#numeric.length + this.#flagged.length + this.#categorical.length;
  }

  get numbers(): number {
    return this.#numeric.length;
  }

  /** How many codes each of the last inputs has. */
  get categories(): readonly number[] {
    return this.#categorical.map(() => this.#most + 1);
  }

  /** How many values there were that are no number, or no truth value, where one is expected: they count as missing. */
  get invalid(): number {
    return this.#invalid;
  }

  /**
   * The cells of a row, which enter the moments. Missing numbers are NaN; a category's code counts from 1, and 0 is missing.
   *
   * @param cells - where they are written
   */
  take(row: StreamRow, cells: Float32Array): void {
    const numbers = this.#numeric.length;
    for (let i = 0; i < numbers; i++) {
      const { name, kind } = at(this.#numeric, i);
      const value = row[name];
      // Nearly all cells are numbers: no other look at them.
      cells[i] = typeof value === 'number' && Math.abs(value) < LARGEST ? value : this.#number(cellOf(row, name), kind);
    }
    for (let i = 0; i < this.#categorical.length; i++) {
      const text = textOfValue(cellOf(row, at(this.#categorical, i).name));
      cells[numbers + i] = this.#code(at(this.#codes, i), text);
    }
    this.#moments?.add(this.#categorical.length === 0 ? cells : cells.subarray(0, numbers));
  }

  /** Whether a row has a value in any column that is learned from. */
  isFilled(row: StreamRow): boolean {
    return this.columns.some(({ name }) => !isMissing(cellOf(row, name)));
  }

  #number(value: unknown, kind: StreamColumn['kind']): number {
    if (isMissing(value)) return Number.NaN;
    const truth = kind === 'boolean' ? truthOf(value) : undefined;
    const number = truth === undefined ? numberOf(value) : Number(truth);
    if (Math.abs(number) < LARGEST) return number;
    this.#invalid++;
    return Number.NaN;
  }

  #code(codes: Map<string, number>, text: string | undefined): number {
    if (text === undefined) return 0;
    const known = codes.get(text);
    if (known !== undefined) return known;
    if (codes.size >= this.#most) return 0;
    codes.set(text, codes.size + 1);
    return codes.size;
  }

  /** The scale as it is now, for {@link writeInputs}. The next call overwrites it: a row that arrives must not cost two arrays. */
  scale(): RowScale {
    for (let column = 0; column < this.#numeric.length; column++) {
      const deviation = this.#moments?.deviation(column) ?? 0;
      this.#scale.means[column] = this.#moments?.mean(column) ?? 0;
      // A column that has never changed says nothing; only its first other value is scaled by 1.
      this.#scale.deviations[column] = deviation > 0 ? deviation : 1;
    }
    return this.#scale;
  }

  /** Writes what the network takes of a row's cells. */
  writeInputs(cells: Float32Array, { means, deviations }: RowScale, inputs: Float32Array, offset: number): void {
    const numbers = this.#numeric.length;
    for (let i = 0; i < numbers; i++) {
      const value = float32At(cells, i);
      const z = Number.isNaN(value) ? 0 : (value - (means[i] ?? 0)) / (deviations[i] ?? 1);
      inputs[offset + i] = Math.min(LIMIT, Math.max(-LIMIT, z));
    }
    let next = offset + numbers;
    for (const i of this.#flagged) inputs[next++] = Number.isNaN(float32At(cells, i)) ? 1 : 0;
    for (let i = numbers; i < cells.length; i++) inputs[next++] = float32At(cells, i);
  }

  /** The same as data, for a model file. */
  preprocessing(target: string): TablePreprocessing {
    const { means, deviations } = this.scale();
    const columns = this.columns.map((column): TablePreprocessing['columns'][number] => {
      const { name, kind } = column;
      if (kind === 'categorical') {
        const categories = [...at(this.#codes, this.#categorical.indexOf(column)).keys()];
        return { type: { name, kind, categories }, rules: [{ kind: 'category', categories }] };
      }
      const i = this.#numeric.indexOf(column);
      const [mean, std] = [at(means, i), at(deviations, i)];
      const rules = [{ kind: 'number', mean, std, fill: mean, flagged: column.flagged === true }] as const;
      return { type: kind === 'boolean' ? { name, kind, texts: TRUTH } : { name, kind }, rules };
    });
    return { kind: 'table', version: 1, target, columns };
  }

  toJSON(): RowFeaturesJSON {
    return {
      columns: this.columns,
      most: this.#most,
      categories: this.#codes.map((codes) => [...codes.keys()]),
      moments: this.#moments?.toJSON() ?? null,
      invalid: this.#invalid,
    };
  }

  /** What `toJSON` was called on. */
  static fromJSON({ columns, most, categories, moments, invalid }: RowFeaturesJSON): RowFeatures {
    const restored = moments === null ? undefined : DecayedMoments.fromJSON(moments);
    const features = new RowFeatures(columns, most, restored?.memory ?? 1, restored);
    for (const [i, texts] of categories.entries()) {
      for (const text of texts) at(features.#codes, i).set(text, at(features.#codes, i).size + 1);
    }
    features.#invalid = invalid;
    return features;
  }
}

/** Means and deviations of the number columns. */
export interface RowScale {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}
