/** A source of random numbers, uniform on [0, 1). */
export type Random = () => number;

/**
 * Random numbers that depend on the seed alone: the counter-based chaotic generator sfc32 of PractRand, 53 bits to a number. The
 * same on every machine.
 */
export function seededRandom(seed: number): Random {
  // A seed of up to 53 bits, as two words.
  // Signed words, which the engine keeps as integers; only the bits matter.
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum;
  };
  // Until seeds that differ in a bit have nothing in common any more.
  for (let round = 0; round < 20; round++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

/** An integer from 0 to `limit − 1`. */
export function randomInteger(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** A draw from the standard normal distribution, by Box and Muller. */
export function randomNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A draw from Beta(n, n): the middle one of 2n − 1 uniform numbers. */
export function randomSymmetricBeta(random: Random, n: number): number {
  return Float64Array.from({ length: 2 * n - 1 }, random).sort()[n - 1] ?? 0.5;
}

/** `count` different elements of a list, all choices equally likely: the first steps of Fisher and Yates' shuffle. */
export function randomSubset(random: Random, list: Int32Array, count: number): Int32Array {
  const shuffled = list.slice();
  for (let place = 0; place < count; place++) {
    const other = place + randomInteger(random, shuffled.length - place);
    const element = shuffled[other] ?? 0;
    shuffled[other] = shuffled[place] ?? 0;
    shuffled[place] = element;
  }
  return shuffled.slice(0, count);
}
