import type { ElementType, Shape } from '../../src/graph/tensor.js';
import { build, item, type NdArray } from './reference/array.js';

/** Uniform in [0, 1). */
export type Random = () => number;

/** An argument of a sample, made from the sample's own random numbers. */
export type Argument = (random: Random) => NdArray;

/** Random numbers that a text decides (xmur3 and mulberry32). */
export function randomFrom(text: string): Random {
  let state = 1779033703 ^ text.length;
  for (const letter of text) {
    state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 3432918353);
    state = (state << 13) | (state >>> 19);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** From the standard normal distribution; all arguments are float32 numbers exactly. */
export const normal =
  (...shape: Shape): Argument =>
  (random) =>
    build(shape, () => Math.fround(drawNormal(random)));

/** From a normal distribution around a mean. */
export const around =
  (mean: number, ...shape: Shape): Argument =>
  (random) =>
    build(shape, () => Math.fround(mean + drawNormal(random)));

/** From 0.5 to 2. */
export const positive =
  (...shape: Shape): Argument =>
  (random) =>
    build(shape, () => Math.fround(0.5 + 1.5 * random()));

/** All different by at least 0.1 and none nearer to 0 than 0.05, so that no kink is near. */
export const distinct =
  (...shape: Shape): Argument =>
  (random) => {
    const ranks = build(shape, () => random()).data;
    const order = ranks.map((_, i) => i).sort((a, b) => item(ranks, a) - item(ranks, b));
    const values = ranks.map(() => 0);
    for (const [rank, i] of order.entries()) values[i] = Math.fround((rank - Math.floor(ranks.length / 2)) / 10 + 0.05);
    return { shape, type: 'float32', data: values };
  };

/** Integers from 0 to below a limit. */
export const indices =
  (limit: number, type: ElementType, ...shape: Shape): Argument =>
  (random) =>
    build(shape, () => Math.floor(random() * limit), type);

/** Given numbers. */
export const values =
  (data: readonly number[], shape: Shape = [data.length], type: ElementType = 'float32'): Argument =>
  () => ({ shape, type, data: data.map((value) => (type === 'float32' ? Math.fround(value) : value)) });
