import { describe, expect, it } from 'vitest';
import { normal, seededRandom, shuffled } from '../../src/network/random.js';

const take = (count: number, next: () => number) => Array.from({ length: count }, next);
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const moment = (values: readonly number[], power: number) => mean(values.map((value) => value ** power));
const correlation = (a: readonly number[], b: readonly number[]) =>
  mean(a.map((value, i) => (value - 0.5) * ((b[i] ?? Number.NaN) - 0.5))) * 12;

describe('seededRandom', () => {
  it('gives the same numbers for the same seed and name', () => {
    expect(take(5, seededRandom(3, 'conv1/weight'))).toEqual(take(5, seededRandom(3, 'conv1/weight')));
  });

  it('is sfc32 of PractRand: with an empty name the state is the seed, mixed', () => {
    // By another implementation, in BigInt: state (seed, 0, 0, counter 1), 15 steps, then the first output.
    const M = 0xffffffffn;
    let [a, b, c, counter] = [42n, 0n, 0n, 1n];
    let word = 0n;
    for (let i = 0; i < 16; i++) {
      word = (a + b + counter) & M;
      counter = (counter + 1n) & M;
      a = b ^ (b >> 9n);
      b = (c + (c << 3n)) & M;
      c = ((((c << 21n) | (c >> 11n)) & M) + word) & M;
    }
    expect(seededRandom(42, '')()).toBe(Number(word) / 2 ** 32);
  });

  it.each([
    [1, 'a', 2, 'a'],
    [1, 'a', 1, 'b'],
    [1, 'ab', 1, 'ba'],
    [1, '', 1, '\0'],
    [1, 'block1/conv1/weight', 1, 'block1/conv2/weight'],
    [0, 'a', 2 ** 32, 'a'],
    [1, 'a', -1, 'a'],
  ])('gives unrelated numbers for (%s, %j) and (%s, %j)', (seed1, name1, seed2, name2) => {
    const [a, b] = [take(10_000, seededRandom(seed1, name1)), take(10_000, seededRandom(seed2, name2))];
    expect(a.filter((value, i) => value === b[i]).length).toBeLessThan(3);
    expect(Math.abs(correlation(a, b))).toBeLessThan(0.04); // four standard deviations
  });

  it('is uniform in [0, 1): moments, and a χ² of 256 bins', () => {
    const values = take(200_000, seededRandom(1, 'uniform'));
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    for (const power of [1, 2, 3]) expect(moment(values, power)).toBeCloseTo(1 / (power + 1), 2);
    const bins = new Float64Array(256);
    for (const value of values) bins[Math.floor(value * 256)] = (bins[Math.floor(value * 256)] ?? 0) + 1;
    const expected = values.length / 256;
    const chiSquare = bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(Math.abs(chiSquare - 255)).toBeLessThan(4 * Math.sqrt(2 * 255));
  });

  it('gives first numbers that are uniform over seeds and over names', () => {
    for (const first of [
      Array.from({ length: 10_000 }, (_, i) => seededRandom(i, 'weight')()),
      Array.from({ length: 10_000 }, (_, i) => seededRandom(0, `layer${i}/weight`)()),
    ]) {
      expect(mean(first)).toBeCloseTo(0.5, 1);
      expect(moment(first, 2)).toBeCloseTo(1 / 3, 1);
      expect(Math.abs(correlation(first.slice(1), first.slice(0, -1)))).toBeLessThan(0.04);
      expect(new Set(first).size).toBeGreaterThan(9_990);
    }
  });

  it.each([1.5, Number.NaN, 2 ** 53])('does not take %s for a seed', (seed) => {
    expect(() => seededRandom(seed, 'a')).toThrow(`seed is ${seed}; expected an integer`);
  });
});

describe('shuffled', () => {
  it('keeps all numbers, puts them in an order that the seed decides, and lets each come first as often', () => {
    const numbers = [10, 20, 30, 40, 50];
    const draw = (seed: number) => [...shuffled(numbers, seededRandom(seed, 'order'))];
    expect(draw(1)).toEqual(draw(1));
    const firsts = new Map<number | undefined, number>();
    for (let seed = 0; seed < 5000; seed++) {
      const order = draw(seed);
      expect([...order].sort((a, b) => a - b)).toEqual(numbers);
      firsts.set(order[0], (firsts.get(order[0]) ?? 0) + 1);
    }
    for (const number of numbers) expect(Math.abs((firsts.get(number) ?? 0) - 1000)).toBeLessThan(4 * Math.sqrt(800));
  });
});

describe('normal', () => {
  it('has the moments of the standard normal distribution', () => {
    const values = take(200_000, normal(seededRandom(1, 'normal')));
    expect(Math.abs(mean(values))).toBeLessThan(0.01);
    expect(Math.abs(moment(values, 2) - 1)).toBeLessThan(0.02);
    expect(Math.abs(moment(values, 3))).toBeLessThan(0.04);
    expect(Math.abs(moment(values, 4) - 3)).toBeLessThan(0.1);
    const inside = values.filter((value) => Math.abs(value) < 1).length / values.length;
    expect(Math.abs(inside - 0.6827)).toBeLessThan(0.005);
  });

  it('makes pairs whose halves are independent', () => {
    const values = take(100_000, normal(seededRandom(2, 'pairs')));
    const products = values.filter((_, i) => i % 2 === 0).map((value, i) => value * (values[2 * i + 1] ?? Number.NaN));
    expect(Math.abs(mean(products))).toBeLessThan(0.02);
  });
});
