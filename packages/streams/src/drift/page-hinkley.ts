import { checkValue, type DriftDetector } from './detector.js';

/** Options of {@link PageHinkley}. */
export interface PageHinkleyOptions {
  /** A fall of the mean that is not worth an alarm. @defaultValue 0.005 */
  readonly tolerance?: number;
  /** The sum of falls beyond the tolerance that raises an alarm: higher values make it later and surer. @defaultValue 50 */
  readonly threshold?: number;
  /** How many numbers are needed before the first alarm. @defaultValue 30 */
  readonly atLeast?: number;
}

/** {@link PageHinkley} as JSON. */
export interface PageHinkleyJSON {
  readonly tolerance: number;
  readonly threshold: number;
  readonly atLeast: number;
  readonly size: number;
  readonly mean: number;
  readonly sum: number;
  readonly highest: number;
}

/**
 * The Page–Hinkley test (Page 1954) for a mean that falls: recall that gets worse. It adds up how far each number is from the mean so far,
 * `U ← U + x − mean + tolerance`, and raises an alarm when U has fallen by `threshold` from its highest value.
 */
export class PageHinkley implements DriftDetector {
  readonly tolerance: number;
  readonly threshold: number;
  readonly atLeast: number;
  #size = 0;
  #mean = 0;
  #sum = 0;
  #highest = 0;

  constructor({ tolerance = 0.005, threshold = 50, atLeast = 30 }: PageHinkleyOptions = {}) {
    if (!(tolerance >= 0)) throw new RangeError(`PageHinkley: tolerance is ${tolerance}; expected a number from 0`);
    if (!(threshold > 0)) throw new RangeError(`PageHinkley: threshold is ${threshold}; expected a number above 0`);
    if (!Number.isSafeInteger(atLeast) || atLeast < 1) {
      throw new RangeError(`PageHinkley: atLeast is ${atLeast}; expected a positive integer`);
    }
    this.tolerance = tolerance;
    this.threshold = threshold;
    this.atLeast = atLeast;
  }

  get mean(): number {
    return this.#mean;
  }

  get size(): number {
    return this.#size;
  }

  add(value: number): boolean {
    checkValue('PageHinkley', value);
    this.#size++;
    this.#mean += (value - this.#mean) / this.#size;
    this.#sum += value - this.#mean + this.tolerance;
    this.#highest = Math.max(this.#highest, this.#sum);
    if (this.#size < this.atLeast || this.#highest - this.#sum <= this.threshold) return false;
    [this.#size, this.#mean, this.#sum, this.#highest] = [0, 0, 0, 0];
    return true;
  }

  toJSON(): PageHinkleyJSON {
    const { tolerance, threshold, atLeast } = this;
    return {
      tolerance,
      threshold,
      atLeast,
      size: this.#size,
      mean: this.#mean,
      sum: this.#sum,
      highest: this.#highest,
    };
  }

  /** The detector that `toJSON` was called on. */
  static fromJSON({ size, mean, sum, highest, ...options }: PageHinkleyJSON): PageHinkley {
    const detector = new PageHinkley(options);
    [detector.#size, detector.#mean, detector.#sum, detector.#highest] = [size, mean, sum, highest];
    return detector;
  }
}
