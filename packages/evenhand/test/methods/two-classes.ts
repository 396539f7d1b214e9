import { crossEntropy } from '@evenhand/engine';
import type { MethodContext } from '../../src/methods/method.js';

export const CONTEXT: MethodContext = {
  classNames: ['a', 'b'],
  trainingCounts: [90, 10],
  loss: crossEntropy,
  epochs: 4,
  learningRateShare: () => 1,
};
/** One instance per class; the second is always half taken for the first: C = [[0, 0], [0.5, −0.5]]. */
export const OBSERVATION = { labels: Int32Array.of(0, 1), probabilities: Float32Array.of(1, 0, 0.5, 0.5) };
