import { float64At } from '../checked-access.js';
import { checkMemory } from '../standardisation/decayed-moments.js';

/** Options of {@link ClassStatistics}. */
export interface ClassStatisticsOptions {
  /** Labelled rows after which a row's weight in the class shares has fallen to 1/e. @defaultValue 2000 */
  readonly shareMemory?: number;
  /** Rows of its own class after which a row's weight in the soft-confusion matrix has fallen to 1/e. @defaultValue 200 */
  readonly confusionMemory?: number;
}

/** {@link ClassStatistics} as JSON. */
export interface ClassStatisticsJSON {
  readonly shareMemory: number;
  readonly confusionMemory: number;
  readonly classes: number;
  readonly frequencies: readonly number[];
  readonly counts: readonly number[];
  readonly softConfusion: readonly number[];
}

/**
 * What is known of the classes of a stream: how frequent they are now, and how the network spreads probability over them. Every row is measured
 * by what was predicted before it was learned from, so that nothing has to be held out. Old rows fade: in the shares with every labelled
 * row, in a class's row of the soft-confusion matrix with every row of that class, so that a rare class does not forget while others arrive.
 */
export class ClassStatistics {
  readonly #shareMemory: number;
  readonly #confusionMemory: number;
  #classes = 0;
  #frequencies = new Float64Array(0);
  #counts = new Float64Array(0);
  #softConfusion = new Float64Array(0);

  constructor({ shareMemory = 2000, confusionMemory = 200 }: ClassStatisticsOptions = {}) {
    checkMemory('ClassStatistics: shares', shareMemory);
    checkMemory('ClassStatistics: soft confusion', confusionMemory);
    this.#shareMemory = shareMemory;
    this.#confusionMemory = confusionMemory;
  }

  get classes(): number {
    return this.#classes;
  }

  /** The sum of weights of each class's rows in {@link softConfusion}; 0 for a class that has never appeared. A copy. */
  get counts(): Float64Array {
    return this.#counts.slice();
  }

  /** S, row after row: `s[p,q]` is the weighted sum of the probabilities of q over rows of class p. A copy. */
  get softConfusion(): Float64Array {
    return this.#softConfusion.slice();
  }

  /** The sum of weights of each class's rows in {@link shares}: how many there have been lately. A copy. */
  get frequencies(): Float64Array {
    return this.#frequencies.slice();
  }

  /** The share of each class, all together 1; equal shares before the first row. */
  shares(): Float64Array {
    const sum = this.#frequencies.reduce((total, frequency) => total + frequency, 0);
    return this.#frequencies.map((frequency) => (sum === 0 ? 1 / this.#classes : frequency / sum));
  }

  /** Makes room for classes that appear; those that are known keep their indices. */
  grow(classes: number): void {
    if (classes <= this.#classes) return;
    const [before, matrix] = [this.#classes, new Float64Array(classes * classes)];
    for (let p = 0; p < before; p++) {
      matrix.set(this.#softConfusion.subarray(p * before, (p + 1) * before), p * classes);
    }
    this.#softConfusion = matrix;
    this.#frequencies = enlarged(this.#frequencies, classes);
    this.#counts = enlarged(this.#counts, classes);
    this.#classes = classes;
  }

  /**
   * Takes in a labelled row.
   *
   * @param probabilities - what the network predicted before it learned from the row, one number per class
   */
  add(label: number, probabilities: ArrayLike<number>): void {
    if (!Number.isSafeInteger(label) || label < 0 || label >= this.#classes) {
      throw new RangeError(
        `ClassStatistics: label is ${label}; expected an integer from 0 to ${this.#classes - 1}; grow() makes room for more`,
      );
    }
    if (probabilities.length !== this.#classes) {
      throw new RangeError(
        `ClassStatistics: ${probabilities.length} probabilities; expected one for each of ${this.#classes} classes`,
      );
    }
    const [kept, keptOfClass] = [1 - 1 / this.#shareMemory, 1 - 1 / this.#confusionMemory];
    for (let p = 0; p < this.#classes; p++) this.#frequencies[p] = kept * float64At(this.#frequencies, p);
    this.#frequencies[label] = float64At(this.#frequencies, label) + 1;
    this.#counts[label] = keptOfClass * float64At(this.#counts, label) + 1;
    for (let q = 0; q < this.#classes; q++) {
      const cell = label * this.#classes + q;
      this.#softConfusion[cell] = keptOfClass * float64At(this.#softConfusion, cell) + (probabilities[q] ?? Number.NaN);
    }
  }

  /**
   * Reduces the weight of past rows after a change, so that what comes next counts for more.
   *
   * @param share - the share of their weight that old rows keep, from 0 to 1
   */
  fade(share: number): void {
    if (!(share >= 0 && share <= 1)) {
      throw new RangeError(`ClassStatistics: share is ${share}; expected a number from 0 to 1`);
    }
    for (const values of [this.#frequencies, this.#counts, this.#softConfusion]) {
      for (let i = 0; i < values.length; i++) values[i] = share * float64At(values, i);
    }
  }

  toJSON(): ClassStatisticsJSON {
    return {
      shareMemory: this.#shareMemory,
      confusionMemory: this.#confusionMemory,
      classes: this.#classes,
      frequencies: Array.from(this.#frequencies),
      counts: Array.from(this.#counts),
      softConfusion: Array.from(this.#softConfusion),
    };
  }

  /** The statistics that `toJSON` was called on. */
  static fromJSON({ classes, frequencies, counts, softConfusion, ...options }: ClassStatisticsJSON): ClassStatistics {
    const statistics = new ClassStatistics(options);
    statistics.grow(classes);
    statistics.#frequencies.set(frequencies);
    statistics.#counts.set(counts);
    statistics.#softConfusion.set(softConfusion);
    return statistics;
  }
}

function enlarged(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const result = new Float64Array(length);
  result.set(values);
  return result;
}
