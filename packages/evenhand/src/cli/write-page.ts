import { join } from 'node:path';
import type { Dataset } from '../dataset/dataset.js';
import type { RunPlan } from './run-plan.js';
import type { Terminal } from './terminal.js';

/** What a page is written about. */
export interface PageOptions {
  /** Where it goes. Only of several runs; that of one run lies in its folder. @defaultValue beside the runs */
  readonly path?: string;
  /** The data, whose images are shown. */
  readonly dataset?: Dataset;
}

/**
 * Writes `report.html`: about one run, or several beside each other.
 *
 * @returns its path
 */
export async function writePage(
  terminal: Terminal,
  { folder, runs }: RunPlan,
  { path, dataset }: PageOptions,
): Promise<string> {
  const onProgress = progressOn(terminal);
  try {
    const [first, ...others] = runs;
    // Plots are drawn by large libraries, which other commands need not load.
    if (first !== undefined && others.length === 0) {
      const { writeReport } = await import('../report/write-report.js');
      return await writeReport(first.folder, { onProgress, ...(dataset === undefined ? {} : { dataset }) });
    }
    const { writeComparison } = await import('../report/write-comparison.js');
    return await writeComparison(
      runs.map((run) => run.folder),
      path ?? join(folder, 'report.html'),
      { onProgress },
    );
  } finally {
    if (terminal.isLive) terminal.replaceLine('');
  }
}

/** Shows how far a report is, in whole per cent. */
function progressOn(terminal: Terminal): (done: number, total: number) => void {
  if (!terminal.isLive) return () => undefined;
  terminal.replaceLine('writing the report');
  let shown = 0;
  return (done, total) => {
    const share = Math.floor((100 * done) / total);
    if (share === shown) return;
    shown = share;
    terminal.replaceLine(`writing the report  ${share} %`);
  };
}
