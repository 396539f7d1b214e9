import type { MethodContext } from './method.js';

/** The share of the epochs before deferred re-weighting where the learning rate does not say. */
const EARLY_SHARE = 0.8;

/**
 * The epoch, from 0, with which deferred re-weighting starts: the one of the learning rate's first drop, if the rate falls in steps, as Cao et al.
 * time it: epoch 160 of 200, where the rate drops at 160 and 180. A rate falls in steps if it stays the same for two epochs or more
 * after it has fallen for the first time. With any other schedule (constant, cosine, one cycle) it is the last fifth of the epochs.
 */
export function deferredEpoch({
  epochs,
  learningRateShare,
}: Pick<MethodContext, 'epochs' | 'learningRateShare'>): number {
  for (let epoch = 1; epoch + 1 < epochs; epoch++) {
    const share = learningRateShare(epoch);
    if (share >= learningRateShare(epoch - 1)) continue;
    if (learningRateShare(epoch + 1) === share) return epoch;
    break;
  }
  return Math.floor(EARLY_SHARE * epochs);
}
