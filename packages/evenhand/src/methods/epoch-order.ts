import type { Random } from '@evenhand/engine';
import { int32At } from '../checked-access.js';
import { shuffled } from '../random/shuffled.js';
import type { Sampling } from './method.js';

/**
 * The places of the training instances in the order of an epoch, shuffled.
 *
 * `natural`: every instance once. `balanced`: every class as often as the largest one has instances. Each instance of a
 * smaller class comes in as many whole rounds as fit, at least one; what is then missing is drawn from them without
 * replacement, so that no instance comes more than once more often than another of its class.
 *
 * @param labels - the classes of the training instances; a class may have none
 */
export function epochOrder(labels: Int32Array, sampling: Sampling, random: Random): Int32Array {
  return shuffled(sampling === 'natural' ? labels.map((_, place) => place) : balancedPlaces(labels, random), random);
}

function balancedPlaces(labels: Int32Array, random: Random): Int32Array {
  const placesOf = new Map<number, number[]>();
  labels.forEach((label, place) => {
    const places = placesOf.get(label);
    if (places === undefined) placesOf.set(label, [place]);
    else places.push(place);
  });
  const classes = [...placesOf].sort(([p], [q]) => p - q).map(([, places]) => places);
  const largest = classes.reduce((size, places) => Math.max(size, places.length), 0);
  const result = new Int32Array(classes.length * largest);
  classes.forEach((places, p) => {
    // The order within the first round decides who comes once more.
    const round = shuffled(places, random);
    for (let i = 0; i < largest; i++) result[p * largest + i] = int32At(round, i % round.length);
  });
  return result;
}
