import { checkNumber } from '../check-arguments.js';
import { at } from '../checked-access.js';
import type { RateFunction } from './rate.js';

/**
 * ρ where none is given. Tuned rates of very different tasks have a mean push near it: ε = 10 where classes lose 5 to 20 per cent
 * (long-tailed MNIST) is 0.5 to 2, ε = 0.3 where they lose 50 to 90 (CIFAR-10-LT) is 0.15 to 0.27.
 */
export const DEFAULT_PUSH = 0.5;

/** No ε is larger. Where classes lose less than ρ/30 on average there is next to nothing to push away from, and much of it is noise. */
const LARGEST_ENHANCEMENT_RATE = 30;

/** Options of {@link steadyPush}. */
export interface SteadyPushOptions {
  /** ρ ≥ 0: what is added to the labels' diagonal on average, with μ = 1. @defaultValue 0.5 */
  readonly push?: number;
}

/**
 * ε that keeps the mean push the same while the network gets better: `ε = ρ / mean_p(1 − s'[p,p])`, at most 30, over the classes that
 * were measured. `ε·(1 − s'[p,p])` is what the label of class p has above 1, so ρ is its mean over classes.
 *
 * @example
 * ```ts
 * new EnhancementEncoder({ classes: 10, enhancementRate: steadyPush({ push: 0.3 }), updatingRate: 'auto' });
 * ```
 */
export function steadyPush({ push = DEFAULT_PUSH }: SteadyPushOptions = {}): RateFunction {
  checkNumber(push, 0, Number.POSITIVE_INFINITY, 'push');
  return ({ classes, normalisedSoftConfusion }) => {
    let [lost, measured] = [0, 0];
    for (let p = 0; p < classes; p++) {
      const own = at(normalisedSoftConfusion, p * classes + p);
      if (Number.isNaN(own)) continue;
      lost += Math.max(0, 1 - own); // float32 probabilities may sum to a little more than 1
      measured++;
    }
    // Where nothing is lost, whatever ε is, the labels stay: 0 · ρ must not be 0 / 0.
    return lost === 0
      ? Math.min(push, LARGEST_ENHANCEMENT_RATE)
      : Math.min((push * measured) / lost, LARGEST_ENHANCEMENT_RATE);
  };
}
