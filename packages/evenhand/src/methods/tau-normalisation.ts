import type { State } from '@evenhand/engine';
import { z } from 'zod';
import { at, float32At, float64At } from '../checked-access.js';
import { defineMethod } from './define-method.js';
import { oneHotLabels } from './one-hot-labels.js';

/**
 * τ-normalisation: after plain training the classifier's weights of class c become `w_c / ‖w_c‖^τ`, and its biases 0. Frequent classes have long weights; with τ = 1 only
 * directions count, with τ = 0 nothing changes but the biases. All are multiplied by the mean of `‖w‖^τ`, which changes no answer and keeps probabilities about as
 * sure as they were.
 */
export const tauNormalisation = defineMethod({
  name: 'tau-normalisation',
  title: 'Plain training; then the weights of each class in the last layer are divided by a power of their norm.',
  reference: 'Kang et al. 2020',
  changes: 'answers',
  options: z.strictObject({
    normalisation: z
      .number()
      .min(0)
      .max(1)
      .default(0.7)
      .describe('τ: 1 gives all weight vectors the same length, 0 changes none'),
  }),
  prepare: (context, { normalisation }) => ({
    loss: context.loss,
    logitNorm: false,
    finishWeights: (state) => normalised(state, normalisation),
    ...oneHotLabels(context),
  }),
});

/** The classifier of every network of a pack by itself. */
function normalised(state: State, tau: number): State {
  const weight = state.get('classifier/weight');
  const bias = state.get('classifier/bias');
  if (weight === undefined || bias === undefined) throw new Error('internal: the network has no linear classifier');
  const [features, classes] = [at(weight.shape, weight.shape.length - 2), at(weight.shape, weight.shape.length - 1)];
  const data = weight.data.slice();
  for (let first = 0; first < data.length; first += features * classes) {
    const squares = new Float64Array(classes);
    for (let i = 0; i < features * classes; i++) {
      squares[i % classes] = float64At(squares, i % classes) + float32At(data, first + i) ** 2;
    }
    const powers = squares.map((square) => square ** (tau / 2));
    const mean = powers.reduce((sum, power) => sum + power, 0) / classes;
    for (let i = 0; i < features * classes; i++) {
      const power = float64At(powers, i % classes);
      if (power > 0) data[first + i] = (float32At(data, first + i) * mean) / power;
    }
  }
  return new Map([
    ...state,
    ['classifier/weight', { ...weight, data }],
    ['classifier/bias', { ...bias, data: new Float32Array(bias.data.length) }],
  ]);
}
