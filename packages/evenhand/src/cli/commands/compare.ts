import type { Command } from 'commander';
import { readRun } from '../read-run.js';
import { foldersOf } from '../run-plan.js';
import { comparisonAsJson, showComparison } from '../show-comparison.js';
import { addOutputOptions, defineCommand, terminalOf } from './define-command.js';

/** `evenhand compare`. */
export function compareCommand(): Command {
  const command = defineCommand(
    'compare',
    'Shows runs beside each other; those that differ only in their seed as one.',
    ['compare runs/fraud', 'compare runs/fraud-one-hot runs/fraud-enhancement'],
  ).argument('<run...>', 'folders of runs, or of runs that were trained together');
  addOutputOptions(command);
  return command.action(async (folders: readonly string[]) => {
    const terminal = terminalOf(command);
    const runs = await Promise.all((await foldersOf(folders)).map(readRun));
    showComparison(terminal, runs);
    terminal.json(comparisonAsJson(runs));
  });
}
