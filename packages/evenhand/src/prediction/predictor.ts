import { InferenceSession, Tensor } from 'onnxruntime-node';
import { at } from '../checked-access.js';
import type { Column } from '../dataset/column.js';
import { inParallel } from '../images/in-parallel.js';
import type { ImagePreprocessing, Preprocessing, TablePreprocessing } from '../preprocessing/preprocessing.js';
import type { ReadColumns, ReadColumnsOptions } from '../sources/table-columns.js';
import { UserError } from '../user-error.js';
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

/** What a model makes of a file. */
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

  /** Predicts the rows of a CSV, TSV or Parquet file. Columns are found by their names; others are ignored. */
  async predictFile(path: string, options: ReadColumnsOptions = {}): Promise<FilePrediction> {
    const types = this.#table().columns.map(({ type }) => type);
    const { readColumns } = await import('../sources/table-columns.js'); // models of images need no reader of tables
    const table = await readColumns(path, types, options);
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

  #table(): TablePreprocessing {
    const { preprocessing } = this;
    if (preprocessing.kind === 'table') return preprocessing;
    throw new UserError(`${this.model.source} was trained with images; expected image files to predict, not a table`);
  }

  #images(): ImagePreprocessing {
    const { preprocessing } = this;
    if (preprocessing.kind === 'images') return preprocessing;
    throw new UserError(`${this.model.source} was trained with a table; expected a table to predict, not images`);
  }

  async #predict(count: number, chunk: number, feeds: Feeds): Promise<Prediction> {
    const { label, probabilities } = this.model;
    const labels: string[] = [];
    const all = new Float32Array(count * this.classNames.length);
    for (let from = 0; from < count; from += chunk) {
      const rows = Int32Array.from({ length: Math.min(chunk, count - from) }, (_, i) => from + i);
      const results = await this.session.run(await feeds(rows));
      labels.push(...textsOf(results[label]));
      all.set(floatsOf(results[probabilities]), from * this.classNames.length);
    }
    return { labels, classes: classIndices(labels, this.classNames), probabilities: all };
  }
}

/**
 * Opens a `model.onnx` that a training run wrote, given as a path or as bytes.
 *
 * @example
 * ```ts
 * const model = await openModel('runs/first/model.onnx');
 * const { labels, probabilities } = await model.predictFile('new-customers.csv');
 * ```
 * @throws UserError if it is no ONNX model, damaged, has external data, or is not one of ours
 */
export async function openModel(file: string | Uint8Array): Promise<Predictor> {
  const model = await readModelFile(file);
  try {
    return new Predictor(model, await InferenceSession.create(model.bytes, { logSeverityLevel: 3 }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${model.source} cannot be used: ONNX Runtime refuses it (${reason})`);
  }
}

function sizeOf([channels, height, width]: ImagePreprocessing['shape']): number {
  return channels * height * width;
}

function textsOf(tensor: Tensor | undefined): string[] {
  const data = tensor?.data;
  if (tensor?.type !== 'string' || !Array.isArray(data)) throw new Error('internal: the model gave no labels');
  return data;
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('internal: the model gave no probabilities');
  return tensor.data;
}
