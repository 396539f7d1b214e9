import type { Dataset } from '../dataset/dataset.js';
import { instanceName } from './instance-name.js';

/** What was predicted for some instances. */
export interface Predictions {
  /** Places in the data set. */
  readonly places: Int32Array;
  readonly classes: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float32Array;
}

/**
 * Predictions as CSV: `instance` (an image's file, a row's number in its table from 1, else that in the data set), its `class`, the `predicted` one
 * and the probability of every class.
 */
export function predictionsCsv(dataset: Dataset, { places, classes, probabilities }: Predictions): string {
  const { classNames, labels } = dataset;
  const header = ['instance', 'class', 'predicted', ...classNames.map((name) => `probability of ${name}`)];
  const rows = Array.from(places, (place, i) => [
    instanceName(dataset, place),
    classNames[labels[place] ?? 0] ?? '',
    classNames[classes[i] ?? 0] ?? '',
    ...probabilities.subarray(i * classNames.length, (i + 1) * classNames.length),
  ]);
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

/**
 * A cell of CSV. Spreadsheets take text that begins with `=`, `+`, `-`, `@`, a tab or a line break for a formula, which may
 * do anything: such text gets an apostrophe before it. Numbers, and text that is one, stay as they are.
 */
export function csvCell(value: string | number): string {
  const text = String(value);
  const isNumber = typeof value === 'number' || /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  const inert = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
