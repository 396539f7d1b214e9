import type { NamedContext } from '../define-method.js';
import type { PreparedMethod } from '../method.js';
import { oneHotLabels } from '../one-hot-labels.js';

/** A method that is plain training on other rows. */
export function resampledRows(
  context: NamedContext,
  resample: NonNullable<PreparedMethod['resample']>,
): PreparedMethod {
  return { loss: context.loss, resample, ...oneHotLabels(context) };
}
