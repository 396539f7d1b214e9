import type { ElementType } from '../../../src/graph/tensor.js';
import { at, atBroadcast, build, item, type NdArray, stretched, total } from './array.js';

type Reference<Attributes> = (inputs: readonly NdArray[], attributes: Attributes) => readonly NdArray[];

/** Element by element, broadcast; the result has the type of the last input if none is given. */
export function elementwise<Attributes>(
  compute: (values: readonly number[], attributes: Attributes) => number,
  type?: ElementType,
): Reference<Attributes> {
  return (inputs, attributes) => [
    build(
      stretched(...inputs.map((input) => input.shape)),
      (index) =>
        compute(
          inputs.map((input) => atBroadcast(input, index)),
          attributes,
        ),
      type ?? item(inputs, inputs.length - 1).type,
    ),
  ];
}

export const unary = (compute: (x: number) => number) => elementwise<object>(([x = 0]) => compute(x));

export const binary = (compute: (a: number, b: number) => number, type?: ElementType) =>
  elementwise<object>(([a = 0, b = 0]) => compute(a, b), type);

/** The error function by its Taylor series, which converges everywhere. */
export function erf(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 120; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** `eˣ / Σ eˣ` along an axis. */
export const softmax: Reference<{ readonly axis: number }> = (inputs, { axis }) => {
  const array = item(inputs, 0);
  const row = (index: readonly number[], k: number) => at(array, ...index.map((i, a) => (a === axis ? k : i)));
  return [
    build(array.shape, (index) => {
      const shift = at(array, ...index);
      return 1 / total(item(array.shape, axis), (k) => Math.exp(row(index, k) - shift));
    }),
  ];
};

export const logSoftmax: Reference<{ readonly axis: number }> = (inputs, attributes) =>
  softmax(inputs, attributes).map((y) => ({ ...y, data: y.data.map(Math.log) }));
