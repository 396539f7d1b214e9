import type { Tensor } from '../graph/graph.js';
import { add, div, mul, neg, sub } from '../operations/arithmetic.js';
import { cast } from '../operations/cast.js';
import { sqrt } from '../operations/functions.js';
import { oneMinusExp } from '../operations/one-minus-exp.js';
import { chain, checkSetting, type Optimizer } from './optimizer.js';
import { type Decays, decayOf, decaysByLayer, decayWeights } from './weight-decay.js';

/** How {@link adam} and {@link adamw} are set. */
export interface AdamOptions {
  /** How much of the mean gradient is kept from step to step. @defaultValue 0.9 */
  readonly beta1?: number;
  /** How much of the mean square is kept. @defaultValue 0.999 */
  readonly beta2?: number;
  /** @defaultValue 1e-8 */
  readonly epsilon?: number;
  /** λ. @defaultValue 0 for Adam, 0.01 for AdamW */
  readonly weightDecay?: number;
  /** Which parameters decay. @defaultValue what the layers say: weights do, biases and norms do not */
  readonly decays?: Decays;
}

/** Adam, as PyTorch's. Weight decay is added to the gradient as `λ·w`; {@link adamw} keeps it apart. */
export function adam(options: AdamOptions = {}): Optimizer {
  const { weightDecay = 0, decays } = options;
  checkSetting('weightDecay', weightDecay, 0);
  return chain([decayWeights(weightDecay, decays)], byMoments(options, null));
}

/** Adam with weight decay apart from the gradient, `w ← (1 − η·λ)·w − …`, as PyTorch's AdamW. */
export function adamw(options: AdamOptions = {}): Optimizer {
  const { weightDecay = 0.01, decays = decaysByLayer } = options;
  checkSetting('weightDecay', weightDecay, 0);
  return byMoments(options, { weightDecay, decays });
}

/**
 * The step by the gradient's moments: `m ← β₁·m + (1−β₁)·g`, `v ← β₂·v + (1−β₂)·g²`, and with `cᵢ = 1 − βᵢᵗ`
 * `w ← w − η/c₁ · m / (√v/√c₂ + ε)`.
 */
function byMoments(
  { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 }: AdamOptions,
  /** Decay apart from the gradient. */
  apart: { readonly weightDecay: number; readonly decays: Decays } | null,
): Optimizer {
  checkSetting('beta1', beta1, 0, 1);
  checkSetting('beta2', beta2, 0, 1);
  checkSetting('epsilon', epsilon, 0);
  return (weights, { learningRate, step, slot }) => {
    // η/c₁ · m / (√v/√c₂ + ε) = (η·√c₂/c₁) · m / (√v + ε·√c₂): what is per step is computed once, as scalars
    const root = sqrt(correction(step, beta2));
    const rate = mul(learningRate, div(root, correction(step, beta1)));
    const floor = mul(root, epsilon);
    const shrink = (decay: number | Tensor) => add(neg(mul(learningRate, decay)), 1);
    const { value, gradient } = weights;
    const mean = slot('mean', (m) => add(mul(m, beta1), mul(gradient, 1 - beta1)));
    const square = slot('square', (v) => add(mul(v, beta2), mul(mul(gradient, gradient), 1 - beta2)));
    const decay = apart === null ? null : decayOf(weights, apart.weightDecay, apart.decays);
    const kept = decay === null ? value : mul(value, shrink(decay));
    return sub(kept, mul(div(mean, add(sqrt(square), floor)), rate));
  };
}

/** `1 − βᵗ` with t from 1, without the digits that float32 loses for β near 1. */
function correction(step: Tensor, beta: number): Tensor {
  const t = add(cast(step, 'float32'), 1);
  return beta === 0 ? step.graph.scalar(1) : oneMinusExp(mul(t, Math.log(beta)));
}
