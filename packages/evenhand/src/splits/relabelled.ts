import { at, float64At, int32At } from '../checked-access.js';
import { inClassOrder } from '../dataset/class-order.js';
import type { Column } from '../dataset/column.js';
import type { Dataset } from '../dataset/dataset.js';
import { allInstances } from '../dataset/instances.js';
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
  const instances = allInstances(dataset).filter((instance) => int32At(labels, instance) >= 0);
  const selected = instances.length === dataset.labels.length ? dataset : select(dataset, instances);
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

/** These instances of a data set. */
function select(dataset: Dataset, instances: Int32Array): Dataset {
  const test = new Set(dataset.officialTest);
  const common = {
    labels: instances.map((instance) => int32At(dataset.labels, instance)),
    ...(dataset.officialTest === undefined
      ? {}
      : { officialTest: instances.map((instance, now) => (test.has(instance) ? now : -1)).filter((now) => now >= 0) }),
  };
  if (dataset.kind === 'table') {
    const rows = (column: Column) => selectRows(column, instances);
    const numbers = dataset.rowNumbers;
    const rowNumbers = instances.map((instance) => (numbers === undefined ? instance + 1 : int32At(numbers, instance)));
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
    pixels: selectImages(dataset.pixels, dataset.labels.length, instances),
    ...(files === undefined ? {} : { files: Array.from(instances, (instance) => at(files, instance)) }),
  };
}

function selectRows(column: Column, instances: Int32Array): Column {
  if ('values' in column) {
    const { values } = column;
    return { ...column, values: Float64Array.from(instances, (instance) => float64At(values, instance)) };
  }
  const { codes } = column;
  return { ...column, codes: instances.map((instance) => int32At(codes, instance)) };
}

function selectImages(pixels: Uint8Array, images: number, instances: Int32Array): Uint8Array<ArrayBuffer> {
  const size = pixels.length / images;
  const selected = new Uint8Array(instances.length * size);
  for (const [now, instance] of instances.entries()) {
    selected.set(pixels.subarray(instance * size, (instance + 1) * size), now * size);
  }
  return selected;
}
