import type { Labels, Values } from './arrays.js';
import { countClasses, type LabelledRows } from './labelled-rows.js';

/*
 * Every public function checks what it is given, here and in strategy.ts, and nothing behind the door checks again. A message names
 * the operation, the argument, the value, what was expected and, where it is not obvious, what to do.
 */

/** Beyond this a squared distance might overflow. */
const LARGEST = 1e150;

/** More classes than this are a column of numbers taken for labels. */
const MOST_CLASSES = 1_000_000;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}

/** Labels as 32-bit integers: classes 0, 1, 2, …, of which at least two have rows. */
export function checkLabels(labels: Labels, operation: string): { labels: Int32Array; counts: Int32Array } {
  if (!Array.isArray(labels) && !(ArrayBuffer.isView(labels) && 'length' in labels)) {
    throw new TypeError(
      `${operation}: labels is ${kindOf(labels)}; expected class indices as number[] or an integer typed array`,
    );
  }
  const checked = new Int32Array(labels.length);
  let classes = 0;
  for (let row = 0; row < labels.length; row++) {
    const given: unknown = labels[row];
    const label = typeof given === 'bigint' ? Number(given) : given;
    if (typeof label !== 'number' || !Number.isInteger(label) || label < 0 || label >= MOST_CLASSES) {
      throw new RangeError(
        `${operation}: labels[${row}] is ${String(given)}; expected a class index: an integer from 0 to ${MOST_CLASSES - 1}`,
      );
    }
    checked[row] = label;
    if (label >= classes) classes = label + 1;
  }
  const counts = countClasses(checked, classes);
  const present = counts.filter((count) => count > 0).length;
  if (present < 2) {
    throw new RangeError(
      `${operation}: labels has ${present === 0 ? 'no class' : 'one class'}; expected at least two: there is nothing to balance`,
    );
  }
  return { labels: checked, counts };
}

/** A matrix with one row per label. */
function checkMatrix(values: Values, rows: number, name: string, operation: string): number {
  if (!(Array.isArray(values) || values instanceof Float32Array || values instanceof Float64Array)) {
    throw new TypeError(`${operation}: ${name} is ${kindOf(values)}; expected Float32Array, Float64Array or number[]`);
  }
  const columns = values.length / rows;
  if (!Number.isInteger(columns) || columns < 1) {
    throw new RangeError(
      `${operation}: ${name} has length ${values.length}; expected a multiple of the ${rows} labels, row after row`,
    );
  }
  return columns;
}

/** Numbers that have distances: neither missing nor infinite. */
function checkMeasurable(values: Float64Array, columns: number, name: string, operation: string): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!(Math.abs(value) <= LARGEST)) {
      throw new RangeError(
        `${operation}: ${name}[${i}] (row ${Math.floor(i / columns)}, column ${i % columns}) is ${value}; ` +
          `expected a finite number of at most ${LARGEST}. Fill in or drop what is missing first`,
      );
    }
  }
}

/** A labelled data set; with `anyNumbers` for methods that measure nothing and may have missing values. */
export function checkData(
  features: Values,
  labels: Labels,
  operation: string,
  { anyNumbers = false }: { anyNumbers?: boolean } = {},
): LabelledRows {
  const checked = checkLabels(labels, operation);
  const columns = checkMatrix(features, checked.labels.length, 'features', operation);
  const values = features instanceof Float64Array ? features : Float64Array.from(features);
  if (!anyNumbers) checkMeasurable(values, columns, 'features', operation);
  return { features: values, columns, ...checked };
}

/** Points without labels, one at least. */
export function checkPoints(points: Values, columns: number, operation: string): Float64Array {
  checkInteger(columns, 1, 'columns', operation);
  checkMatrix(points, (points?.length ?? 0) / columns, 'points', operation);
  if (!Number.isInteger(points.length / columns)) {
    throw new RangeError(
      `${operation}: points has length ${points.length}; expected a multiple of ${columns} columns, row after row`,
    );
  }
  const values = points instanceof Float64Array ? points : Float64Array.from(points);
  checkMeasurable(values, columns, 'points', operation);
  return values;
}

/** Probabilities of every class for every row. */
export function checkProbabilities(probabilities: Values, labels: Int32Array, counts: Int32Array, operation: string) {
  const columns = checkMatrix(probabilities, labels.length, 'probabilities', operation);
  if (columns < counts.length) {
    throw new RangeError(
      `${operation}: probabilities has ${columns} columns; expected one for each of the ${counts.length} classes`,
    );
  }
  for (let i = 0; i < probabilities.length; i++) {
    const value = probabilities[i] ?? Number.NaN;
    if (!(value >= 0 && value <= 1)) {
      throw new RangeError(
        `${operation}: probabilities[${i}] (row ${Math.floor(i / columns)}, class ${i % columns}) is ${String(probabilities[i])}; ` +
          'expected a number from 0 to 1',
      );
    }
  }
  return columns;
}

/** An integer of at least `least`. */
export function checkInteger(value: unknown, least: number, name: string, operation: string): asserts value is number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${operation}: ${name} is ${String(value)}; expected an integer of at least ${least}`);
  }
}

/** The seed of a random method. There is no default: a result that cannot be repeated is not a result. */
export function checkSeed(seed: unknown, operation: string): asserts seed is number {
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0) {
    throw new RangeError(
      `${operation}: seed is ${String(seed)}; expected an integer of at least 0, for example { seed: 1 }`,
    );
  }
}

/** One of some words. */
export function checkChoice(value: unknown, choices: readonly unknown[], name: string, operation: string): void {
  if (!choices.includes(value)) {
    throw new RangeError(`${operation}: ${name} is ${String(value)}; expected one of ${choices.join(', ')}`);
  }
}

/** A finite number above or equal to `least`. */
export function checkNumber(value: unknown, least: number, name: string, operation: string): asserts value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least) {
    throw new RangeError(`${operation}: ${name} is ${String(value)}; expected a finite number of at least ${least}`);
  }
}

/**
 * How many neighbours a row of a class has among the others of it: as many as were asked for, or with `lenient` as many as there are.
 *
 * @throws RangeError if there are fewer, unless lenient
 */
export function neighboursInClass(
  rows: number,
  { neighbours, lenient = false }: { readonly neighbours: number; readonly lenient?: boolean | undefined },
  label: number,
  operation: string,
): number {
  if (!lenient) checkEnoughRows(rows, neighbours, `class ${label}`, operation);
  return Math.min(neighbours, rows - 1);
}

/** More rows than neighbours, for what looks for neighbours among them. */
export function checkEnoughRows(
  rows: number,
  neighbours: number,
  whose: string,
  operation: string,
  name = 'neighbours',
): void {
  if (rows <= neighbours) {
    throw new RangeError(
      `${operation}: ${whose} has ${rows} ${rows === 1 ? 'row' : 'rows'}; expected more than ${name} = ${neighbours}. ` +
        'Ask for fewer neighbours, use random over-sampling, or leave the class out of the strategy',
    );
  }
}
