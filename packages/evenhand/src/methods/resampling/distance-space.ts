import { at, float32At } from '../../checked-access.js';
import type { RowsToResample } from '../method.js';

/**
 * The rows as points whose Euclidean distance is that of SMOTE-NC. Numbers stay as they are, standardised; each value of a discrete feature
 * has a coordinate of its own, which is 0 or `√½`, so that two different values add 1 to a squared distance: as much as a number that
 * differs by its standard deviation.
 */
export function distanceSpace({ features, labels, width, discrete }: RowsToResample): Float32Array {
  if (discrete.length === 0) return features;
  const isDiscrete = new Set(discrete);
  const numbers = Array.from({ length: width }, (_, column) => column).filter((column) => !isDiscrete.has(column));
  const placesOf = discrete.map((column) => {
    const places = new Map<number, number>();
    for (let i = column; i < features.length; i += width) {
      const value = float32At(features, i);
      if (!places.has(value)) places.set(value, places.size);
    }
    return places;
  });
  const columns = placesOf.reduce((sum, { size }) => sum + size, numbers.length);
  const space = new Float32Array(labels.length * columns);
  for (let row = 0; row < labels.length; row++) {
    let next = row * columns;
    for (const column of numbers) space[next++] = float32At(features, row * width + column);
    for (const [n, places] of placesOf.entries()) {
      const place = places.get(float32At(features, row * width + at(discrete, n))) ?? 0;
      space[next + place] = Math.SQRT1_2;
      next += places.size;
    }
  }
  return space;
}
