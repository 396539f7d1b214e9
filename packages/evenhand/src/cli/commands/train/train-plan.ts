import type { Command } from 'commander';
import { UserError } from '../../../user-error.js';
import { textOf } from '../../options/define-command.js';
import { withQueue } from '../../options/queue-options.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { RunPlan } from './plan-runs.js';
import { trainAndShow } from './train-and-show.js';
import type { TrainOneOptions } from './train-one.js';

/** Trains the runs of a plan, several of them on workers if a queue is given, and shows what they came to. */
export async function trainPlan(
  command: Command,
  terminal: Terminal,
  plan: RunPlan,
  options: TrainOneOptions,
): Promise<void> {
  if ('trials' in plan) {
    await withQueue(command, terminal, plan.folder, (executor) =>
      trainAndShow(terminal, plan, { ...options, executor }),
    );
    return;
  }
  if (textOf(command, 'queue') !== undefined) {
    throw new UserError(
      '--queue is for several runs, and a single one is trained here; add --seeds, --splits or --method a,b, or leave it out',
    );
  }
  await trainAndShow(terminal, plan, options);
}
