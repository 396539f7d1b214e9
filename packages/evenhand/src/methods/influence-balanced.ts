import { type Loss, operations, type Tensor } from '@evenhand/engine';
import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { inverseFrequencyWeights } from './inverse-frequency.js';
import { lastLayerOf } from './last-layer.js';
import { equalWeights, oneHotLabels } from './one-hot-labels.js';

/** As the authors have it: nothing is divided by 0. */
const EPSILON = 1e-3;

/**
 * Influence-balanced loss. How much the last layer's weights would change without an instance grows with the size of its gradient, `‖p − y‖₁·‖h‖₁`, h being what that layer
 * takes. After a phase of plain training each instance weighs the inverse of it, times a class weight in inverse proportion to the class's instances: those that
 * bend the boundary most count least. Where the authors multiply all weights by a constant, α, it is the mean influence in the batch here: gradients stay as large as they were, and learning rates keep their meaning.
 */
export const influenceBalanced = defineMethod({
  name: 'influence-balanced',
  title: 'Late in training each instance weighs the inverse of its influence on the last layer, times a class weight.',
  reference: 'Park et al. 2021',
  changes: 'weights',
  options: z.strictObject({
    balanceFrom: z
      .int()
      .min(0)
      .optional()
      .describe('the epoch, from 0, from which influence is balanced; if left out, after half of the epochs'),
  }),
  prepare: (context, { balanceFrom = Math.floor(context.epochs / 2) }) => {
    const { classes, trainingCounts } = context;
    const weights = inverseFrequencyWeights(trainingCounts);
    const { beforeEpoch, currentLabels, ...steps } = oneHotLabels(context, (epoch) =>
      epoch < balanceFrom ? equalWeights(classes) : weights,
    );
    const blended = (epoch: number) => ({ ...currentLabels(epoch), lossBlend: epoch < balanceFrom ? 0 : 1 });
    return {
      loss: balancedByInfluence(context.loss),
      assumedLogPrior: new Float32Array(classes),
      blendsLoss: true,
      ...steps,
      beforeEpoch: blended,
      currentLabels: blended,
    };
  },
});

/** A loss whose instances weigh `m/(‖p − y‖₁·‖h‖₁ + ε)`, m being the mean of the influences in the batch of a network, to the extent of the blend. */
function balancedByInfluence(loss: Loss): Loss {
  return (logits, labelRows, instanceWeights, context) => {
    const { graph } = logits;
    const weights = graph.scope('influence', () => {
      const { networks, batch, features, errors } = lastLayerOf(logits, labelRows, context);
      const influence = operations.mul(lengths(errors), lengths(features));
      const mean = operations.mean(influence, { axes: [1], keepAxes: true });
      const inverse = operations.div(mean, operations.add(influence, EPSILON));
      const scaled = operations.reshape(inverse, [networks * batch]);
      const { blend = graph.scalar(1) } = context ?? {};
      return operations.add(operations.mul(operations.sub(scaled, 1), blend), 1);
    });
    return loss(logits, labelRows, instanceWeights === undefined ? weights : operations.mul(instanceWeights, weights));
  };
}

/** `‖v‖₁` over the last axis. */
function lengths(vectors: Tensor): Tensor {
  const absolute = operations.add(operations.relu(vectors), operations.relu(operations.neg(vectors)));
  return operations.sum(absolute, { axes: [-1] });
}
