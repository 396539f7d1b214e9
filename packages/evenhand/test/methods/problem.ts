import { type Random, seededRandom } from '@evenhand/engine';

/** Instances in the plane, and their classes. */
export interface Instances {
  readonly inputs: Float32Array;
  readonly labels: Int32Array;
}

export const CLASS_NAMES = ['a', 'b', 'c'] as const;
export const CLASSES = CLASS_NAMES.length;
/** Training instances of every class; the last one is the minority. */
export const COUNTS = [320, 80, 8] as const;

/** Where the clouds of the three classes have their middle; each has a standard deviation of 1 in both directions. */
const MIDDLES = [
  [0, 0],
  [2, 0],
  [1, 1.7],
] as const;

/** So many instances of each class, one class after the other. */
export function drawInstances(counts: readonly number[], name: string): Instances {
  const random = seededRandom(1, name);
  const labels = Int32Array.from(counts.flatMap((count, label) => Array.from({ length: count }, () => label)));
  const inputs = Float32Array.from(
    Array.from(labels, (label) => MIDDLES[label] ?? [0, 0]).flatMap(([x, y]) => [x + bell(random), y + bell(random)]),
  );
  return { inputs, labels };
}

/** Nearly normal: the sum of twelve uniform numbers has variance 1. */
function bell(random: Random): number {
  return Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
}
