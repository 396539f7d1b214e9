import { axisSize, ShapeError } from '../graph/shape.js';
import { type Shape, sizeOf } from '../graph/tensor.js';
import { normal, type Random } from './random.js';

/** First values of a parameter, drawn from an explicit source of randomness. */
export type Initialiser = (shape: Shape, random: Random) => Float32Array;

/** Which side of a weight decides the size of its values: where its inputs come from, or where its outputs go. */
export type Fan = 'in' | 'out';

/** How many numbers feed one output of a weight, and how many outputs one input feeds. */
export interface Fans {
  readonly in: number;
  readonly out: number;
}

/** Fan-in and fan-out of linear weights `[in, out]` and convolution weights `[K, C/groups, h, w]`. */
export function fansOf(shape: Shape): Fans {
  if (shape.length === 2) return { in: axisSize(shape, 0), out: axisSize(shape, 1) };
  if (shape.length !== 4) {
    throw new ShapeError(
      `expected weights [in, out] or [K, C, h, w] to know the fans of, received [${shape.join(', ')}]`,
    );
  }
  const pixels = axisSize(shape, 2) * axisSize(shape, 3);
  return { in: axisSize(shape, 1) * pixels, out: axisSize(shape, 0) * pixels };
}

/** The same value everywhere. */
export function constant(value: number): Initialiser {
  return (shape) => new Float32Array(sizeOf(shape)).fill(value);
}

/** 0 everywhere. */
export const zeros: Initialiser = constant(0);

/** 1 everywhere. */
export const ones: Initialiser = constant(1);

/** Uniform in ±bound. */
export function uniform(bound: number): Initialiser {
  return (shape, random) => draw(shape, () => (2 * random() - 1) * bound);
}

/**
 * Normal with mean 0, drawn again beyond two standard deviations. As everywhere, `std` is that of the whole bell: what is
 * left has a standard deviation of 0.88·std.
 */
export function truncatedNormal(std: number): Initialiser {
  return (shape, random) => {
    const next = normal(random);
    return draw(shape, () => {
      let value = next();
      while (Math.abs(value) > 2) value = next();
      return value * std;
    });
  };
}

/** Normal with mean 0. */
export function bell(std: number): Initialiser {
  return (shape, random) => gaussian(std, shape, random);
}

/** Uniform in ±1/√fan_in, as PyTorch starts linear layers and convolutions. */
export const fanInUniform: Initialiser = (shape, random) => uniform(1 / Math.sqrt(fansOf(shape).in))(shape, random);

/** He et al. 2015, for layers before a ReLU: normal with variance 2/fan. */
export function kaimingNormal(fan: Fan = 'in'): Initialiser {
  return (shape, random) => gaussian(Math.sqrt(2 / fansOf(shape)[fan]), shape, random);
}

/** He et al. 2015, for layers before a ReLU: uniform with variance 2/fan. */
export function kaimingUniform(fan: Fan = 'in'): Initialiser {
  return (shape, random) => uniform(Math.sqrt(6 / fansOf(shape)[fan]))(shape, random);
}

/** Glorot and Bengio 2010: normal with variance 2/(fan_in + fan_out). */
export const xavierNormal: Initialiser = (shape, random) => {
  const fans = fansOf(shape);
  return gaussian(Math.sqrt(2 / (fans.in + fans.out)), shape, random);
};

/** Glorot and Bengio 2010: uniform with variance 2/(fan_in + fan_out). */
export const xavierUniform: Initialiser = (shape, random) => {
  const fans = fansOf(shape);
  return uniform(Math.sqrt(6 / (fans.in + fans.out)))(shape, random);
};

function gaussian(std: number, shape: Shape, random: Random): Float32Array {
  const next = normal(random);
  return draw(shape, () => next() * std);
}

function draw(shape: Shape, next: () => number): Float32Array {
  const values = new Float32Array(sizeOf(shape));
  for (let i = 0; i < values.length; i++) values[i] = next();
  return values;
}
