import { join } from 'node:path';
import { at, int32At } from '../../../checked-access.js';
import { parseConfig } from '../../../config/parse.js';
import type { ImageDataset } from '../../../dataset/dataset.js';
import { instanceName } from '../../../dataset/instance-name.js';
import { classIndices } from '../../../prediction/class-indices.js';
import type { Prediction, Predictor } from '../../../prediction/predictor.js';
import { openDataset } from '../../../sources/open-source.js';
import type { TableReading } from '../../../sources/table-reading.js';
import { UserError } from '../../../user-error.js';

/** Labelled data and what a model makes of it. */
export interface TestedData {
  readonly prediction: Prediction;
  /** Indices of the model's class names. */
  readonly labels: Int32Array;
  readonly notes: readonly string[];
  /** Whether these are the instances that the source itself sets aside for testing. */
  readonly isOfficialTest: boolean;
}

/** Predicts a table whose target column says the classes. Rows without a class are refused. */
export async function predictLabelledTable(
  model: Predictor,
  source: string,
  options: TableReading & { readonly target: string },
): Promise<TestedData> {
  const { target } = options;
  const prediction = await model.predictFile(source, options);
  const { targets, describeRow, notes, name } = prediction.table;
  const texts = targets.map((text, row) => {
    if (text !== null) return text;
    throw new UserError(
      `${name}, ${describeRow(row)}: there is no class in the column "${target}". Fill it in, or leave the row out`,
    );
  });
  return { prediction, labels: classIndices(texts, model.classNames, describeRow), notes, isOfficialTest: false };
}

/** Predicts a folder with a sub-folder for each class, or a known data set: of that, its own test set. */
export async function predictLabelledImages(model: Predictor, source: string): Promise<TestedData> {
  const dataset = await openDataset(parseConfig({ data: { source } }).data);
  if (dataset.kind !== 'images') throw new UserError(`the model was trained with images, and ${source} is a table`);
  const instances = dataset.officialTest ?? Int32Array.from(dataset.labels.keys());
  const names = Array.from(instances, (instance) => at(dataset.classNames, int32At(dataset.labels, instance)));
  const { files, folder } = dataset;
  const placeOf = (row: number) => String(instanceName(dataset, int32At(instances, row)));
  const labels = classIndices(names, model.classNames, placeOf);
  const prediction =
    files === undefined || folder === undefined
      ? await model.predictPixels(pixelsOf(dataset, instances))
      : await model.predictImages(Array.from(instances, (instance) => join(folder, at(files, instance))));
  return { prediction, labels, notes: dataset.notes, isOfficialTest: dataset.officialTest !== undefined };
}

function pixelsOf({ pixels, shape }: ImageDataset, instances: Int32Array): Uint8Array {
  const size = shape.reduce((a, b) => a * b, 1);
  const chosen = new Uint8Array(instances.length * size);
  for (const [i, instance] of instances.entries()) {
    chosen.set(pixels.subarray(instance * size, (instance + 1) * size), i * size);
  }
  return chosen;
}
