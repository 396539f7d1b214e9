import { writeAtomically } from '../runs/atomic-file.js';
import { html } from './html.js';
import { page } from './page.js';
import { readRunGroups } from './run-groups.js';
import {
  comparedClasses,
  comparedConfusion,
  comparedHeadline,
  comparedOutputs,
  comparedTraining,
  runList,
} from './sections/comparison.js';

/**
 * Writes one page that compares several complete runs, methods × seeds; like a report, it needs no other file and no network.
 *
 * @param path - where the page goes
 * @returns the page's path
 * @throws {@link InputError} if a run is not complete, or the runs are not about the same classes
 */
export async function writeComparison(runFolders: readonly string[], path: string): Promise<string> {
  const groups = await readRunGroups(runFolders);
  const body = html`${comparedHeadline(groups)}${comparedClasses(groups)}${comparedConfusion(groups)}${comparedTraining(groups)}
${comparedOutputs(groups)}${runList(groups)}`;
  const title = `${groups[0]?.first.environment.dataset.name}: ${groups.map(({ label }) => label).join(' against ')}`;
  await writeAtomically(path, page(title, body));
  return path;
}
