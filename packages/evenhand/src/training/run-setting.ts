import type { RunSetting } from '../runs/run-writer.js';
import type { TrainingSetup } from './set-up.js';

/** What the folder of a run is told of it. */
export function settingOf({ config, environment, dataset, counts }: TrainingSetup): RunSetting {
  return { config, environment, classes: { names: dataset.classNames, counts } };
}
