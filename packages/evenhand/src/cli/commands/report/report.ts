import { join } from 'node:path';
import type { Command } from 'commander';
import type { Dataset } from '../../../dataset/dataset.js';
import { type CompleteRun, openCompleteRun } from '../../../runs/run.js';
import { RUN_FILES } from '../../../runs/run-files.js';
import { openDataset } from '../../../sources/open-source.js';
import { isStream } from '../../../stream/folder/stream-files.js';
import { runFoldersIn } from '../../../trials/plan-file.js';
import { UserError } from '../../../user-error.js';
import { addExamples, addOutputOptions, terminalOf, textOf } from '../../options/define-command.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { writeComparisonPage, writeReportPage } from './write-page.js';

const COMPARISON = 'comparison.html';

/** `evenhand report`. */
export function defineReport(command: Command): Command {
  addExamples(command, [
    'report runs/fraud-logit-adjustment',
    'report runs/fraud-one-hot runs/fraud-logit-adjustment --out comparison.html',
    'report streams/events',
  ])
    .argument('<run...>', 'folders of runs, or of runs that were trained together; or the folder of a stream')
    .option(
      '--out <file>',
      `file for a comparison (default: report.html next to runs that were trained together, else ${COMPARISON})`,
    );
  addOutputOptions(command);
  return command.action(async (given: readonly string[]) => {
    const terminal = terminalOf(command);
    const out = textOf(command, 'out');
    const stream = given.find(isStream);
    if (stream !== undefined) {
      tell(terminal, await streamReport(stream, given.length, out));
      return;
    }
    const runs = await Promise.all((await runFoldersIn(given)).map(openCompleteRun));
    const [folder = ''] = given;
    const [only, ...others] = runs;
    if (others.length === 0 && out !== undefined) {
      throw new UserError(`--out is for comparisons; the report of one run is written to its folder, ${folder}`);
    }
    const path =
      only !== undefined && others.length === 0
        ? await writeReportPage(terminal, only.folder, await dataOf(terminal, only))
        : await writeComparisonPage(
            terminal,
            runs,
            out ?? (given.length > 1 ? COMPARISON : join(folder, RUN_FILES.report)),
          );
    tell(terminal, path);
  });
}

function tell(terminal: Terminal, path: string): void {
  terminal.say(`  report  ${printable(path)}`);
  terminal.json({ report: path });
}

async function streamReport(folder: string, given: number, out: string | undefined): Promise<string> {
  if (given > 1)
    throw new UserError(`${folder} is the folder of a stream; expected it alone: the report of a stream is about one`);
  if (out !== undefined)
    throw new UserError(`--out is for comparisons; the report of a stream lies in its folder, ${folder}`);
  // Plots are drawn by large libraries, which other commands need not load.
  const { writeStreamPage } = await import('../../../stream/page/write-stream-page.js');
  return writeStreamPage(folder);
}

/** The data of a run, if it is where it was. */
async function dataOf(terminal: Terminal, run: CompleteRun): Promise<Dataset | undefined> {
  const shown = run.config.data.target === undefined ? 'images' : 'values of rows';
  try {
    const dataset = await openDataset(run.config.data);
    if (dataset.contentHash === run.environment.dataset.hash) return dataset;
    terminal.note(`note: ${dataset.name} has changed since training: the report shows no ${shown}.`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.note(`note: the report shows no ${shown}: ${error.message}`);
  }
  return undefined;
}
