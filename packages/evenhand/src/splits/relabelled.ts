import { at, float64At, int32At } from '../checked-access.js';
import { inClassOrder } from '../dataset/class-order.js';
import type { Column } from '../dataset/column.js';
import type { Dataset } from '../dataset/dataset.js';
import { allPlaces } from '../dataset/places.js';
import { imageContentHash } from '../images/content-hash.js';
import { tableContentHash } from '../tables/content-hash.js';

/**
 * The data set with other classes: those that get the same name become one, instances of those that get none are left out.
 *
 * @param names - the new name of every class
 * @param note - what to tell people about it
 */
export function relabelled(dataset: Dataset, names: readonly (string | null)[], note: string): Dataset {
  const classNames = inClassOrder([...new Set(names.filter((name) => name !== null))]);
  const labelOf = names.map((name) => (name === null ? -1 : classNames.indexOf(name)));
  const labels = dataset.labels.map((label) => at(labelOf, label));
  const places = allPlaces(dataset).filter((place) => int32At(labels, place) >= 0);
  const selected = places.length === dataset.labels.length ? dataset : select(dataset, places);
  const changed = {
    ...selected,
    classNames,
    labels: labels.filter((label) => label >= 0),
    notes: [...dataset.notes, note],
  };
  return {
    ...changed,
    contentHash: changed.kind === 'table' ? tableContentHash(changed) : imageContentHash(changed),
  };
}

/** The instances at these places. */
function select(dataset: Dataset, places: Int32Array): Dataset {
  const test = new Set(dataset.officialTest);
  const common = {
    labels: places.map((place) => int32At(dataset.labels, place)),
    ...(dataset.officialTest === undefined
      ? {}
      : { officialTest: places.map((place, now) => (test.has(place) ? now : -1)).filter((now) => now >= 0) }),
  };
  if (dataset.kind === 'table') {
    const rows = (column: Column) => selectRows(column, places);
    const numbers = dataset.rowNumbers;
    const rowNumbers = places.map((place) => (numbers === undefined ? place + 1 : int32At(numbers, place)));
    return {
      ...dataset,
      ...common,
      columns: dataset.columns.map(rows),
      leftOut: dataset.leftOut.map(rows),
      rowNumbers,
    };
  }
  const { files } = dataset;
  return {
    ...dataset,
    ...common,
    pixels: selectImages(dataset.pixels, dataset.labels.length, places),
    ...(files === undefined ? {} : { files: Array.from(places, (place) => at(files, place)) }),
  };
}

function selectRows(column: Column, places: Int32Array): Column {
  if ('values' in column) {
    const { values } = column;
    return { ...column, values: Float64Array.from(places, (place) => float64At(values, place)) };
  }
  const { codes } = column;
  return { ...column, codes: places.map((place) => int32At(codes, place)) };
}

function selectImages(pixels: Uint8Array, images: number, places: Int32Array): Uint8Array<ArrayBuffer> {
  const size = pixels.length / images;
  const selected = new Uint8Array(places.length * size);
  for (const [now, place] of places.entries()) {
    selected.set(pixels.subarray(place * size, (place + 1) * size), now * size);
  }
  return selected;
}
