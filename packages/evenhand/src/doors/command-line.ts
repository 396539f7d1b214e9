/**
 * A command line like that of `evenhand`, for programs that train with it: `evenhand/command-line`.
 *
 * @packageDocumentation
 */

export { SweepDisplay } from '../cli/commands/sweep/sweep-progress.js';
export { givenSearch } from '../cli/commands/sweep/sweep-search.js';
export { showSweep, sweepAsJson } from '../cli/commands/sweep/sweep-summary.js';
export { planRuns } from '../cli/commands/train/plan-runs.js';
export { trainAndShow } from '../cli/commands/train/train-and-show.js';
export { countOf, oneOf } from '../cli/options/checked-words.js';
export { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../cli/options/define-command.js';
export { addCoordinatorOptions, withQueue } from '../cli/options/queue-options.js';
export type { CommandContext, CommandEntry, DefineCommand, ProgramDefinition } from '../cli/program.js';
export { runProgram } from '../cli/run-program.js';
export { interruptible } from '../cli/terminal/interruptible.js';
export { formatTable, type TableColumn } from '../cli/terminal/table.js';
export { type OutputOptions, Terminal } from '../cli/terminal/terminal.js';
export { fit, printable } from '../cli/terminal/text.js';
export { packageVersion } from '../package-version.js';
export { commandLine, quoted } from '../wording/command-line.js';
export { nearestName } from '../wording/nearest-name.js';
export * from '../wording/numbers.js';
