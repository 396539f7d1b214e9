import { DivergedError, openDataset, openRun, train, UserError } from 'evenhand';
import type { Config } from 'evenhand/config';
import type { WithRunFolder } from '../runner/run-line-jobs.js';
import { holdOut } from './held-out-images.js';

/** A run to be trained and measured on held-out training images. */
export interface HeldOutOrder {
  readonly config: Config;
  /** Of each class that is held out. */
  readonly share: number;
  readonly draw: number;
}

/** What came of it. */
export type HeldOutOutcome =
  /** Mean accuracy over classes. */
  { readonly accuracy: number } | { readonly diverged: string };

/** Trains a run and measures it on the images that it was not given. */
export async function trainHeldOut({
  config,
  share,
  draw,
  folder,
}: WithRunFolder<HeldOutOrder>): Promise<HeldOutOutcome> {
  const whole = await openDataset(config.data);
  if (whole.kind !== 'images') throw new UserError(`${whole.name} is a table; expected images to hold out`);
  const { dataset, data } = holdOut(whole, config.data, share, draw);
  try {
    await train({ ...config, data, seed: config.seed + draw }, { folder, dataset });
  } catch (error) {
    // It would diverge again: that is a result.
    if (error instanceof DivergedError) return { diverged: error.message };
    throw error;
  }
  const { report } = await (await openRun(folder)).evaluation();
  return { accuracy: report.balancedAccuracy };
}
