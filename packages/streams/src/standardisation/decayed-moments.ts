import { float64At } from '../checked-access.js';

/** {@link DecayedMoments} as JSON. */
export interface DecayedMomentsJSON {
  readonly memory: number;
  readonly weights: readonly number[];
  readonly means: readonly number[];
  readonly squares: readonly number[];
}

/**
 * Mean and variance of every column over about the last `memory` rows: each row counts `1 − 1/memory` times as much as the one after it.
 * Rows are taken one by one, so that the result does not depend on how they were grouped. NaN is a missing value: its column keeps what it had.
 */
export class DecayedMoments {
  readonly columns: number;
  readonly memory: number;
  /** Σ of the values' weights, for each column; `memory` in the long run. */
  readonly #weights: Float64Array;
  readonly #means: Float64Array;
  /** Σ weight·(x − mean)². */
  readonly #squares: Float64Array;

  /**
   * @param columns - numbers in a row
   * @param memory - rows after which a row's weight has fallen to 1/e; at least 1
   */
  constructor(columns: number, memory: number) {
    if (!Number.isSafeInteger(columns) || columns < 1) {
      throw new RangeError(`DecayedMoments: columns is ${columns}; expected a positive integer`);
    }
    checkMemory('DecayedMoments', memory);
    this.columns = columns;
    this.memory = memory;
    this.#weights = new Float64Array(columns);
    this.#means = new Float64Array(columns);
    this.#squares = new Float64Array(columns);
  }

  /**
   * Takes in rows, the oldest first.
   *
   * @param rows - row after row, a multiple of `columns`; NaN where a value is missing
   */
  add(rows: Float32Array): void {
    this.#check(rows);
    const kept = 1 - 1 / this.memory;
    const [weights, means, squares] = [this.#weights, this.#means, this.#squares];
    for (let row = 0; row < rows.length; row += this.columns) {
      for (let column = 0; column < this.columns; column++) {
        const value = rows[row + column] ?? Number.NaN;
        if (!Number.isFinite(value)) continue;
        // West's update, with weights that decay: the older ones times `kept`, the new one 1.
        const weight = kept * float64At(weights, column) + 1;
        const before = float64At(means, column);
        const difference = value - before;
        const mean = before + difference / weight;
        squares[column] = kept * float64At(squares, column) + difference * (value - mean);
        means[column] = mean;
        weights[column] = weight;
      }
    }
  }

  /** The mean of a column; 0 before its first value. */
  mean(column: number): number {
    return float64At(this.#means, column);
  }

  /** The standard deviation of a column (of the weighted values, not an estimate for a population); 0 before its second value. */
  deviation(column: number): number {
    const weight = float64At(this.#weights, column);
    return weight === 0 ? 0 : Math.sqrt(Math.max(0, float64At(this.#squares, column)) / weight);
  }

  /**
   * Rows as a network takes them: `z = (x − mean)/deviation`, then `z/√(1 + (z/3)²)`, so that a single outlier stays below 3 and cannot upset
   * what was learned. Missing values and columns that never change are 0.
   */
  standardise(rows: Float32Array): Float32Array<ArrayBuffer> {
    this.#check(rows);
    const result = new Float32Array(rows.length);
    const deviations = Float64Array.from({ length: this.columns }, (_, column) => this.deviation(column));
    for (let i = 0; i < rows.length; i++) {
      const column = i % this.columns;
      const deviation = float64At(deviations, column);
      const value = rows[i] ?? Number.NaN;
      if (!Number.isFinite(value) || deviation === 0) continue;
      const z = (value - float64At(this.#means, column)) / deviation;
      result[i] = z / Math.sqrt(1 + (z / 3) ** 2);
    }
    return result;
  }

  toJSON(): DecayedMomentsJSON {
    return {
      memory: this.memory,
      weights: Array.from(this.#weights),
      means: Array.from(this.#means),
      squares: Array.from(this.#squares),
    };
  }

  /** The moments that `toJSON` was called on, to the last bit. */
  static fromJSON({ memory, weights, means, squares }: DecayedMomentsJSON): DecayedMoments {
    const moments = new DecayedMoments(weights.length, memory);
    if (means.length !== weights.length || squares.length !== weights.length) {
      throw new RangeError(
        `DecayedMoments: ${weights.length} weights, ${means.length} means and ${squares.length} squares were saved; expected as many of each`,
      );
    }
    moments.#weights.set(weights);
    moments.#means.set(means);
    moments.#squares.set(squares);
    return moments;
  }

  #check(rows: Float32Array): void {
    if (rows.length % this.columns !== 0) {
      throw new RangeError(
        `DecayedMoments: ${rows.length} numbers are not rows of ${this.columns}; expected a multiple of the columns`,
      );
    }
  }
}

/** How long something is remembered. */
export function checkMemory(operation: string, memory: number): void {
  if (!(Number.isFinite(memory) && memory >= 1)) {
    throw new RangeError(`${operation}: memory is ${memory}; expected a number from 1`);
  }
}
