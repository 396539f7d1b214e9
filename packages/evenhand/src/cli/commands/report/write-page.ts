import type { Dataset } from '../../../dataset/dataset.js';
import type { CompleteRun } from '../../../runs/run.js';
import type { Terminal } from '../../terminal/terminal.js';

// Plots are drawn by large libraries, which other commands need not load.

/**
 * Writes the `report.html` of a run.
 *
 * @param dataset - the data, of which images and rows are shown
 * @returns its path
 */
export async function writeReportPage(terminal: Terminal, folder: string, dataset?: Dataset): Promise<string> {
  const { writeReport } = await import('../../../report/write-report.js');
  return withProgress(terminal, (onProgress) =>
    writeReport(folder, { onProgress, ...(dataset === undefined ? {} : { dataset }) }),
  );
}

/**
 * Writes a page about several runs beside each other.
 *
 * @returns its path
 */
export async function writeComparisonPage(
  terminal: Terminal,
  runs: readonly CompleteRun[],
  path: string,
): Promise<string> {
  const { writeComparison } = await import('../../../report/write-comparison.js');
  const folders = runs.map(({ folder }) => folder);
  return withProgress(terminal, (onProgress) => writeComparison(folders, path, { onProgress }));
}

/** Shows how far a report is, in whole per cent. */
async function withProgress(
  terminal: Terminal,
  write: (onProgress: (done: number, total: number) => void) => Promise<string>,
): Promise<string> {
  if (!terminal.isLive) return write(() => undefined);
  terminal.replaceLine('writing the report');
  let shown = 0;
  try {
    return await write((done, total) => {
      const share = Math.floor((100 * done) / total);
      if (share === shown) return;
      shown = share;
      terminal.replaceLine(`writing the report  ${share} %`);
    });
  } finally {
    terminal.replaceLine('');
  }
}
