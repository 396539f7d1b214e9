import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Dataset } from '../dataset/dataset.js';
import { InterruptedError, listenForInterruption } from '../runs/interruption.js';
import { openDataset } from '../sources/open-source.js';
import { DivergedError } from '../training/diverged.js';
import { type ResumeOptions, type RunOptions, resume, train } from '../training/train.js';
import { UserError } from '../user-error.js';
import { ProgressDisplay, type SharedDisplay } from './progress.js';
import { type CompleteRun, isComplete, readRun } from './read-run.js';
import { isBegun, type PlannedRun, type RunPlan, savePlan } from './run-plan.js';
import { commandLine } from './shell.js';
import type { Terminal } from './terminal.js';
import { fit, printable } from './text.js';

/** What came of a plan. */
export interface CarriedOut {
  readonly runs: readonly CompleteRun[];
  /** The data; undefined if there was nothing left to train. */
  readonly dataset: Dataset | undefined;
}

/**
 * Trains the runs of a plan, as many at once as there are cores for, those that were begun before from where they stopped.
 * SIGINT and SIGTERM save checkpoints, say how to go on, and come out as an {@link InterruptedError}.
 *
 * @throws {@link UserError} with what diverged, once all others are trained
 */
export async function carryOut(terminal: Terminal, plan: RunPlan, resumed?: ResumeOptions): Promise<CarriedOut> {
  const withdraw = resumed === undefined && plan.runs.length > 1 ? await beginPlan(plan) : undefined;
  const interruption = listenForInterruption();
  interruption.signal.addEventListener('abort', () =>
    terminal.note('Stopping after this step; once more to stop at once.'),
  );
  const failure = new AbortController();
  const signal = AbortSignal.any([interruption.signal, failure.signal]);
  const atOnce = runsAtOnce(plan);
  const displays: ProgressDisplay[] = [];
  const shared: SharedDisplay = {
    said: new Set(),
    redraw: () => {
      const lines = displays.filter(({ isFinished }) => !isFinished).map(({ line }) => fit(line, terminal.columns - 1));
      terminal.replaceLine(...lines.filter((line) => line !== ''));
    },
  };
  const diverged = new Map<PlannedRun, DivergedError>();
  let dataset: Promise<Dataset> | undefined;
  const waiting = plan.runs.entries(); // of which everybody takes the next one
  const work = async () => {
    for (const [place, run] of waiting) {
      if (resumed !== undefined && plan.runs.length > 1 && (await isComplete(run.folder))) continue;
      const position = { name: run.config.method.name, place, runs: plan.runs.length, atOnce };
      const display = new ProgressDisplay(terminal, position, shared);
      displays.push(display);
      const onEvent = display.onEvent.bind(display);
      // All runs of a plan have the same data.
      dataset ??= openDataset(run.config.data, {
        onProgress: (done, total) => onEvent({ kind: 'reading', done, total }),
      });
      try {
        await carryOutRun(run, { onEvent, dataset: await dataset, signal }, resumed);
      } catch (error) {
        if (plan.runs.length === 1 || !(error instanceof DivergedError)) throw error;
        diverged.set(run, error); // a result, too: the others go on
        display.isFinished = true;
      }
    }
  };
  try {
    // Whoever fails stops the others, at a checkpoint.
    await Promise.all(Array.from({ length: atOnce }, () => work().catch((error: unknown) => failure.abort(error))));
    failure.signal.throwIfAborted();
  } catch (error) {
    await withdraw?.();
    if (error instanceof InterruptedError) sayHowToGoOn(terminal, plan, displays, resumed !== undefined);
    throw error;
  } finally {
    interruption.stop();
  }
  if (diverged.size > 0) throw severalDiverged(plan, diverged);
  return { runs: await Promise.all(plan.runs.map(({ folder }) => readRun(folder))), dataset: await dataset };
}

/** Two trainings on one accelerator would share its memory, and what fits alone might not. */
function runsAtOnce({ runs }: RunPlan): number {
  if (runs.some(({ config }) => config.device !== 'cpu')) return 1;
  const threads = Math.max(...runs.map(({ config }) => config.threads));
  return Math.min(runs.length, Math.max(1, Math.floor(availableParallelism() / threads)));
}

/** Of several runs, none may find its folder taken after those before it were trained. */
async function beginPlan(plan: RunPlan): ReturnType<typeof savePlan> {
  const { folder } = plan;
  const [first] = await readdir(folder).catch(() => []);
  if (first === undefined) return savePlan(plan);
  throw new UserError(
    `${folder} is not empty: "${first}" is in it; expected a new folder for several runs. ` +
      `Choose another one, or go on with what is there: ${commandLine('resume', folder)}`,
  );
}

function severalDiverged({ runs }: RunPlan, diverged: ReadonlyMap<PlannedRun, DivergedError>): UserError {
  const complete = runs.filter((run) => !diverged.has(run)).map(({ folder }) => folder);
  return new UserError(
    [
      `${diverged.size} of ${runs.length} runs diverged:`,
      ...Array.from(diverged, ([{ folder }, { message }]) => `  ${folder}: ${message}`),
      ...(complete.length === 0 ? [] : [`The others are complete: ${commandLine('compare', ...complete)}`]),
    ].join('\n'),
  );
}

async function carryOutRun(run: PlannedRun, options: RunOptions, resumed: ResumeOptions | undefined): Promise<void> {
  const { folder, config } = run;
  if (resumed !== undefined && isBegun(run)) await resume(folder, { ...options, ...resumed });
  else await train(config, { ...options, folder });
}

function sayHowToGoOn(
  terminal: Terminal,
  plan: RunPlan,
  displays: readonly ProgressDisplay[],
  isResumed: boolean,
): void {
  const folder = printable(plan.folder);
  const { saved } = displays.find((display) => !display.isFinished && display.saved !== undefined) ?? {};
  if (!plan.runs.some(isBegun)) {
    terminal.complain('interrupted before training began; nothing was written');
    return;
  }
  const before = isResumed ? 'what was saved before is kept' : 'no epoch was saved yet';
  const where = saved === undefined ? before : `saved after ${position(saved)}`;
  terminal.complain(
    `interrupted; ${where}, in ${folder}. Go on with:\n  ${printable(commandLine('resume', plan.folder))}`,
  );
}

function position({ epoch, step }: NonNullable<ProgressDisplay['saved']>): string {
  const epochs = `${epoch} ${epoch === 1 ? 'epoch' : 'epochs'}`;
  return step === 0 ? epochs : `${epochs} and ${step} ${step === 1 ? 'step' : 'steps'}`;
}
