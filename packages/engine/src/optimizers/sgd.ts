import { add, mul, sub } from '../operations/arithmetic.js';
import { chain, checkSetting, type GradientTransform, type Optimizer } from './optimizer.js';
import { type Decays, decayWeights } from './weight-decay.js';

/** How {@link sgd} is set. */
export interface SgdOptions {
  /** @defaultValue 0 */
  readonly momentum?: number;
  /** Looks one step of the momentum ahead. @defaultValue false */
  readonly nesterov?: boolean;
  /** λ, added to the gradient as `λ·w`. @defaultValue 0 */
  readonly weightDecay?: number;
  /** Which parameters decay. @defaultValue what the layers say: weights do, biases and norms do not */
  readonly decays?: Decays;
}

/** Stochastic gradient descent, as PyTorch's with `dampening = 0`. */
export function sgd({ momentum = 0, nesterov = false, weightDecay = 0, decays }: SgdOptions = {}): Optimizer {
  checkSetting('momentum', momentum, 0, 1);
  checkSetting('weightDecay', weightDecay, 0);
  if (nesterov && momentum === 0) throw new RangeError('nesterov is set, but momentum is 0; expected some momentum');
  return chain([decayWeights(weightDecay, decays), accumulateMomentum(momentum, nesterov)], descend);
}

/** `b ← m·b + g`, and for a gradient b, or with Nesterov's look ahead `g + m·b`. */
export function accumulateMomentum(momentum: number, nesterov = false): GradientTransform {
  if (momentum === 0) return ({ gradient }) => gradient;
  return ({ gradient }, { slot }) => {
    const buffer = slot('momentum', (previous) => add(mul(previous, momentum), gradient));
    return nesterov ? add(gradient, mul(buffer, momentum)) : buffer;
  };
}

/** The step itself: `w ← w − η·g`. */
const descend: Optimizer = ({ value, gradient }, { learningRate }) => sub(value, mul(gradient, learningRate));
