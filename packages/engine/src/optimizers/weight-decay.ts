import type { Tensor } from '../graph/graph.js';
import { sizeOf } from '../graph/tensor.js';
import { add, mul } from '../operations/arithmetic.js';
import type { GradientTransform, Member, Weights } from './optimizer.js';

/** Which parameters weight decay pulls at. */
export type Decays = (parameter: Member) => boolean;

/** What layers say of their own parameters: weights decay, biases and norms do not. */
export const decaysByLayer: Decays = ({ decays }) => decays;

/**
 * How strongly decay pulls at weights: a number where it is the same for all of them, null where it pulls at none, a
 * vector where members differ.
 */
export function decayOf({ members, value }: Weights, weightDecay: number, decays: Decays): number | Tensor | null {
  const chosen = members.map(decays);
  if (weightDecay === 0 || !chosen.includes(true)) return null;
  if (!chosen.includes(false)) return weightDecay;
  const rates = members.flatMap(({ shape }, i) => new Array<number>(sizeOf(shape)).fill(chosen[i] ? weightDecay : 0));
  return value.graph.constant(Float32Array.from(rates));
}

/** Weight decay as part of the gradient: `g + λ·w`. */
export function decayWeights(weightDecay: number, decays: Decays = decaysByLayer): GradientTransform {
  return (weights) => {
    const decay = decayOf(weights, weightDecay, decays);
    return decay === null ? weights.gradient : add(weights.gradient, mul(weights.value, decay));
  };
}
