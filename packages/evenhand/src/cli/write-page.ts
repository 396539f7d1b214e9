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
  if (terminal.isLive) terminal.replaceLine('writing the report');
  try {
    const [first, ...others] = runs;
    // Plots are drawn by large libraries, which other commands need not load.
    if (first !== undefined && others.length === 0) {
      const { writeReport } = await import('../report/write-report.js');
      return await writeReport(first.folder, dataset === undefined ? {} : { dataset });
    }
    const { writeComparison } = await import('../report/write-comparison.js');
    return await writeComparison(
      runs.map((run) => run.folder),
      path ?? join(folder, 'report.html'),
    );
  } finally {
    if (terminal.isLive) terminal.replaceLine('');
  }
}
