import type { Tensor } from '../graph/graph.js';
import type { Shape } from '../graph/tensor.js';

/** A parameter as weight decay sees it. */
export interface Member {
  readonly name: string;
  readonly shape: Shape;
  /** Whether weight decay pulls at it. */
  readonly decays: boolean;
  /** What the learning rate is multiplied by for it. */
  readonly rate: number;
}

/** All parameters, end to end in one vector: a node costs about the same whatever is in it. */
export interface Weights {
  readonly members: readonly Member[];
  /** Of how many networks they are, along the first axis of every member; null: of one, without such an axis. */
  readonly pack: number | null;
  /** Their value before the step. */
  readonly value: Tensor;
  /** `∂loss/∂value`, or what transforms before have made of it. */
  readonly gradient: Tensor;
}

/** What a step is made with. */
export interface StepContext {
  /** float32: a scalar, or one for every weight where members differ in their rate. */
  readonly learningRate: Tensor;
  /** int64 scalar, from 0. */
  readonly step: Tensor;
  /**
   * Something that is kept from step to step for every weight, zero at first.
   *
   * @param kind - its name: a parameter's is kept as `slot/<kind>/<parameter>`
   * @param next - its value after the step, from that before
   * @returns the value after the step
   */
  slot(kind: string, next: (previous: Tensor) => Tensor): Tensor;
}

/** A pure function that makes another gradient of the gradient: clipping, decay, momentum. */
export type GradientTransform = (weights: Weights, context: StepContext) => Tensor;

/** A pure function that adds a step's nodes to the graph: the weights' value after it. */
export type Optimizer = (weights: Weights, context: StepContext) => Tensor;

/** An optimizer that is given the gradient that transforms, first to last, have made: `chain([clipByNorm(1)], sgd())`. */
export function chain(transforms: readonly GradientTransform[], optimizer: Optimizer): Optimizer {
  return (weights, context) => {
    const gradient = transforms.reduce(
      (before, transform) => transform({ ...weights, gradient: before }, context),
      weights.gradient,
    );
    return optimizer({ ...weights, gradient }, context);
  };
}

/** Checks a setting of an optimizer: a number from `from` to before `below`. */
export function checkSetting(name: string, value: number, from: number, below = Number.POSITIVE_INFINITY): void {
  if (!(value >= from && value < below)) {
    const limit = below === Number.POSITIVE_INFINITY ? '' : ` to below ${below}`;
    throw new RangeError(`${name} is ${value}; expected a number from ${from}${limit}`);
  }
}
