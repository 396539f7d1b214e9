import { at } from '../checked-access.js';
import { randomAt } from '../random.js';

/** {@link ClassReservoir} as JSON. */
export interface ClassReservoirJSON {
  readonly capacity: number;
  readonly seed: number;
  /** Of each class: how many rows there have been, and those that are kept. */
  readonly classes: readonly { readonly seen: number; readonly rows: readonly (readonly number[])[] }[];
}

interface Reservoir {
  seen: number;
  readonly rows: Float32Array[];
}

/**
 * A few rows of each class, to be learned from again while new ones are rare. A new row takes the place of a random one of its class, so that a row
 * is kept, on average, until `capacity` newer ones of its class have come: a class that drifts is remembered as it is, not as it was.
 */
export class ClassReservoir {
  readonly capacity: number;
  readonly seed: number;
  readonly #classes: Reservoir[] = [];

  /**
   * @param capacity - rows that are kept of each class
   * @param seed - decides, with class and number of a row, whose place it takes
   */
  constructor(capacity: number, seed: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError(`ClassReservoir: capacity is ${capacity}; expected a positive integer`);
    }
    if (!Number.isSafeInteger(seed)) throw new RangeError(`ClassReservoir: seed is ${seed}; expected an integer`);
    this.capacity = capacity;
    this.seed = seed;
  }

  /** How many rows of a class are kept. */
  size(label: number): number {
    return this.#classes[label]?.rows.length ?? 0;
  }

  /** Keeps a copy of a row. */
  add(label: number, row: Float32Array): void {
    while (this.#classes.length <= label) this.#classes.push({ seen: 0, rows: [] });
    const reservoir = at(this.#classes, label);
    const { rows, seen } = reservoir;
    const place =
      rows.length < this.capacity ? rows.length : Math.floor(randomAt(this.seed, label, seen) * this.capacity);
    // Into the memory of the row that goes: a new array for every row is most of the work.
    const going = rows[place];
    if (going?.length === row.length) going.set(row);
    else rows[place] = row.slice();
    reservoir.seen++;
  }

  /**
   * One of the rows kept of a class. Its content changes when another row takes its place: copy it to keep it.
   *
   * @param draw - decides, with seed and class, which one; the same draw gives the same place
   * @returns undefined if there is none
   */
  draw(label: number, draw: number): Float32Array | undefined {
    const rows = this.#classes[label]?.rows ?? [];
    return rows[Math.floor(randomAt(~this.seed, label, draw) * rows.length)];
  }

  /** Forgets the rows of a class: after a change they mislead. */
  forget(label: number): void {
    const reservoir = this.#classes[label];
    if (reservoir !== undefined) reservoir.rows.length = 0;
  }

  /** Forgets all rows. */
  forgetAll(): void {
    for (const label of this.#classes.keys()) this.forget(label);
  }

  toJSON(): ClassReservoirJSON {
    return {
      capacity: this.capacity,
      seed: this.seed,
      classes: this.#classes.map(({ seen, rows }) => ({ seen, rows: rows.map((row) => Array.from(row)) })),
    };
  }

  /** The reservoir that `toJSON` was called on. */
  static fromJSON({ capacity, seed, classes }: ClassReservoirJSON): ClassReservoir {
    const reservoir = new ClassReservoir(capacity, seed);
    for (const { seen, rows } of classes) {
      reservoir.#classes.push({ seen, rows: rows.map((row) => Float32Array.from(row)) });
    }
    return reservoir;
  }
}
