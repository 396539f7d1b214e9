import type { Command } from 'commander';
import { parseConfig } from '../../../config/parse.js';
import { openRun } from '../../../runs/run.js';
import { loadPlan } from '../../../trials/plan-file.js';
import { UserError } from '../../../user-error.js';
import { addExamples, addOutputOptions, terminalOf, valuesOf } from '../../options/define-command.js';
import { applySettings } from '../../options/given-config.js';
import { addSetOption } from '../../options/options-from-schema.js';
import { addCoordinatorOptions } from '../../options/queue-options.js';
import { trainPlan } from './train-plan.js';

/** `evenhand resume`. */
export function defineResume(command: Command): Command {
  addExamples(command, [
    'resume runs/fraud-logit-adjustment',
    'resume runs/fraud-logit-adjustment --set epochs=120 --override',
  ])
    .argument('<run>', 'the folder of a run, or of runs that were trained together')
    .option('--no-report', 'write no report.html')
    .option('--no-importance', 'do not measure what each column of a table is worth to the model')
    .option('--override', 'continue although configuration or data differ from those of the run');
  addCoordinatorOptions(command);
  addOutputOptions(addSetOption(command));
  return command.action(async (folder: string) => {
    const terminal = terminalOf(command);
    const { set, override, report, importance } = valuesOf(command);
    const resumed = { override: override === true };
    const options = { resumed, report: report === true, importance: importance === true };
    const several = await loadPlan(folder);
    if (several !== undefined) {
      if (Array.isArray(set) && set.length > 0) {
        throw new UserError(
          `--set changes one run, and ${folder} has ${several.trials.length}; resume the one you mean`,
        );
      }
      await trainPlan(command, terminal, several, options);
      return;
    }
    const given = { ...(await openRun(folder)).config };
    applySettings(given, set);
    await trainPlan(command, terminal, { folder, config: parseConfig(given) }, options);
  });
}
