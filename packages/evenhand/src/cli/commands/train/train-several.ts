import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type CompleteRun, openCompleteRun } from '../../../runs/run.js';
import { isBegun, savePlan, type TrialPlan } from '../../../trials/plan-file.js';
import { trainAll } from '../../../trials/train-all.js';
import type { TrialResult } from '../../../trials/trial.js';
import { UserError } from '../../../user-error.js';
import { commandLine } from '../../../wording/command-line.js';
import { interruptible } from '../../terminal/interruptible.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { bestOf, comparisonAsJson, showComparison } from '../compare/show-comparison.js';
import { writeComparisonPage } from '../report/write-page.js';
import { runAsJson } from './show-run.js';
import type { TrainOneOptions } from './train-one.js';
import { howToGoOn, TrainingDisplays } from './training-display.js';

/**
 * Trains the runs of a plan, as many at once as there are cores for, and shows them beside each other. A run that fails stops no
 * other.
 *
 * @throws {@link UserError} with what failed, once all others are trained
 */
export async function trainSeveral(
  terminal: Terminal,
  plan: TrialPlan,
  { resumed, report, importance = true, executor }: TrainOneOptions,
): Promise<void> {
  const { folder, trials } = plan;
  const withdraw = resumed === undefined ? await savePlan(plan) : undefined;
  const processes = runsAtOnce(plan);
  const displays = new TrainingDisplays(terminal, { runs: trials.length, atOnce: processes });
  const results = await interruptible(
    terminal,
    (signal) =>
      trainAll(trials, {
        folder,
        processes,
        ...(executor === undefined ? {} : { executor }),
        signal,
        override: resumed?.override ?? false,
        importance,
        onEvent: (event) => {
          const { key, config } = event.trial;
          if (event.kind === 'begun') displays.add(config.method.name, key);
          if (event.kind === 'training') displays.of(key)?.onEvent(event.event);
          if (event.kind === 'ended') displays.end(key);
        },
      }),
    () => howToGoOn({ folder, isBegun: isBegun(plan), isResumed: resumed !== undefined, saved: displays.saved }),
  ).finally(() => withdraw?.());
  refuseFailed(plan, results);
  const runs = await Promise.all(trials.map(({ key }) => openCompleteRun(join(folder, key))));
  const page = report ? await writeComparisonPage(terminal, runs, join(folder, 'report.html')) : null;
  showSeveral(terminal, folder, runs, page);
}

/** Two trainings on one accelerator would share its memory, and what fits alone might not. */
function runsAtOnce({ trials }: TrialPlan): number {
  if (trials.some(({ config }) => config.device !== 'cpu')) return 1;
  const threads = Math.max(...trials.map(({ config }) => config.threads));
  return Math.min(trials.length, Math.max(1, Math.floor(availableParallelism() / threads)));
}

function refuseFailed({ trials }: TrialPlan, results: readonly TrialResult[]): void {
  const failed = results.flatMap((result) => (result.status === 'done' ? [] : [result]));
  const [first] = failed;
  if (first === undefined) return;
  // What all of them stumble over is about none of them in particular.
  if (failed.length === trials.length && failed.every(({ error }) => error.message === first.error.message))
    throw first.error;
  const complete = results.filter(({ status }) => status === 'done').map(({ folder }) => folder);
  const what = failed.every(({ status }) => status === 'diverged') ? 'diverged' : 'failed';
  throw new UserError(
    [
      `${failed.length} of ${trials.length} runs ${what}:`,
      ...failed.map(({ folder, error }) => `  ${folder}: ${error.message}`),
      ...(complete.length === 0 ? [] : [`The others are complete: ${commandLine('compare', ...complete)}`]),
    ].join('\n'),
  );
}

function showSeveral(terminal: Terminal, folder: string, runs: readonly CompleteRun[], page: string | null): void {
  showComparison(terminal, runs);
  terminal.say();
  terminal.say(`  runs    ${printable(folder)}`);
  if (page !== null) terminal.say(`  report  ${printable(page)}`);
  terminal.say();
  terminal.say(`Next: ${printable(commandLine('report', bestOf(runs)))}`);
  terminal.json({ run: folder, runs: runs.map(runAsJson), ...comparisonAsJson(runs), report: page });
}
