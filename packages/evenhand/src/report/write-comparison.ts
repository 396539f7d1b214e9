import { join } from 'node:path';
import { prepareOutput } from '../files/output-file.js';
import { RUN_FILES } from '../runs/run-files.js';
import { html } from './html.js';
import { page } from './page.js';
import { readRunGroups } from './run-groups.js';
import {
  comparedClasses,
  comparedConfusion,
  comparedHeadline,
  comparedNames,
  comparedOutputs,
  comparedTraining,
  runList,
} from './sections/comparison.js';
import type { ReportOptions } from './write-report.js';

/** What the writer of a comparison may be told. */
export type ComparisonOptions = Pick<ReportOptions, 'onProgress'>;

/**
 * Writes one page that compares several complete runs, methods × seeds; like a report, it needs no other file and no network.
 *
 * @param path - where the page goes
 * @returns the page's path
 * @throws {@link UserError} if a run is not complete, the runs are not about the same classes, or the page cannot be written
 */
export async function writeComparison(
  runFolders: readonly string[],
  path: string,
  { onProgress = () => undefined }: ComparisonOptions = {},
): Promise<string> {
  const write = await prepareOutput(path, runFolders.flatMap(readFilesOf));
  const groups = await readRunGroups(runFolders);
  const body = html`${comparedHeadline(groups)}${comparedClasses(groups)}${comparedConfusion(groups)}${comparedTraining(groups)}
${await comparedOutputs(groups, onProgress)}${runList(groups)}`;
  const title = `${groups[0]?.first.environment.dataset.name}: ${comparedNames(groups)}`;
  await write(page(title, body));
  return path;
}

function readFilesOf(run: string): string[] {
  const { report: _, modelCard: __, ...read } = RUN_FILES;
  return Object.values(read).map((name) => join(run, name));
}
