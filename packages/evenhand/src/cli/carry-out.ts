import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
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
 * Trains the runs of a plan one after the other, those that were begun before from where they stopped. SIGINT and SIGTERM
 * save a checkpoint, say how to go on, and come out as an {@link InterruptedError}.
 */
export async function carryOut(terminal: Terminal, plan: RunPlan, resumed?: ResumeOptions): Promise<CarriedOut> {
  if (resumed === undefined && plan.runs.length > 1) await refuseUsedFolder(plan.folder);
  const interruption = listenForInterruption();
  interruption.signal.addEventListener('abort', () =>
    terminal.note('Stopping after this step; once more to stop at once.'),
  );
  let dataset: Dataset | undefined;
  let display: ProgressDisplay | undefined;
  try {
    for (const [place, run] of plan.runs.entries()) {
      if (resumed !== undefined && plan.runs.length > 1 && (await isComplete(run.folder))) continue;
      display = new ProgressDisplay(terminal, { name: run.config.method.name, place, runs: plan.runs.length });
      const onEvent = display.onEvent.bind(display);
      // All runs of a plan have the same data.
      dataset ??= await openDataset(run.config.data, {
        onProgress: (done, total) => onEvent({ kind: 'reading', done, total }),
      });
      await carryOutRun(plan, run, { onEvent, dataset, signal: interruption.signal }, resumed);
    }
  } catch (error) {
    if (error instanceof InterruptedError) sayHowToGoOn(terminal, plan, display);
    throw error;
  } finally {
    interruption.stop();
  }
  return { runs: await Promise.all(plan.runs.map(({ folder }) => readRun(folder))), dataset };
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

function sayHowToGoOn(terminal: Terminal, plan: RunPlan, display: ProgressDisplay | undefined): void {
  const folder = printable(plan.folder);
  const { saved } = display ?? {};
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
