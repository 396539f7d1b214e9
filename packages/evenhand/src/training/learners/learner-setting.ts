import type { PreparedMethod } from '../../methods/method.js';
import type { Split } from '../../splits/split-dataset.js';
import type { Instances } from '../instances.js';
import type { Measuring } from '../measuring.js';
import type { RowsOfNetworks } from '../rows-of-networks.js';

/** What a learner is made for. */
export interface LearnerSetting {
  /** Those of the data set, and behind them those that the method makes of them. */
  readonly instances: Instances;
  /** What each member learns from. */
  readonly rows: RowsOfNetworks;
  readonly split: Split;
  readonly classes: number;
  readonly method: PreparedMethod;
  readonly measuring: Measuring;
  /** How common the answers take the classes to be. */
  readonly assumedLogPrior: Float32Array;
  /** The first epoch in which the validation instances train too. */
  readonly giveBackFrom: number;
  readonly seed: number;
}
