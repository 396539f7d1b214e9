import type { PreparedMethod } from '../../methods/method.js';
import type { Split } from '../../splits/split-dataset.js';
import type { Instances } from '../instances.js';
import type { Measuring } from '../measuring.js';

/** What a learner is made for. */
export interface LearnerSetting {
  readonly instances: Instances;
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
