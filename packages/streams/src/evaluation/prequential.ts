import { at, float64At } from '../checked-access.js';

/** Options of {@link Prequential}. */
export interface PrequentialOptions {
  /** How much a row counts relative to the one after it; 1 counts all rows equally. @defaultValue 0.999 */
  readonly fading?: number;
  /** How many of the last rows the windowed metrics cover. @defaultValue 1000 */
  readonly window?: number;
}

/** How good predictions have been. */
export interface PrequentialMetrics {
  /** The sum of the rows' weights. */
  readonly rows: number;
  /** One per class, in the order of their indices; null for a class without rows. */
  readonly recall: readonly (number | null)[];
  /** The mean recall of the classes that have rows; null before the first row. */
  readonly balancedAccuracy: number | null;
  /** The geometric mean of the same: 0 as soon as one class is never found. */
  readonly gMean: number | null;
  readonly accuracy: number | null;
  /** Cohen's κ: how much better than answering at random with the same frequencies; null where there is only one class. */
  readonly kappa: number | null;
}

/** {@link Prequential} as JSON. */
export interface PrequentialJSON {
  readonly fading: number;
  readonly window: number;
  readonly classes: number;
  readonly rows: number;
  /** Counts that fade, to be multiplied by `scale`. */
  readonly faded: readonly number[];
  readonly scale: number;
  /** The last rows: label and answer, the oldest first. */
  readonly last: readonly (readonly [label: number, answer: number])[];
}

/** Below it, counts are divided by their scale before they overflow. */
const SMALLEST_SCALE = 1e-100;

/**
 * Prequential evaluation (Gama, Sebastião and Rodrigues 2013): every row is predicted before it is learned from, so each one is a test. Two
 * views of the same confusion matrix: with a fading factor, and over a window of the last rows. Classes may appear at any time.
 */
export class Prequential {
  readonly fading: number;
  readonly window: number;
  #classes = 0;
  #rows = 0;
  /** Confusion counts of rows that fade, but for the factor {@link #scale}, which saves fading every count with every row. */
  #faded = new Float64Array(0);
  #scale = 1;
  #counts = new Float64Array(0);
  /** A ring of label and answer. */
  readonly #ring: Int32Array;

  constructor({ fading = 0.999, window = 1000 }: PrequentialOptions = {}) {
    if (!(fading > 0 && fading <= 1)) {
      throw new RangeError(`Prequential: fading is ${fading}; expected a number above 0 and at most 1`);
    }
    if (!Number.isSafeInteger(window) || window < 1) {
      throw new RangeError(`Prequential: window is ${window}; expected a positive integer`);
    }
    this.fading = fading;
    this.window = window;
    this.#ring = new Int32Array(2 * window);
  }

  /** How many rows there have been. */
  get rows(): number {
    return this.#rows;
  }

  /** Takes in a row: its class, and the answer that was given before the class was known. */
  add(label: number, answer: number): void {
    checkIndex('label', label);
    checkIndex('answer', answer);
    this.#grow(Math.max(label, answer) + 1);
    this.#scale *= this.fading;
    if (this.#scale < SMALLEST_SCALE) {
      this.#faded = this.#faded.map((count) => count * this.#scale);
      this.#scale = 1;
    }
    const cell = label * this.#classes + answer;
    this.#faded[cell] = float64At(this.#faded, cell) + 1 / this.#scale;
    this.#counts[cell] = float64At(this.#counts, cell) + 1;
    const slot = 2 * (this.#rows % this.window);
    if (this.#rows >= this.window) {
      const oldest = at(this.#ring, slot) * this.#classes + at(this.#ring, slot + 1);
      this.#counts[oldest] = float64At(this.#counts, oldest) - 1;
    }
    this.#ring[slot] = label;
    this.#ring[slot + 1] = answer;
    this.#rows++;
  }

  /** Metrics in which old rows fade. */
  faded(): PrequentialMetrics {
    return metricsOf(
      this.#faded.map((count) => count * this.#scale),
      this.#classes,
    );
  }

  /** Metrics of the last rows. */
  windowed(): PrequentialMetrics {
    return metricsOf(this.#counts, this.#classes);
  }

  toJSON(): PrequentialJSON {
    const kept = Math.min(this.#rows, this.window);
    const last = Array.from({ length: kept }, (_, i): [number, number] => {
      const slot = 2 * ((this.#rows - kept + i) % this.window);
      return [at(this.#ring, slot), at(this.#ring, slot + 1)];
    });
    return {
      fading: this.fading,
      window: this.window,
      classes: this.#classes,
      rows: this.#rows,
      faded: Array.from(this.#faded),
      scale: this.#scale,
      last,
    };
  }

  /** The evaluation that `toJSON` was called on: from there on, both are the same to the last bit. */
  static fromJSON({ fading, window, classes, rows, faded, scale, last }: PrequentialJSON): Prequential {
    const evaluation = new Prequential({ fading, window });
    evaluation.#grow(classes);
    evaluation.#faded.set(faded);
    evaluation.#scale = scale;
    evaluation.#rows = rows;
    for (const [i, [label, answer]] of last.entries()) {
      const cell = label * classes + answer;
      evaluation.#counts[cell] = float64At(evaluation.#counts, cell) + 1;
      const slot = 2 * ((rows - last.length + i) % window);
      evaluation.#ring[slot] = label;
      evaluation.#ring[slot + 1] = answer;
    }
    return evaluation;
  }

  #grow(classes: number): void {
    if (classes <= this.#classes) return;
    this.#faded = enlarged(this.#faded, this.#classes, classes);
    this.#counts = enlarged(this.#counts, this.#classes, classes);
    this.#classes = classes;
  }
}

function checkIndex(name: string, index: number): void {
  if (Number.isSafeInteger(index) && index >= 0) return;
  throw new RangeError(`Prequential: ${name} is ${index}; expected a class index, an integer from 0`);
}

/** A square matrix with rows and columns of zeros added. */
function enlarged(matrix: Float64Array, before: number, after: number): Float64Array<ArrayBuffer> {
  const result = new Float64Array(after * after);
  for (let row = 0; row < before; row++) result.set(matrix.subarray(row * before, (row + 1) * before), row * after);
  return result;
}

function metricsOf(confusion: Float64Array, classes: number): PrequentialMetrics {
  const labels = new Float64Array(classes);
  const answers = new Float64Array(classes);
  let [rows, right] = [0, 0];
  for (let p = 0; p < classes; p++) {
    for (let q = 0; q < classes; q++) {
      const count = float64At(confusion, p * classes + q);
      labels[p] = float64At(labels, p) + count;
      answers[q] = float64At(answers, q) + count;
      rows += count;
      if (p === q) right += count;
    }
  }
  const recall = Array.from(labels, (count, p) => (count > 0 ? float64At(confusion, p * classes + p) / count : null));
  const known = recall.filter((value) => value !== null);
  const byChance = labels.reduce((sum, count, p) => sum + (count / rows) * (float64At(answers, p) / rows), 0);
  const accuracy = rows === 0 ? null : right / rows;
  return {
    rows,
    recall,
    balancedAccuracy: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
    gMean: known.length === 0 ? null : Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length),
    accuracy,
    kappa: accuracy === null || byChance >= 1 ? null : (accuracy - byChance) / (1 - byChance),
  };
}
