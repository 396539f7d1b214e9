import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Dataset } from '../dataset/dataset.js';
import { InputError } from '../input-error.js';
import { InterruptedError, listenForInterruption } from '../runs/interruption.js';
import { RUN_FILES } from '../runs/run-folder.js';
import { openDataset } from '../sources/open-source.js';
import { type ResumeOptions, type RunOptions, resume, train } from '../training/train.js';
import { ProgressDisplay } from './progress.js';
import { type CompleteRun, isComplete, readRun } from './read-run.js';
import { type PlannedRun, type RunPlan, savePlan } from './run-plan.js';
import { commandLine } from './shell.js';
import type { Terminal } from './terminal.js';
import { printable } from './text.js';

/** What came of a plan. */
export interface CarriedOut {
  readonly runs: readonly CompleteRun[];
  /** The data; undefined if there was nothing left to train. */
  readonly dataset: Dataset | undefined;
}

/**
 * Trains the runs of a plan, as many at once as there are cores for, those that were begun before from where they stopped.
 * SIGINT and SIGTERM save checkpoints, say how to go on, and come out as an {@link InterruptedError}.
 */
export async function carryOut(terminal: Terminal, plan: RunPlan, resumed?: ResumeOptions): Promise<CarriedOut> {
  if (resumed === undefined && plan.runs.length > 1) await refuseUsedFolder(plan.folder);
  const interruption = listenForInterruption();
  interruption.signal.addEventListener('abort', () =>
    terminal.note('Stopping after this step; once more to stop at once.'),
  );
  const failure = new AbortController();
  const signal = AbortSignal.any([interruption.signal, failure.signal]);
  const atOnce = runsAtOnce(plan);
  const displays: ProgressDisplay[] = [];
  let dataset: Promise<Dataset> | undefined;
  const waiting = plan.runs.entries(); // of which everybody takes the next one
  const work = async () => {
    for (const [place, run] of waiting) {
      if (resumed !== undefined && plan.runs.length > 1 && (await isComplete(run.folder))) continue;
      const before = [...displays];
      const position = { name: run.config.method.name, place, runs: plan.runs.length, atOnce };
      const display = new ProgressDisplay(terminal, position, () => before.every(({ isFinished }) => isFinished));
      displays.push(display);
      const onEvent = display.onEvent.bind(display);
      // All runs of a plan have the same data.
      dataset ??= openDataset(run.config.data, {
        onProgress: (done, total) => onEvent({ kind: 'reading', done, total }),
      });
      await carryOutRun(plan, run, { onEvent, dataset: await dataset, signal }, resumed);
    }
  };
  try {
    // Whoever fails stops the others, at a checkpoint.
    await Promise.all(Array.from({ length: atOnce }, () => work().catch((error: unknown) => failure.abort(error))));
    failure.signal.throwIfAborted();
  } catch (error) {
    if (error instanceof InterruptedError) sayHowToGoOn(terminal, plan, displays);
    throw error;
  } finally {
    interruption.stop();
  }
  return { runs: await Promise.all(plan.runs.map(({ folder }) => readRun(folder))), dataset: await dataset };
}

function runsAtOnce({ runs }: RunPlan): number {
  const threads = Math.max(...runs.map(({ config }) => config.threads));
  return Math.min(runs.length, Math.max(1, Math.floor(availableParallelism() / threads)));
}

/** Of several runs, none may find its folder taken after those before it were trained. */
async function refuseUsedFolder(folder: string): Promise<void> {
  const [first] = await readdir(folder).catch(() => []);
  if (first === undefined) return;
  throw new InputError(
    `${folder} is not empty: "${first}" is in it; expected a new folder for several runs. ` +
      `Choose another one, or go on with what is there: ${commandLine('resume', folder)}`,
  );
}

async function carryOutRun(
  plan: RunPlan,
  { folder, config }: PlannedRun,
  { onEvent, ...options }: RunOptions & Required<Pick<RunOptions, 'onEvent'>>,
  resumed: ResumeOptions | undefined,
): Promise<void> {
  const isBegun = resumed !== undefined && existsSync(join(folder, RUN_FILES.config));
  if (isBegun) {
    await resume(folder, { ...options, ...resumed, onEvent });
    return;
  }
  // The plan is written once there is a run: what is refused leaves nothing behind.
  let saved: Promise<void> | undefined;
  try {
    await train(config, {
      ...options,
      folder,
      onEvent: (event) => {
        if (event.kind === 'started' && plan.runs.length > 1) saved = savePlan(plan);
        saved?.catch(() => undefined); // awaited below
        onEvent(event);
      },
    });
  } finally {
    await saved;
  }
}

function sayHowToGoOn(terminal: Terminal, plan: RunPlan, displays: readonly ProgressDisplay[]): void {
  const folder = printable(plan.folder);
  const { saved } = displays.find((display) => !display.isFinished && display.saved !== undefined) ?? {};
  if (saved === undefined && !existsSync(plan.folder)) {
    terminal.complain('interrupted before training began; nothing was written');
    return;
  }
  const where = saved === undefined ? 'no epoch was saved yet' : `saved after ${position(saved)}`;
  terminal.complain(
    `interrupted; ${where}, in ${folder}. Go on with:\n  ${printable(commandLine('resume', plan.folder))}`,
  );
}

function position({ epoch, step }: NonNullable<ProgressDisplay['saved']>): string {
  const epochs = `${epoch} ${epoch === 1 ? 'epoch' : 'epochs'}`;
  return step === 0 ? epochs : `${epochs} and ${step} ${step === 1 ? 'step' : 'steps'}`;
}
