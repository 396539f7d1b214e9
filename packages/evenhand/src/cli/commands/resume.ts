import type { Command } from 'commander';
import { parseConfig } from '../../config/parse.js';
import { RunFolder } from '../../runs/run-folder.js';
import { UserError } from '../../user-error.js';
import { applySettings } from '../given-config.js';
import { addSetOption } from '../options-from-schema.js';
import { loadPlan } from '../run-plan.js';
import { trainAndShow } from '../train-and-show.js';
import { addOutputOptions, defineCommand, terminalOf, valuesOf } from './define-command.js';

/** `evenhand resume`. */
export function resumeCommand(): Command {
  const command = defineCommand('resume', 'Goes on with a run, or with several, where it stopped.', [
    'resume runs/fraud-enhancement',
    'resume runs/fraud-enhancement --set epochs=120 --override',
  ])
    .argument('<run>', 'the folder of a run, or of runs that were trained together')
    .option('--no-report', 'write no report.html')
    .option('--override', 'go on although configuration or data are not those of the run');
  addOutputOptions(addSetOption(command));
  return command.action(async (folder: string) => {
    const terminal = terminalOf(command);
    const { set, override, report } = valuesOf(command);
    const resumed = { override: override === true };
    const several = await loadPlan(folder);
    if (several !== undefined) {
      if (Array.isArray(set) && set.length > 0) {
        throw new UserError(
          `--set changes one run, and ${folder} has ${several.runs.length}; resume the one that is meant`,
        );
      }
      await trainAndShow(terminal, several, { resumed, report: report === true });
      return;
    }
    const given = { ...(await RunFolder.open(folder)).config };
    applySettings(given, set);
    const config = parseConfig(given);
    const plan = { folder, runs: [{ folder, config }] };
    await trainAndShow(terminal, plan, { resumed: { ...resumed, config }, report: report === true });
  });
}
