import { countOf, type DefineCommand, interruptible, printable, terminalOf, valuesOf } from 'evenhand/command-line';
import { npmScript } from '../../npm-script.js';
import type { Variant } from '../../seven-tables/fold-job.js';
import type { FoldKey } from '../../seven-tables/fold-results.js';
import { runFolds } from '../../seven-tables/run-folds.js';

/** What is learned, and where it goes. */
interface Learning {
  readonly tablesFolder: string;
  readonly results: string;
  readonly variants: ReadonlyMap<string, Variant>;
  readonly keys: readonly FoldKey[];
}

/** Learns what has no result yet, unless there is to be no training. */
export async function learnMissing(
  command: Parameters<DefineCommand>[0],
  { tablesFolder, results, variants, keys }: Learning,
): Promise<void> {
  if (valuesOf(command).training === false) return;
  const terminal = terminalOf(command);
  const how = {
    tablesFolder,
    processes: countOf(command, '--processes') ?? 1,
    onProgress: (text: string) => terminal.note(text),
  };
  await interruptible(
    terminal,
    (signal) => runFolds(results, variants, keys, { ...how, signal }),
    () => `interrupted; continue with:\n  ${printable(npmScript('tables', ...process.argv.slice(3)))}`,
  );
}
