import type { Terminal } from '../../terminal/terminal.js';
import type { RunPlan } from './plan-runs.js';
import { type TrainOneOptions, trainOne } from './train-one.js';
import { trainSeveral } from './train-several.js';

/** Trains the runs of a plan and shows what they came to: one run by itself, several beside each other. */
export function trainAndShow(terminal: Terminal, plan: RunPlan, options: TrainOneOptions): Promise<void> {
  return 'trials' in plan ? trainSeveral(terminal, plan, options) : trainOne(terminal, plan, options);
}
