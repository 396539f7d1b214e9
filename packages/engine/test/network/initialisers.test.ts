import { describe, expect, it } from 'vitest';
import type { Shape } from '../../src/graph/tensor.js';
import type { Initialiser } from '../../src/network/initialisers.js';
import * as initialisers from '../../src/network/initialisers.js';
import { seededRandom } from '../../src/network/random.js';
import { largestDifference } from './run.js';

const LINEAR: Shape = [300, 200];
const CONVOLUTION: Shape = [64, 32, 5, 5]; // fan-in 800, fan-out 1600
const GROUPED: Shape = [64, 8, 5, 5]; // fan-in 200

interface Case {
  readonly initialise: Initialiser;
  readonly shape: Shape;
  readonly std: number;
  /** No value is farther from 0, and some come near. */
  readonly bound?: number;
}

const { kaimingNormal, kaimingUniform, truncatedNormal, uniform, xavierNormal, xavierUniform } = initialisers;
const cases: Record<string, Case> = {
  'uniform(0.3)': { initialise: uniform(0.3), shape: LINEAR, std: 0.3 / Math.sqrt(3), bound: 0.3 },
  // The standard deviation of a normal distribution cut off at ±2: √(1 − 4·φ(2)/(2Φ(2) − 1)) = 0.8796.
  'truncatedNormal(0.02)': { initialise: truncatedNormal(0.02), shape: LINEAR, std: 0.02 * 0.8796, bound: 0.04 },
  'fanInUniform, linear': {
    initialise: initialisers.fanInUniform,
    shape: LINEAR,
    std: 1 / Math.sqrt(3 * 300),
    bound: 1 / Math.sqrt(300),
  },
  'fanInUniform, convolution': {
    initialise: initialisers.fanInUniform,
    shape: CONVOLUTION,
    std: 1 / Math.sqrt(3 * 800),
    bound: 1 / Math.sqrt(800),
  },
  'fanInUniform, grouped convolution': {
    initialise: initialisers.fanInUniform,
    shape: GROUPED,
    std: 1 / Math.sqrt(3 * 200),
    bound: 1 / Math.sqrt(200),
  },
  'kaimingNormal, linear': { initialise: kaimingNormal(), shape: LINEAR, std: Math.sqrt(2 / 300) },
  'kaimingNormal out, linear': { initialise: kaimingNormal('out'), shape: LINEAR, std: Math.sqrt(2 / 200) },
  'kaimingNormal, convolution': { initialise: kaimingNormal(), shape: CONVOLUTION, std: Math.sqrt(2 / 800) },
  'kaimingNormal out, convolution': { initialise: kaimingNormal('out'), shape: CONVOLUTION, std: Math.sqrt(2 / 1600) },
  'kaimingUniform, linear': {
    initialise: kaimingUniform(),
    shape: LINEAR,
    std: Math.sqrt(2 / 300),
    bound: Math.sqrt(6 / 300),
  },
  'xavierNormal, linear': { initialise: xavierNormal, shape: LINEAR, std: Math.sqrt(2 / 500) },
  'xavierUniform, convolution': {
    initialise: xavierUniform,
    shape: CONVOLUTION,
    std: Math.sqrt(2 / 2400),
    bound: Math.sqrt(6 / 2400),
  },
};

describe.each(Object.entries(cases))('%s', (name, { initialise, shape, std }) => {
  const values = initialise(shape, seededRandom(5, name));
  const size = shape.reduce((a, b) => a * b, 1);

  it('fills the shape', () => expect(values.length).toBe(size));

  it('has mean 0 and the standard deviation of its definition', () => {
    const mean = values.reduce((sum, value) => sum + value, 0) / size;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / size;
    expect(Math.abs(mean) / std).toBeLessThan(4 / Math.sqrt(size));
    expect(Math.abs(Math.sqrt(variance) / std - 1)).toBeLessThan(0.015);
  });

  it('gives the same values for the same seed and name, and others for another seed', () => {
    expect(largestDifference(initialise(shape, seededRandom(5, name)), values)).toBe(0);
    expect(largestDifference(initialise(shape, seededRandom(6, name)), values)).toBeGreaterThan(std);
  });
});

describe('distributions with bounds', () => {
  const bounded = Object.entries(cases).flatMap(([name, { initialise, shape, bound }]) =>
    bound === undefined ? [] : [{ name, values: initialise(shape, seededRandom(5, name)), bound }],
  );

  it.each(bounded)('$name stays within its bound and reaches it', ({ values, bound }) => {
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / bound;
    expect(largest).toBeLessThanOrEqual(1 + 1e-6);
    expect(largest).toBeGreaterThan(0.99);
  });
});

describe('constants', () => {
  const random = seededRandom(0, '');
  it('fill the shape', () => {
    expect(initialisers.zeros([2, 2], random)).toEqual(Float32Array.of(0, 0, 0, 0));
    expect(initialisers.ones([2], random)).toEqual(Float32Array.of(1, 1));
    expect(initialisers.constant(0.5)([3], random)).toEqual(Float32Array.of(0.5, 0.5, 0.5));
  });
});

describe('fansOf', () => {
  it('asks for the weights of a linear layer or a convolution', () => {
    expect(() => initialisers.fanInUniform([10], seededRandom(0, ''))).toThrow(
      'expected weights [in, out] or [K, C, h, w] to know the fans of, received [10]',
    );
  });
});
