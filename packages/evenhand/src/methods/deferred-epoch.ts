import type { MethodContext } from './method.js';

/** The share of the epochs before deferred re-weighting where the learning rate does not say. */
const EARLY_SHARE = 0.8;

/**
 * The epoch, from 0, with which deferred re-weighting starts: the first one of the learning rate's last stage, if the rate
 * falls in steps. It does if, after a fall, it stays the same for two epochs or more until the end. With any other
 * schedule (constant, cosine, one cycle) it is the last fifth of the epochs.
 */
export function deferredEpoch({
  epochs,
  learningRateShare,
}: Pick<MethodContext, 'epochs' | 'learningRateShare'>): number {
  const last = learningRateShare(epochs - 1);
  let start = epochs - 1;
  while (start > 0 && learningRateShare(start - 1) === last) start--;
  const fell = start > 0 && learningRateShare(start - 1) > last;
  return fell && epochs - start >= 2 ? start : Math.floor(EARLY_SHARE * epochs);
}
