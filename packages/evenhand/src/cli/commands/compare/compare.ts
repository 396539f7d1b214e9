import type { Command } from 'commander';
import { openCompleteRun } from '../../../runs/run.js';
import { runFoldersIn } from '../../../trials/plan-file.js';
import { addExamples, addOutputOptions, terminalOf } from '../../options/define-command.js';
import { comparisonAsJson, showComparison } from './show-comparison.js';

/** `evenhand compare`. */
export function defineCompare(command: Command): Command {
  addExamples(command, ['compare runs/fraud', 'compare runs/fraud-one-hot runs/fraud-logit-adjustment']).argument(
    '<run...>',
    'folders of runs, or of runs that were trained together',
  );
  addOutputOptions(command);
  return command.action(async (folders: readonly string[]) => {
    const terminal = terminalOf(command);
    const runs = await Promise.all((await runFoldersIn(folders)).map(openCompleteRun));
    showComparison(terminal, runs);
    terminal.json(comparisonAsJson(runs));
  });
}
