import type { Operation, Tensor } from '../graph/graph.js';
import type { Shape } from '../graph/tensor.js';
import { applyForAll, the } from '../operations/apply.js';
import { concat } from '../operations/concat.js';
import type { Member, Optimizer, StepContext, Weights } from './optimizer.js';

/** A parameter and its gradient. */
export interface Differentiated extends Member {
  readonly tensor: Tensor;
  readonly gradient: Tensor;
}

/** Something that the optimizer keeps for a parameter. */
export interface Slot {
  /** `slot/<kind>/<parameter>` */
  readonly name: string;
  readonly tensor: Tensor;
  readonly next: Tensor;
}

/** The step of an optimizer: what parameters and slots become. */
export interface OptimizerStep {
  /** In the order of the parameters. */
  readonly next: readonly Tensor[];
  readonly slots: readonly Slot[];
}

/**
 * Adds an optimizer's step to the graph. Vectors (biases, norms: the many small parameters) go through it end to end, as
 * one; a node costs about the same whatever is in it.
 */
export function applyOptimizer(
  optimizer: Optimizer,
  parameters: readonly Differentiated[],
  feeds: Pick<StepContext, 'learningRate' | 'step'>,
): OptimizerStep {
  const vectors = parameters.filter(({ shape }) => shape.length === 1);
  const others = parameters.filter(({ shape }) => shape.length !== 1);
  const groups = [...others.map((parameter) => [parameter]), ...(vectors.length === 0 ? [] : [vectors])];
  const { graph } = feeds.step;
  return graph.scope('optimizer', () => {
    const slots: Slot[] = [];
    const context: StepContext = {
      ...feeds,
      slot: (kind, { members }, next) => {
        const names = members.map(({ name }) => `slot/${kind}/${name}`);
        const before = members.map(({ shape }, i) => graph.input(the(names, i), shape));
        const after = next(joined(before));
        split(after, members).forEach((part, i) => {
          slots.push({ name: the(names, i), tensor: the(before, i), next: part });
        });
        return after;
      },
    };
    const weights = groups.map<Weights>((group) => ({
      members: group,
      value: joined(group.map(({ tensor }) => tensor)),
      gradient: joined(group.map(({ gradient }) => gradient)),
    }));
    const results = optimizer(weights, context);
    const next = new Map(
      groups.flatMap((group, g) => split(the(results, g), group).map((part, i) => [the(group, i), part] as const)),
    );
    return { next: parameters.map((parameter) => the([next.get(parameter)])), slots };
  });
}

/** Vectors end to end; a single tensor as it is. */
function joined(tensors: readonly Tensor[]): Tensor {
  return tensors.length === 1 ? the(tensors) : concat(tensors, 0);
}

const splitOperation: Operation<{ readonly sizes: readonly number[] }> = {
  name: 'split',
  infer: (inputs, { sizes }) => sizes.map((size) => ({ shape: [size], type: the(inputs).type })),
  emit: ({ emitter, inputs, attributes: { sizes } }) =>
    emitter.nodeOfSeveral('Split', [the(inputs), emitter.integers(...sizes)], sizes.length, { axis: 0 }),
  vjp: null,
};

/** The opposite of {@link joined}. */
function split(tensor: Tensor, members: readonly { readonly shape: Shape }[]): readonly Tensor[] {
  if (members.length === 1) return [tensor];
  return applyForAll(splitOperation, [tensor], { sizes: members.map(({ shape }) => the(shape)) });
}
