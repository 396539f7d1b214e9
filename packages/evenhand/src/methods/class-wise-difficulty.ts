import { identityMatrix } from '@evenhand/encoding';
import { z } from 'zod';
import { at, float32At } from '../checked-access.js';
import { defineMethod } from './define-method.js';
import type { Observation } from './method.js';
import { equalWeights } from './one-hot-labels.js';
import { rememberedEpochs } from './remembered-epochs.js';

/** Keeps the imbalance of difficulties finite where a class is always mistaken. */
const EPSILON = 0.01;

/**
 * Class-wise difficulty-balanced loss (CDB). The difficulty of a class is `d_c = 1 − a_c`, a being its accuracy on held-out instances; it weighs
 * `d_c^τ`, the mean being 1. Of n instances of which r are recognised, `a = (r + 1)/(n + 2)`: with the published r/n, a class of which all five are recognised
 * would weigh nothing, and be forgotten. If τ is dynamic, `τ = 2/(1 + e^−b)` with `b = max a/(min a + 0.01) − 1`: the more unequal, the larger.
 */
export const classWiseDifficulty = defineMethod({
  name: 'class-wise-difficulty',
  title: 'The fewer held-out instances of a class are recognised, the larger its weight; measured before every epoch.',
  reference: 'Sinha et al. 2020',
  changes: 'weights',
  measures: true,
  options: z.strictObject({
    focus: z
      .union([z.literal('dynamic'), z.number().min(0)])
      .default('dynamic')
      .describe('τ: how strongly difficulty counts; dynamic: the more unequal the classes are, the more strongly'),
  }),
  prepare: (context, { focus }) => {
    const { classes, loss } = context;
    const next = (_: unknown, { observation }: { readonly observation: Observation }) =>
      difficultyWeights(accuracies(observation, classes), focus);
    return {
      loss,
      ...rememberedEpochs(context, equalWeights(classes), next, (weights) => ({
        generator: Float32Array.from(identityMatrix(classes)),
        classWeights: Float32Array.from(weights),
      })),
    };
  },
});

/** Of each class, by Laplace's rule of succession; null for a class that has no instances. */
function accuracies({ labels, probabilities }: Observation, classes: number): (number | null)[] {
  const [counts, right] = [new Int32Array(classes), new Int32Array(classes)];
  for (const [i, label] of labels.entries()) {
    const row = probabilities.subarray(i * classes, (i + 1) * classes);
    counts[label] = at(counts, label) + 1;
    if (row.every((p) => p <= float32At(row, label))) right[label] = at(right, label) + 1;
  }
  return Array.from(counts, (count, p) => (count === 0 ? null : (at(right, p) + 1) / (count + 2)));
}

function difficultyWeights(accuracy: readonly (number | null)[], focus: number | 'dynamic'): number[] {
  const known = accuracy.filter((own) => own !== null);
  const bias = Math.max(...known) / (Math.min(...known) + EPSILON) - 1;
  const tau = focus === 'dynamic' ? 2 / (1 + Math.exp(-bias)) : focus;
  const weights = known.map((own) => (1 - own) ** tau);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  // A class that nobody measures is as hard as the others are.
  return accuracy.map((own) => (own === null ? 1 : (1 - own) ** tau / mean));
}
