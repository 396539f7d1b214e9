import { type Random, shuffled } from '@evenhand/engine';
import { int32At } from '../checked-access.js';
import type { Sampling } from './method.js';

/**
 * The training instances in the order of an epoch, shuffled, as indices into `labels`.
 *
 * `natural`: every instance once. `balanced`: every class as often as the largest one has instances. Each instance of a
 * smaller class comes in as many whole rounds as fit, at least one; what is then missing is drawn from them without
 * replacement, so that no instance comes more than once more often than another of its class.
 *
 * @param labels - the classes of the training instances; a class may have none
 */
export function epochOrder(labels: Int32Array, sampling: Sampling, random: Random): Int32Array {
  return shuffled(
    sampling === 'natural' ? labels.map((_, instance) => instance) : balancedInstances(labels, random),
    random,
  );
}

function balancedInstances(labels: Int32Array, random: Random): Int32Array {
  const instancesOf = new Map<number, number[]>();
  labels.forEach((label, instance) => {
    const instances = instancesOf.get(label);
    if (instances === undefined) instancesOf.set(label, [instance]);
    else instances.push(instance);
  });
  const classes = [...instancesOf].sort(([p], [q]) => p - q).map(([, instances]) => instances);
  const largest = classes.reduce((size, instances) => Math.max(size, instances.length), 0);
  const result = new Int32Array(classes.length * largest);
  classes.forEach((instances, p) => {
    // The order within the first round decides who comes once more.
    const round = shuffled(instances, random);
    for (let i = 0; i < largest; i++) result[p * largest + i] = int32At(round, i % round.length);
  });
  return result;
}
