import { crossEntropy, type State } from '@evenhand/engine';
import { expect, it } from 'vitest';
import { tauNormalisation } from '../../src/methods/tau-normalisation.js';

const context = {
  classNames: ['a', 'b'],
  trainingCounts: [90, 10],
  loss: crossEntropy,
  epochs: 10,
  learningRateShare: () => 1,
};

/** Two networks of two features; weights of class a have length 5, of class b length 1, and in the second network 2 and 8. */
const STATE: State = new Map([
  ['hidden/weight', { shape: [2, 1], data: Float32Array.of(7, 7) }],
  ['classifier/weight', { shape: [2, 2, 2], data: Float32Array.of(3, 0, 4, 1, 2, 8, 0, 0) }],
  ['classifier/bias', { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }],
]);

const finished = (normalisation: number) => {
  const state = tauNormalisation.prepare(context, { normalisation }).finishWeights?.(STATE);
  const numbers = (name: string) => [...(state?.get(name)?.data ?? [])];
  return { weight: numbers('classifier/weight'), bias: numbers('classifier/bias'), hidden: numbers('hidden/weight') };
};

it('divides by the lengths to the power of τ, network by network, and forgets the biases', () => {
  const [one, two] = [(5 ** 0.5 + 1) / 2, (2 ** 0.5 + 8 ** 0.5) / 2];
  const expected = [
    ...[(3 * one) / 5 ** 0.5, 0, (4 * one) / 5 ** 0.5, one],
    ...[(2 * two) / 2 ** 0.5, (8 * two) / 8 ** 0.5, 0, 0],
  ];
  const { weight, bias, hidden } = finished(0.5);
  for (const [i, value] of expected.entries()) expect(weight[i]).toBeCloseTo(value, 5);
  expect(bias).toEqual([0, 0, 0, 0]);
  expect(hidden).toEqual([7, 7]);
});

it('with τ = 1 all weights are equally long, with τ = 0 they stay', () => {
  const { weight } = finished(1);
  const lengths = [0, 1].map((c) => Math.hypot(weight[c] ?? 0, weight[2 + c] ?? 0));
  expect(lengths[0]).toBeCloseTo(3, 5);
  expect(lengths[1]).toBeCloseTo(3, 5);
  expect(finished(0).weight).toEqual([3, 0, 4, 1, 2, 8, 0, 0]);
});
