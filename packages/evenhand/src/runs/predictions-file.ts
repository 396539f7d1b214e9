import { join } from 'node:path';
import { at, float32At, float64At, int32At } from '../checked-access.js';
import type { Dataset } from '../dataset/dataset.js';
import { instanceName } from '../dataset/instance-name.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import { readFileIfThere } from '../files/read-file.js';
import { csvCell } from '../tables/csv-cell.js';
import { CsvTokenizer } from '../tables/csv-tokenizer.js';
import { UserError } from '../user-error.js';
import { probabilityCells, probabilityTitles } from './probability-columns.js';
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
 * `class`, the `predicted` one and the probability of every class; with very many classes, those of its own class, of the predicted one and of
 * the likeliest.
 */
export function formatPredictions(dataset: Dataset, { instances, classes, probabilities }: Predictions): string {
  const { classNames, labels } = dataset;
  const isCut = hasTooManyClasses(classNames.length);
  const own = isCut ? ['probability of its class', 'probability of predicted'] : [];
  const header = ['instance', 'class', 'predicted', ...own, ...probabilityTitles(classNames)];
  const rows = Array.from(instances, (instance, i) => {
    const label = int32At(labels, instance);
    const answer = int32At(classes, i);
    const row = probabilities.subarray(i * classNames.length, (i + 1) * classNames.length);
    return [
      instanceName(dataset, instance),
      at(classNames, label),
      at(classNames, answer),
      ...(isCut ? [float32At(row, label), float32At(row, answer)] : []),
      ...probabilityCells(classNames, row),
    ];
  });
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

/** What a run predicted for its test set. */
export interface TestPredictions {
  /** Names of the instances. */
  readonly instances: readonly string[];
  /** The right class of each, and the one that was answered. */
  readonly labels: Int32Array;
  readonly answers: Int32Array;
  /**
   * `[instances, classes]`. With more than 128 classes the file has those of an instance's own class, of the predicted one and of the likeliest: what is left
   * to 1 is shared equally among the others.
   */
  readonly probabilities: Float64Array;
}

/** `instance`, `class` and `predicted` come before the probabilities. */
const FIRST_PROBABILITY = 3;
/** With very many classes the probabilities of these two come before those of the likeliest. */
const FIRST_LIKELIEST = FIRST_PROBABILITY + 2;

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
  const whole = FIRST_PROBABILITY + classes;
  const isCut = hasTooManyClasses(classes) && cells.columns !== whole;
  const expected = isCut ? FIRST_LIKELIEST + probabilityTitles(classNames).length : whole;
  if (cells.columns !== expected || cells.raggedCount > 0) {
    throw new UserError(
      `${file} has ${cells.columns} columns${cells.raggedCount > 0 ? ' and rows of other lengths' : ''}; ` +
        `expected ${expected} for ${classes} classes. Resume the run: it is written again`,
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
  const labels = Int32Array.from({ length: count }, (_, i) => classAt(i + 1, 1));
  const answers = Int32Array.from({ length: count }, (_, i) => classAt(i + 1, 2));
  const numberAt = (row: number, column: number) => float64At(cells.numbers, row * cells.columns + column);
  const probabilities = new Float64Array(count * classes);
  for (let i = 0; i < count; i++) {
    const own = probabilities.subarray(i * classes, (i + 1) * classes);
    if (!isCut) {
      for (let q = 0; q < classes; q++) own[q] = numberAt(i + 1, FIRST_PROBABILITY + q);
      continue;
    }
    const known = new Map([
      [int32At(labels, i), numberAt(i + 1, FIRST_PROBABILITY)],
      [int32At(answers, i), numberAt(i + 1, FIRST_PROBABILITY + 1)],
    ]);
    for (let column = FIRST_LIKELIEST; column < cells.columns; column += 2)
      known.set(classAt(i + 1, column), numberAt(i + 1, column + 1));
    fillRow(own, known);
  }
  return {
    instances: Array.from({ length: count }, (_, i) => text(i + 1, 0)),
    labels,
    answers,
    probabilities,
  };
}

/** The probabilities that are known; what is left to 1 goes to the others in equal shares. */
function fillRow(row: Float64Array, known: ReadonlyMap<number, number>): void {
  const sum = Array.from(known.values()).reduce((a, b) => a + b, 0);
  row.fill(Math.max(0, 1 - sum) / (row.length - known.size));
  for (const [index, probability] of known) row[index] = probability;
}

/** What a class or instance is called in the file: it may have an apostrophe before it. */
export function cellText(name: string): string {
  const cell = csvCell(name);
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}
