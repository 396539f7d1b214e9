import { at, int32At } from '../checked-access.js';
import type { Dataset } from './dataset.js';

/** All instances of a data set, each as its index. */
export function allInstances(dataset: Dataset): Int32Array {
  return dataset.labels.map((_, instance) => instance);
}

/** Those of the instances, which are ascending, that are not among the removed ones. */
export function without(instances: Int32Array, removed: Int32Array): Int32Array {
  const isRemoved = new Uint8Array((instances.at(-1) ?? -1) + 1);
  for (const instance of removed) isRemoved[instance] = 1;
  return instances.filter((instance) => isRemoved[instance] === 0);
}

/** How many of these instances each class has. */
export function countByClass(dataset: Dataset, instances: Int32Array): number[] {
  const counts = new Array<number>(dataset.classNames.length).fill(0);
  for (const instance of instances) {
    const label = int32At(dataset.labels, instance);
    counts[label] = at(counts, label) + 1;
  }
  return counts;
}

/** These instances, those of each class for themselves. */
export function instancesByClass(dataset: Dataset, instances: Int32Array): number[][] {
  const result: number[][] = dataset.classNames.map(() => []);
  for (const instance of instances) at(result, int32At(dataset.labels, instance)).push(instance);
  return result;
}
