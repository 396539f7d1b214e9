import { fileURLToPath } from 'node:url';
import { inPercent } from 'evenhand/report';
import { withLockedLines } from '../results/locked-lines.js';
import { type LineJob, type RunLineJobsOptions, runLineJobs } from '../runner/run-line-jobs.js';
import { lineOf, readRunLines, runLine } from './run-lines.js';
import { type BudgetRun, textOfRun } from './runs.js';
import type { BudgetOrder } from './train-run.js';

const PROCESS = fileURLToPath(new URL('./run-process.js', import.meta.url));

/**
 * Trains the runs that a file has no line of, each in a process of its own, and appends a line for each.
 *
 * @throws {@link UserError} in the end if some could not be trained
 */
export function runMissing(file: string, runs: readonly BudgetRun[], options: RunLineJobsOptions): Promise<void> {
  return withLockedLines(file, async () => {
    const lines = await readRunLines(file);
    const missing = runs.filter((run) => lineOf(run, lines) === undefined);
    options.onProgress(`${file}: ${missing.length} of ${runs.length} runs are missing`);
    await runLineJobs(file, missing.map(jobOf), { program: PROCESS, what: 'runs' }, options);
  });
}

function jobOf(run: BudgetRun): LineJob {
  return {
    title: textOfRun(run),
    order: { config: run.config } satisfies BudgetOrder,
    finish: (outcome) => {
      const line = runLine(run, outcome);
      if ('diverged' in line) return { line, outcome: line.diverged };
      return { line, outcome: `top-1 ${inPercent(line.reserved.top1)} reserved, ${inPercent(line.test.top1)} test` };
    },
  };
}
