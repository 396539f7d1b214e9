import type { Column } from '../../src/dataset/column.js';
import type { Dataset, ImageDataset, TableDataset } from '../../src/dataset/dataset.js';
import type { Split } from '../../src/splits/split-dataset.js';

const base = { contentHash: '0'.repeat(64), notes: [] };

export function numeric(name: string, values: Iterable<number>): Column {
  return { name, kind: 'numeric', values: Float64Array.from(values) };
}

export function categorical(name: string, categories: readonly string[], codes: Iterable<number>): Column {
  return { name, kind: 'categorical', categories, codes: Int32Array.from(codes) };
}

/** Names a, b, c, … */
function letters(count: number): string[] {
  return Array.from({ length: count }, (_, p) => String.fromCharCode(97 + p));
}

/** A table with these labels and, unless columns are given, one feature that no two rows share. */
export function table(labels: readonly number[], more: Partial<TableDataset> = {}): TableDataset {
  return {
    ...base,
    kind: 'table',
    name: 'table.csv',
    target: 'class',
    classNames: letters(Math.max(...labels, -1) + 1),
    labels: Int32Array.from(labels),
    columns: [numeric('x', labels.keys())],
    leftOut: [],
    ...more,
  };
}

/** Labels 0 … counts.length − 1, class after class. */
export function labelsOf(counts: readonly number[]): number[] {
  return counts.flatMap((count, p) => new Array<number>(count).fill(p));
}

/** One-channel images of one row; each list of pixels is an image. */
export function images(labels: readonly number[], pixels: readonly (readonly number[])[]): ImageDataset {
  return {
    ...base,
    kind: 'images',
    name: 'images',
    classNames: letters(Math.max(...labels) + 1),
    labels: Int32Array.from(labels),
    shape: [1, 1, pixels[0]?.length ?? 0],
    pixels: Uint8Array.from(pixels.flat()),
  };
}

/** How many of these instances each class has, counted plainly. */
export function counts(dataset: Dataset, instances: Int32Array): number[] {
  return dataset.classNames.map(
    (_, p) => Array.from(instances).filter((instance) => dataset.labels[instance] === p).length,
  );
}

export function partsOf({ training, validation, test }: Split): Int32Array[] {
  return [training, validation, test];
}

/** For each instance the number of its part, −1 if it is in none. */
export function partOf(dataset: Dataset, split: Split): Int32Array {
  const parts = new Int32Array(dataset.labels.length).fill(-1);
  for (const [number, instances] of partsOf(split).entries())
    for (const instance of instances) parts[instance] = number;
  return parts;
}
