import { at } from '../checked-access.js';
import { checkProbability, checkValue, type DriftDetector } from './detector.js';

/** Options of {@link Adwin}. */
export interface AdwinOptions {
  /** Bound on the probability of a false alarm at any one number. @defaultValue 0.002 */
  readonly delta?: number;
  /** How many numbers are taken from one check for a change to the next. @defaultValue 32 */
  readonly every?: number;
}

/** Neighbouring numbers, as a count, their sum, and the squares of what they differ from their mean. */
interface Bucket {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** {@link Adwin} as JSON. */
export interface AdwinJSON {
  readonly delta: number;
  readonly every: number;
  readonly seen: number;
  /** Of each size, from 1 by powers of two, the buckets from the oldest to the newest. */
  readonly levels: readonly (readonly Bucket[])[];
  /** All buckets together: added up anew it would differ in its last bits. */
  readonly total: Bucket;
}

/** Buckets of one size; with one more, the two oldest become one of the next size. */
const BUCKETS_PER_LEVEL = 5;

/** A part of the window that is shorter has no mean worth comparing. */
const SHORTEST_PART = 5;

/**
 * ADWIN (Bifet and Gavaldà 2007): a window of all numbers since the last change. It is cut wherever its older and its newer part have means
 * that differ by more than chance allows, and the older part is forgotten. The window is an exponential histogram, so that n numbers take
 * memory and time of O(log n).
 *
 * Numbers should lie in a range of about 1, as 0 and 1 for wrong and right do.
 */
export class Adwin implements DriftDetector {
  readonly delta: number;
  readonly every: number;
  #levels: Bucket[][] = [];
  #total: Bucket = EMPTY;
  #seen = 0;

  constructor({ delta = 0.002, every = 32 }: AdwinOptions = {}) {
    checkProbability('Adwin', 'delta', delta);
    if (!Number.isSafeInteger(every) || every < 1) {
      throw new RangeError(`Adwin: every is ${every}; expected a positive integer`);
    }
    this.delta = delta;
    this.every = every;
  }

  get mean(): number {
    return this.#total.count === 0 ? 0 : this.#total.sum / this.#total.count;
  }

  get size(): number {
    return this.#total.count;
  }

  add(value: number): boolean {
    checkValue('Adwin', value);
    this.#insert({ count: 1, sum: value, squares: 0 });
    this.#seen++;
    if (this.#seen % this.every !== 0) return false;
    let found = false;
    while (this.#cut()) found = true;
    return found;
  }

  /** Puts a number in as the newest bucket and joins the oldest two of a size where there are too many. */
  #insert(bucket: Bucket): void {
    this.#total = joined(this.#total, bucket);
    let carried: Bucket | undefined = bucket;
    for (let level = 0; carried !== undefined; level++) {
      const buckets = this.#levels[level] ?? [];
      this.#levels[level] = buckets;
      buckets.push(carried);
      carried = buckets.length > BUCKETS_PER_LEVEL ? joined(at(buckets, 0), at(buckets, 1)) : undefined;
      if (carried !== undefined) buckets.splice(0, 2);
    }
  }

  /** Forgets the oldest bucket if somewhere the means before and after differ by more than chance; tells whether it did. */
  #cut(): boolean {
    const { count: n, squares } = this.#total;
    if (n < 2 * SHORTEST_PART) return false;
    const variance = squares / n;
    // δ' = δ/ln n, for the cuts that are tried; ε = √(2/m·σ²·ln(2/δ')) + 2/(3m)·ln(2/δ'), 1/m = 1/n₀ + 1/n₁ (the paper's equation 3.1)
    const logarithm = Math.log((2 * Math.log(n)) / this.delta);
    let [count, sum] = [0, 0];
    for (const bucket of this.#oldestFirst()) {
      count += bucket.count;
      sum += bucket.sum;
      const after = n - count;
      if (after < SHORTEST_PART) return false;
      if (count < SHORTEST_PART) continue;
      const difference = Math.abs(sum / count - (this.#total.sum - sum) / after);
      const inverse = 1 / count + 1 / after;
      if (difference > Math.sqrt(2 * inverse * variance * logarithm) + (2 / 3) * inverse * logarithm) {
        this.#forgetOldest();
        return true;
      }
    }
    return false;
  }

  *#oldestFirst(): Generator<Bucket> {
    for (let level = this.#levels.length - 1; level >= 0; level--) yield* at(this.#levels, level);
  }

  #forgetOldest(): void {
    this.#levels.at(-1)?.shift();
    while (this.#levels.at(-1)?.length === 0) this.#levels.pop();
    // Added up anew: subtracting would leave the rounding of what is gone.
    this.#total = [...this.#oldestFirst()].reduce(joined, EMPTY);
  }

  toJSON(): AdwinJSON {
    return {
      delta: this.delta,
      every: this.every,
      seen: this.#seen,
      levels: this.#levels.map((level) => [...level]),
      total: this.#total,
    };
  }

  /** The detector that `toJSON` was called on. */
  static fromJSON({ delta, every, seen, levels, total }: AdwinJSON): Adwin {
    const detector = new Adwin({ delta, every });
    detector.#seen = seen;
    detector.#levels = levels.map((level) => [...level]);
    detector.#total = total;
    return detector;
  }
}

const EMPTY: Bucket = { count: 0, sum: 0, squares: 0 };

/** Two parts as one; Chan, Golub and LeVeque's formula for the squares. */
function joined(a: Bucket, b: Bucket): Bucket {
  if (a.count === 0) return b;
  const count = a.count + b.count;
  const difference = a.sum / a.count - b.sum / b.count;
  return {
    count,
    sum: a.sum + b.sum,
    squares: a.squares + b.squares + (difference ** 2 * a.count * b.count) / count,
  };
}
