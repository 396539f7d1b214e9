import { int32At } from '../checked-access.js';

/** A source of random numbers that a seed and a name decide: uniform in [0, 1). */
export type Random = () => number;

/** Steps after which every bit of seed and name has reached every bit of the state. */
const MIXING_STEPS = 15;

/**
 * Random numbers decided by seed and name alone, whatever else was drawn before: a parameter's first values do not depend
 * on the order in which layers are built.
 *
 * The generator is sfc32 (Doty-Humphrey, PractRand). It takes in the name as a sponge would: a character, a step.
 *
 * @param seed - an integer
 */
export function seededRandom(seed: number, name: string): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed is ${seed}; expected an integer`);
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = name.length;
  let counter = 1;
  const next: Random = () => {
    const word = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return (word >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < name.length; i++) {
    a ^= name.charCodeAt(i);
    next();
  }
  for (let i = 0; i < MIXING_STEPS; i++) next();
  return next;
}

/** The same numbers in another order: Fisher and Yates' shuffle. */
export function shuffled(numbers: ArrayLike<number>, random: Random): Int32Array {
  const result = Int32Array.from(numbers);
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const other = int32At(result, j);
    result[j] = int32At(result, i);
    result[i] = other;
  }
  return result;
}

/** Numbers from the standard normal distribution, made in pairs by the Box–Muller transform. */
export function normal(random: Random): () => number {
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
