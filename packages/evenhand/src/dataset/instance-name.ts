import type { Dataset } from './dataset.js';

/** What a person finds an instance by: the file of an image, the row of a table, else its number in the data set; from 1. */
export function instanceName(dataset: Dataset, place: number): string | number {
  return (dataset.kind === 'images' ? dataset.files?.[place] : dataset.rowNumbers?.[place]) ?? place + 1;
}
