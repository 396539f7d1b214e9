import { at, int32At } from '../checked-access.js';
import type { Dataset } from './dataset.js';

/** Places of all instances. */
export function allPlaces(dataset: Dataset): Int32Array {
  return dataset.labels.map((_, place) => place);
}

/** Those of the first places, which are ascending, that are not among the second. */
export function without(places: Int32Array, removed: Int32Array): Int32Array {
  const isRemoved = new Uint8Array((places.at(-1) ?? -1) + 1);
  for (const place of removed) isRemoved[place] = 1;
  return places.filter((place) => isRemoved[place] === 0);
}

/** How many of these instances each class has. */
export function countByClass(dataset: Dataset, places: Int32Array): number[] {
  const counts = new Array<number>(dataset.classNames.length).fill(0);
  for (const place of places) {
    const label = int32At(dataset.labels, place);
    counts[label] = at(counts, label) + 1;
  }
  return counts;
}

/** These instances, those of each class for themselves. */
export function placesByClass(dataset: Dataset, places: Int32Array): number[][] {
  const result: number[][] = dataset.classNames.map(() => []);
  for (const place of places) at(result, int32At(dataset.labels, place)).push(place);
  return result;
}
