import type { Tensor } from '../graph/graph.js';
import { sizeOf } from '../graph/tensor.js';
import { mul } from '../operations/arithmetic.js';
import type { Optimizer, StepContext, Weights } from './optimizer.js';

/** Something that the optimizer keeps for every weight. */
interface Slot {
  readonly kind: string;
  readonly next: Tensor;
}

/** The step of an optimizer: what weights and slots become. */
export interface OptimizerStep {
  readonly next: Tensor;
  readonly slots: readonly Slot[];
}

/** Adds an optimizer's step to the graph. What it keeps is fed as `slot/<kind>`, a vector like the weights'. */
export function applyOptimizer(
  optimizer: Optimizer,
  weights: Weights,
  feeds: Pick<StepContext, 'learningRate' | 'step'>,
): OptimizerStep {
  const { graph, shape } = weights.value;
  const slots: Slot[] = [];
  const context: StepContext = {
    ...feeds,
    learningRate: graph.scope('optimizer', () => ratesOf(weights, feeds.learningRate)),
    slot: (kind, next) => {
      const after = next(graph.input(`slot/${kind}`, shape));
      slots.push({ kind, next: after });
      return after;
    },
  };
  return graph.scope('optimizer', () => ({ next: optimizer(weights, context), slots }));
}

function ratesOf({ members, value: { graph } }: Weights, learningRate: Tensor): Tensor {
  if (members.every(({ rate }) => rate === 1)) return learningRate;
  const rates = members.flatMap(({ shape, rate }) => new Array<number>(sizeOf(shape)).fill(rate));
  return mul(graph.constant(Float32Array.from(rates)), learningRate);
}
