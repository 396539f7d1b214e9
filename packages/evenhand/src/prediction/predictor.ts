import { InferenceSession, Tensor } from 'onnxruntime-node';
import { at } from '../checked-access.js';
import type { Column, ColumnType } from '../dataset/column.js';
import { answersOf } from '../decision/answer-rule.js';
import { inParallel } from '../images/in-parallel.js';
import type { ImagePreprocessing, Preprocessing, TablePreprocessing } from '../preprocessing/preprocessing.js';
import type { ReadColumns, ReadColumnsOptions, TableRow } from '../sources/table-columns.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { classIndices } from './class-indices.js';
import { type ModelFile, readModelFile } from './read-model-file.js';
import { type Feeds, tableFeeds } from './table-feeds.js';

/** What a model makes of some rows or images. */
export interface Prediction {
  /** Names of the chosen classes. */
  readonly labels: readonly string[];
  /** The same as indices of the model's class names. */
  readonly classes: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float32Array;
}

/** What a model makes of a file, or of rows. */
export interface FilePrediction extends Prediction {
  /** What was read: with the classes that the file says, if they were asked for, and what a person should be told. */
  readonly table: ReadColumns;
}

/** Rows that the model is given at once: enough to keep it busy, few enough for memory. */
const TABLE_CHUNK = 8192;
const IMAGE_CHUNK = 64;

/** A trained model, ready to predict. It runs the exported file itself, so that every other ONNX Runtime answers the same. */
export class Predictor {
  readonly classNames: readonly string[];
  readonly preprocessing: Preprocessing;

  constructor(
    private readonly model: ModelFile,
    private readonly session: InferenceSession,
  ) {
    this.classNames = model.classNames;
    this.preprocessing = model.preprocessing;
  }

  /**
   * Predicts the rows of a table.
   *
   * @param columns - at least those that the model was trained with, in any order
   */
  async predictTable(columns: readonly Column[]): Promise<Prediction> {
    const { rows, feeds } = tableFeeds(this.#table(), columns);
    return this.#predict(rows, TABLE_CHUNK, feeds);
  }

  /**
   * Predicts the rows of a CSV, TSV, JSON lines or Parquet file, or of the standard input, which is `-`. Columns are found by their names;
   * others are ignored.
   */
  async predictFile(path: string, options: ReadColumnsOptions = {}): Promise<FilePrediction> {
    const types = this.#table().columns.map(({ type }) => type);
    const { readColumns } = await import('../sources/table-columns.js'); // models of images need no reader of tables
    const table = await readColumns(path, types, options);
    return { ...(await this.predictTable(table.columns)), table };
  }

  /**
   * Predicts rows that are plain objects, with the answers that a file of the same rows would get. Keys that the model was not trained
   * with are ignored; what a row does not have, or has as null, is a missing value. `table.notes` tells of both missing and unknown values.
   *
   * @example
   * ```ts
   * const { labels } = await model.predictRows([{ age: 42, city: 'Oslo', since: '2024-05-01' }, { age: 17, city: null }]);
   * ```
   * @throws UserError that names the row, from 1, and the key of a value that cannot be used; or if no row has any of the model's columns
   */
  async predictRows(rows: readonly TableRow[]): Promise<FilePrediction> {
    const types = this.#table('rows').columns.map(({ type }) => type);
    const { columnsOfRows } = await import('../sources/table-columns.js');
    const table = columnsOfRows(rows, types);
    return { ...(await this.predictTable(table.columns)), table };
  }

  /** Predicts image files; an image of another size is scaled and cropped as in training. */
  async predictImages(paths: readonly string[]): Promise<Prediction> {
    const { shape } = this.#images();
    const { decodeImage } = await import('../images/decode-image.js'); // nor those of tables one of images
    return this.#predict(paths.length, IMAGE_CHUNK, async (rows) => {
      const pixels = new Uint8Array(rows.length * sizeOf(shape));
      const wanted = Array.from(rows, (row) => at(paths, row));
      await inParallel(wanted, async (path, i) => {
        pixels.set(await decodeImage(path, shape), i * sizeOf(shape));
      });
      return { images: new Tensor('uint8', pixels, [rows.length, ...shape]) };
    });
  }

  /** Predicts images that have the model's size: `[images, channels, height, width]`. */
  async predictPixels(pixels: Uint8Array): Promise<Prediction> {
    const { shape } = this.#images();
    const size = sizeOf(shape);
    if (pixels.length % size !== 0) {
      throw new UserError(
        `there are ${pixels.length} pixels; expected a multiple of ${size}, images of ${shape.join('×')}`,
      );
    }
    return this.#predict(pixels.length / size, IMAGE_CHUNK, (rows) => {
      const data = new Uint8Array(rows.length * size);
      for (const [i, row] of rows.entries()) data.set(pixels.subarray(row * size, (row + 1) * size), i * size);
      return { images: new Tensor('uint8', data, [rows.length, ...shape]) };
    });
  }

  /** Frees what ONNX Runtime holds. */
  async close(): Promise<void> {
    await this.session.release();
  }

  #table(given: 'a table' | 'rows' = 'a table'): TablePreprocessing {
    const { preprocessing } = this;
    if (preprocessing.kind === 'table') return preprocessing;
    throw new UserError(`${this.model.source} was trained with images; expected image files to predict, not ${given}`);
  }

  #images(): ImagePreprocessing {
    const { preprocessing } = this;
    if (preprocessing.kind === 'images') return preprocessing;
    throw new UserError(`${this.model.source} was trained with a table; expected a table to predict, not images`);
  }

  async #predict(count: number, chunk: number, feeds: Feeds): Promise<Prediction> {
    const { label, probabilities } = this.model;
    const classes = this.classNames.length;
    const labels: string[] = [];
    const all = new Float32Array(count * classes);
    for (let from = 0; from < count; from += chunk) {
      const rows = Int32Array.from({ length: Math.min(chunk, count - from) }, (_, i) => from + i);
      const results = await this.session.run(await feeds(rows));
      const [texts, floats] = [results[label]?.data, results[probabilities]?.data];
      if (!Array.isArray(texts) || !(floats instanceof Float32Array))
        throw changedError(this.model.source, 'it gives other outputs');
      if (texts.length !== rows.length || floats.length !== rows.length * classes) {
        throw changedError(
          this.model.source,
          `of ${rows.length} instances it gives ${texts.length} labels and ${floats.length} probabilities`,
        );
      }
      labels.push(...texts);
      all.set(floats, from * classes);
    }
    return { labels, classes: classIndices(labels, this.classNames), probabilities: all };
  }
}

/** How a model is opened. */
export interface OpenModelOptions {
  /** Threads of one computation. @defaultValue as many as the machine runs at once */
  readonly threads?: number;
}

/**
 * Opens a `model.onnx` that a training run wrote, given as a path or as bytes.
 *
 * @example
 * ```ts
 * const model = await openModel('runs/first/model.onnx');
 * const { labels, probabilities } = await model.predictFile('new-customers.csv');
 * ```
 * @throws UserError if the file is not an ONNX model, is damaged, has external data, was not written by Evenhand, or contradicts itself
 */
export async function openModel(file: string | Uint8Array, { threads }: OpenModelOptions = {}): Promise<Predictor> {
  const model = await readModelFile(file);
  const options = { logSeverityLevel: 3, ...(threads === undefined ? {} : { intraOpNumThreads: threads }) } as const;
  let predictor: Predictor | undefined;
  try {
    predictor = new Predictor(model, await InferenceSession.create(model.bytes, options));
    await tryOut(predictor, model);
    return predictor;
  } catch (error) {
    await predictor?.close();
    if (error instanceof UserError) throw error;
    throw new UserError(`${model.source} cannot be used: ONNX Runtime refuses it (${errorMessage(error)})`);
  }
}

/** Of a sum of probabilities in float32, over thousands of classes. */
const PROBABILITY_TOLERANCE = 0.01;

/**
 * Predicts one instance of which nothing is known.
 *
 * @throws UserError if the answer is not one that a model with these classes can give
 */
async function tryOut(predictor: Predictor, { rule, source }: ModelFile): Promise<void> {
  const { preprocessing, classNames } = predictor;
  const { classes, probabilities } =
    preprocessing.kind === 'images'
      ? await predictor.predictPixels(new Uint8Array(sizeOf(preprocessing.shape)))
      : await predictor.predictTable(preprocessing.columns.map(({ type }) => missingCell(type)));
  const sum = probabilities.reduce((total, probability) => total + probability, 0);
  const [answer] = answersOf(rule, probabilities, classNames.length);
  if (!(Math.abs(sum - 1) < PROBABILITY_TOLERANCE) || classes[0] !== answer) {
    throw changedError(source, 'its label and its probabilities do not belong together');
  }
}

function changedError(source: string, what: string): UserError {
  return new UserError(`${source} cannot be used: ${what}. It was changed after training`);
}

/** A column of one row whose value is missing. */
function missingCell(type: ColumnType): Column {
  if (type.kind === 'numeric' || type.kind === 'date') return { ...type, values: Float64Array.of(Number.NaN) };
  return { ...type, codes: Int32Array.of(-1) };
}

function sizeOf([channels, height, width]: ImagePreprocessing['shape']): number {
  return channels * height * width;
}
