import { join } from 'node:path';
import { at, float64At, int32At } from '../checked-access.js';
import type { Dataset } from '../dataset/dataset.js';
import { instanceName } from '../dataset/instance-name.js';
import { readFileIfThere } from '../files/read-file.js';
import { csvCell } from '../tables/csv-cell.js';
import { CsvTokenizer } from '../tables/csv-tokenizer.js';
import { UserError } from '../user-error.js';
import { RUN_FILES } from './run-files.js';

/** What was predicted for some instances of a data set. */
export interface Predictions {
  readonly instances: Int32Array;
  /** The answer for each. */
  readonly classes: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float32Array;
}

/**
 * The text of `predictions.csv`: `instance` (an image's file, a row's number in its table from 1, else that in the data set), its
 * `class`, the `predicted` one and the probability of every class.
 */
export function formatPredictions(dataset: Dataset, { instances, classes, probabilities }: Predictions): string {
  const { classNames, labels } = dataset;
  const header = ['instance', 'class', 'predicted', ...classNames.map((name) => `probability of ${name}`)];
  const rows = Array.from(instances, (instance, i) => [
    instanceName(dataset, instance),
    at(classNames, int32At(labels, instance)),
    at(classNames, int32At(classes, i)),
    ...probabilities.subarray(i * classNames.length, (i + 1) * classNames.length),
  ]);
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

/** What a run predicted for its test set. */
export interface TestPredictions {
  /** Names of the instances. */
  readonly instances: readonly string[];
  /** The right class of each, and the one that was answered. */
  readonly labels: Int32Array;
  readonly answers: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float64Array;
}

/** `instance`, `class` and `predicted` come before the probabilities. */
const FIRST_PROBABILITY = 3;

/**
 * Reads the `predictions.csv` of a run.
 *
 * @throws {@link UserError} if it is missing or not about these classes
 */
export async function readPredictions(run: string, classNames: readonly string[]): Promise<TestPredictions> {
  const file = join(run, RUN_FILES.predictions);
  const bytes = await readFileIfThere(file);
  if (bytes === undefined) {
    throw new UserError(
      `${run} has no ${RUN_FILES.predictions}. Resume the run: a complete one is only evaluated again`,
    );
  }
  const cells = new CsvTokenizer(file, ',');
  cells.tokenize(bytes, bytes.length, true);
  const classes = classNames.length;
  if (cells.columns !== FIRST_PROBABILITY + classes || cells.raggedCount > 0) {
    throw new UserError(
      `${file} has ${cells.columns} columns${cells.raggedCount > 0 ? ' and rows of other lengths' : ''}; ` +
        `expected ${FIRST_PROBABILITY + classes} for ${classes} classes. Resume the run: it is written again`,
    );
  }
  const indices = new Map(classNames.map((name, p) => [cellText(name), p]));
  const text = (row: number, column: number) => {
    const cell = row * cells.columns + column;
    return bytes.toString('utf8', cells.starts[cell], cells.ends[cell]);
  };
  const classAt = (row: number, column: number): number => {
    const index = indices.get(text(row, column));
    if (index !== undefined) return index;
    throw new UserError(
      `${file}, line ${cells.lines[row]}: the class "${text(row, column)}" is not one of the run's. Resume the run: it is written again`,
    );
  };
  const count = cells.rows - 1;
  const probabilities = Float64Array.from({ length: count * classes }, (_, k) => {
    const row = 1 + Math.floor(k / classes);
    return float64At(cells.numbers, row * cells.columns + FIRST_PROBABILITY + (k % classes));
  });
  return {
    instances: Array.from({ length: count }, (_, i) => text(i + 1, 0)),
    labels: Int32Array.from({ length: count }, (_, i) => classAt(i + 1, 1)),
    answers: Int32Array.from({ length: count }, (_, i) => classAt(i + 1, 2)),
    probabilities,
  };
}

/** What a class or instance is called in the file: it may have an apostrophe before it. */
export function cellText(name: string): string {
  const cell = csvCell(name);
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
