import type { Tensor } from '../graph/graph.js';
import { sizeOf } from '../graph/tensor.js';
import { CLASSIFIER } from '../network/network.js';
import { add, mul } from '../operations/arithmetic.js';
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

/** What a step is fed. */
interface StepFeeds extends Pick<StepContext, 'learningRate' | 'step'> {
  /** What the learning rate is multiplied by before the classifier. @defaultValue 1 */
  readonly bodyRate?: Tensor;
}

/** Adds an optimizer's step to the graph. What it keeps is fed as `slot/<kind>`, a vector like the weights'. */
export function applyOptimizer(
  optimizer: Optimizer,
  weights: Weights,
  { learningRate, step, bodyRate }: StepFeeds,
): OptimizerStep {
  const { graph, shape } = weights.value;
  const slots: Slot[] = [];
  const context: StepContext = {
    step,
    learningRate: graph.scope('optimizer', () => ratesOf(weights, learningRate, bodyRate)),
    slot: (kind, next) => {
      const after = next(graph.input(`slot/${kind}`, shape));
      slots.push({ kind, next: after });
      return after;
    },
  };
  return graph.scope('optimizer', () => ({ next: optimizer(weights, context), slots }));
}

function ratesOf({ members, value: { graph } }: Weights, learningRate: Tensor, bodyRate: Tensor | undefined): Tensor {
  const ofEach = (rate: (member: Weights['members'][number]) => number) =>
    graph.constant(Float32Array.from(members.flatMap((one) => new Array<number>(sizeOf(one.shape)).fill(rate(one)))));
  if (bodyRate === undefined) {
    return members.every(({ rate }) => rate === 1)
      ? learningRate
      : mul(
          ofEach(({ rate }) => rate),
          learningRate,
        );
  }
  const isLast = ({ name }: { readonly name: string }) => name.startsWith(`${CLASSIFIER}/`);
  const body = ofEach((member) => (isLast(member) ? 0 : member.rate));
  const last = ofEach((member) => (isLast(member) ? member.rate : 0));
  return mul(add(mul(body, bodyRate), last), learningRate);
}
