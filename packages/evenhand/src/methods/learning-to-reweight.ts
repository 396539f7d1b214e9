import { type Loss, operations, type Tensor } from '@evenhand/engine';
import { z } from 'zod';
import { defineMethod } from './define-method.js';
import { type LastLayer, lastLayerOf } from './last-layer.js';
import { oneHotLabels } from './one-hot-labels.js';

/** Where no instance would help, none weighs anything: nothing is divided by 0. */
const EPSILON = 1e-12;

/**
 * Learning to re-weight. With every step come guides, a balanced draw of the training instances. A virtual step on instance i of a small weight ε_i changes the guides' loss L by
 * `∂L/∂ε_i = −η·∇l_i·∇L`; the instance weighs `max(0, −∂L/∂ε_i)`, and the weights of a batch have a mean of 1. The step that is looked ahead is one of
 * the last layer: with `∇l = (h, 1)⊗(p − y)` there, `∇l_i·∇l_j = (h_i·h_j + 1)·((p_i − y_i)·(p_j − y_j))`. The authors go through all layers, at three times the
 * cost of plain training; this one has twice. Guides teach nothing themselves.
 */
export const learningToReweight = defineMethod({
  name: 'learning-to-reweight',
  title: 'An instance weighs as much as a step on it would lower the loss of a balanced draw, found by looking ahead.',
  reference: 'Ren et al. 2018',
  changes: 'weights',
  options: z.strictObject({}),
  prepare: (context) => ({
    loss: guidedLoss(context.loss),
    logitNorm: false,
    guided: true,
    assumedLogPrior: new Float32Array(context.classes),
    ...oneHotLabels(context),
  }),
});

/** A loss of the first half of each network's instances, weighted by what they do for the second half. */
function guidedLoss(loss: Loss): Loss {
  return (logits, labelRows, instanceWeights, context) =>
    logits.graph.scope('lookAhead', () => {
      const layer = lastLayerOf(logits, labelRows, context);
      const weights = helpfulness(layer);
      const own = (rows: Tensor) => firstHalves(rows, layer);
      const given = instanceWeights === undefined ? weights : operations.mul(own(instanceWeights), weights);
      return loss(own(logits), own(labelRows), given);
    });
}

/** `max(0, Σ_j ∇l_i·∇l_j)` over the guides j, scaled to a mean of 1 in each network. */
function helpfulness({ networks, batch, features, errors }: LastLayer): Tensor {
  const half = batch / 2;
  const products = (rows: Tensor) => {
    const own = operations.slice(rows, { axis: 1, start: 0, end: half });
    const guides = operations.slice(rows, { axis: 1, start: half, end: batch });
    return operations.matmul(own, operations.transpose(guides, [0, 2, 1]));
  };
  const agreement = operations.mul(operations.add(products(features), 1), products(errors));
  const helping = operations.relu(operations.sum(agreement, { axes: [2] }));
  const mean = operations.mean(helping, { axes: [1], keepAxes: true });
  return operations.reshape(operations.div(helping, operations.add(mean, EPSILON)), [networks * half]);
}

/** Of rows `[networks·batch, …]` those before the guides. */
function firstHalves(rows: Tensor, { networks, batch }: LastLayer): Tensor {
  const inner = rows.shape.slice(1);
  const ofEach = operations.reshape(rows, [networks, batch, ...inner]);
  const own = operations.slice(ofEach, { axis: 1, start: 0, end: batch / 2 });
  return operations.reshape(own, [(networks * batch) / 2, ...inner]);
}
