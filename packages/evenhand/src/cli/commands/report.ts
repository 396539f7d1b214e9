import type { Command } from 'commander';
import type { Dataset } from '../../dataset/dataset.js';
import { openDataset } from '../../sources/open-source.js';
import { UserError } from '../../user-error.js';
import { type CompleteRun, readRun } from '../read-run.js';
import { foldersOf } from '../run-plan.js';
import type { Terminal } from '../terminal.js';
import { printable } from '../text.js';
import { writePage } from '../write-page.js';
import { addOutputOptions, defineCommand, terminalOf, textOf } from './define-command.js';

const COMPARISON = 'comparison.html';

/** `evenhand report`. */
export function reportCommand(): Command {
  const command = defineCommand('report', 'Writes a page about a run, or about several beside each other.', [
    'report runs/fraud-enhancement',
    'report runs/fraud-one-hot runs/fraud-enhancement --out comparison.html',
  ])
    .argument('<run...>', 'folders of runs, or of runs that were trained together')
    .option(
      '--out <file>',
      `where a comparison goes (default: report.html beside runs that were trained together, else ${COMPARISON})`,
    );
  addOutputOptions(command);
  return command.action(async (given: readonly string[]) => {
    const terminal = terminalOf(command);
    const folders = await foldersOf(given);
    const runs = await Promise.all(folders.map(readRun));
    const [folder = ''] = given;
    const out = textOf(command, 'out') ?? (given.length > 1 ? COMPARISON : undefined);
    if (runs.length === 1 && textOf(command, 'out') !== undefined) {
      throw new UserError(`--out is for comparisons; the report of one run lies in its folder, ${folder}`);
    }
    const dataset = await imagesOf(terminal, runs);
    const options = { ...(out === undefined ? {} : { path: out }), ...(dataset === undefined ? {} : { dataset }) };
    const path = await writePage(terminal, { folder, runs }, options);
    terminal.say(`  report  ${printable(path)}`);
    terminal.json({ report: path });
  });
}

/** The images of a run, if they are where they were. */
async function imagesOf(terminal: Terminal, [run, ...others]: readonly CompleteRun[]): Promise<Dataset | undefined> {
  if (run === undefined || others.length > 0 || run.config.data.target !== undefined) return undefined;
  try {
    const dataset = await openDataset(run.config.data);
    if (dataset.contentHash === run.environment.dataset.hash) return dataset;
    terminal.note(`note: ${dataset.name} has changed since training: the report shows no images.`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.note(`note: the report shows no images: ${error.message}`);
  }
  return undefined;
}
