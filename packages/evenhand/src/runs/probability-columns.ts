import { at } from '../checked-access.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';

/** With very many classes: how many of the likeliest ones a row names. */
const LIKELIEST = 20;

/** A class, and how likely it is. */
export interface LikelyClass {
  readonly index: number;
  readonly probability: number;
}

/** The titles of the columns that hold a row's probabilities: one per class, or with very many classes two for each of the likeliest. */
export function probabilityTitles(classNames: readonly string[]): string[] {
  if (!hasTooManyClasses(classNames.length)) return classNames.map((name) => `probability of ${name}`);
  return Array.from({ length: LIKELIEST }, (_, k) => [`likeliest ${k + 1}`, `probability ${k + 1}`]).flat();
}

/** The cells below {@link probabilityTitles}. */
export function probabilityCells(classNames: readonly string[], probabilities: Float32Array): (string | number)[] {
  if (!hasTooManyClasses(classNames.length)) return [...probabilities];
  return likeliestClasses(probabilities).flatMap(({ index, probability }) => [at(classNames, index), probability]);
}

/** The {@link LIKELIEST} classes of a row, from the most to the least likely one; of equally likely ones the first comes first. */
export function likeliestClasses(probabilities: Float32Array): LikelyClass[] {
  const likeliest: LikelyClass[] = [];
  for (const [index, probability] of probabilities.entries()) {
    const last = likeliest[LIKELIEST - 1];
    if (last !== undefined && probability <= last.probability) continue;
    const rank = likeliest.findIndex((other) => probability > other.probability);
    likeliest.splice(rank === -1 ? likeliest.length : rank, 0, { index, probability });
    likeliest.length = Math.min(likeliest.length, LIKELIEST);
  }
  return likeliest;
}
