import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../config/parse.js';
import type { ImageDataset } from '../dataset/dataset.js';
import { classIndices } from '../prediction/class-indices.js';
import type { Prediction, Predictor } from '../prediction/predictor.js';
import { openDataset } from '../sources/open-source.js';
import { UserError } from '../user-error.js';

/** Labelled data and what a model makes of it. */
export interface TestedData {
  readonly prediction: Prediction;
  /** Places in the model's class names. */
  readonly labels: Int32Array;
  readonly notes: readonly string[];
}

/** Predicts a table whose target column says the classes. Rows without a class are refused. */
export async function predictLabelledTable(model: Predictor, source: string, target: string): Promise<TestedData> {
  const prediction = await model.predictFile(source, { target });
  const { targets, describeRow, notes, name } = prediction.table;
  const texts = targets.map((text, row) => {
    if (text !== null) return text;
    throw new UserError(
      `${name}, ${describeRow(row)}: there is no class in the column "${target}". Fill it in, or leave the row out`,
    );
  });
  return { prediction, labels: classIndices(texts, model.classNames, describeRow), notes };
}

/** Predicts a folder with a sub-folder for each class, or a known data set: of that, its own test set. */
export async function predictLabelledImages(model: Predictor, source: string): Promise<TestedData> {
  const dataset = await openDataset(parseConfig({ data: { source } }).data);
  if (dataset.kind !== 'images') throw new UserError(`the model was trained with images, and ${source} is a table`);
  const places = dataset.officialTest ?? Int32Array.from(dataset.labels.keys());
  const names = Array.from(places, (place) => dataset.classNames[dataset.labels[place] ?? -1] ?? '');
  const { files } = dataset;
  const placeOf = (row: number) => files?.[places[row] ?? -1] ?? `image ${(places[row] ?? 0) + 1}`;
  const labels = classIndices(names, model.classNames, placeOf);
  const prediction =
    files === undefined
      ? await model.predictPixels(pixelsOf(dataset, places))
      : await model.predictImages(Array.from(places, (place) => join(source, files[place] ?? '')));
  return { prediction, labels, notes: dataset.notes };
}

function pixelsOf({ pixels, shape }: ImageDataset, places: Int32Array): Uint8Array {
  const size = shape.reduce((a, b) => a * b, 1);
  const chosen = new Uint8Array(places.length * size);
  for (const [i, place] of places.entries()) chosen.set(pixels.subarray(place * size, (place + 1) * size), i * size);
  return chosen;
}

/** Whether there is a folder of this name. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
