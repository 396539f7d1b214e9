import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { configDifference } from '../config/difference.js';
import { FolderLock, isLocked } from '../files/folder-lock.js';
import { openRun } from '../runs/run.js';
import { isRun } from '../runs/run-files.js';
import { DivergedError } from '../training/diverged.js';
import { UserError } from '../user-error.js';
import type { Executor } from './executor.js';
import type { Trial, TrialEvent, TrialResult } from './trial.js';

/** How trials are carried out. None of it changes what is trained. */
export interface TrialRunnerOptions<Kind extends Trial = Trial> {
  /** Holds the run folders. */
  readonly folder: string;
  readonly executor: Executor;
  /** Is told what happens. */
  readonly onEvent?: (event: TrialEvent<Kind>) => void;
  /** When aborted, trials that are being trained are left at a checkpoint, and the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Go on with runs although configuration or data are not theirs. @defaultValue false */
  readonly override?: boolean;
  /** Whether to measure what each column of a table is worth. @defaultValue true */
  readonly importance?: boolean;
}

/**
 * Carries out trials, each resumably: what a run folder has already is not done again, what was begun goes on from its last
 * checkpoint. Trials may be asked for one by one, by whoever decides by their results what comes next, or as a list.
 */
export class TrialRunner<Kind extends Trial = Trial> {
  readonly #options: TrialRunnerOptions<Kind>;
  #stopped: Error | undefined;

  constructor(options: TrialRunnerOptions<Kind>) {
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** The run folder of a trial. */
  folderOf({ key }: Trial): string {
    return join(this.#options.folder, key);
  }

  /**
   * Carries out a trial as soon as its turn comes.
   *
   * @throws the reason, if the trials were stopped
   */
  async run(trial: Kind): Promise<TrialResult<Kind>> {
    const folder = this.folderOf(trial);
    const { onEvent = () => undefined } = this.#options;
    const ended = (outcome: { status: 'done' } | { status: 'diverged' | 'failed'; error: Error }) => {
      const result: TrialResult<Kind> = { trial, folder, ...outcome };
      onEvent({ kind: 'ended', trial, result });
      return result;
    };
    try {
      if (this.#stopped !== undefined) throw this.#stopped;
      if (!(await this.#isDone(trial, folder))) await this.#carryOut(trial, folder);
      return ended({ status: 'done' });
    } catch (error) {
      if (this.#stopped !== undefined) throw this.#stopped;
      if (!(error instanceof Error)) throw error;
      return ended({ status: error instanceof DivergedError ? 'diverged' : 'failed', error });
    }
  }

  /**
   * Carries out a list of trials, as many at once as the executor can.
   *
   * @param onResult - is waited for before the next trial is begun in the place of this one
   */
  async runAll(
    trials: readonly Kind[],
    onResult: (result: TrialResult<Kind>) => Promise<void> = async () => undefined,
  ): Promise<TrialResult<Kind>[]> {
    const results = new Map<Kind, TrialResult<Kind>>();
    const waiting = trials.values(); // of which everybody takes the next one
    const workThrough = async () => {
      for (const trial of waiting) {
        const result = await this.run(trial);
        await onResult(result);
        results.set(trial, result);
      }
    };
    const workers = Array.from({ length: Math.min(this.#options.executor.atOnce, trials.length) }, () =>
      workThrough().catch((error: unknown) => {
        this.stop(error instanceof Error ? error : new Error(String(error))); // the others stop at a checkpoint
      }),
    );
    await Promise.all(workers);
    if (this.#stopped !== undefined) throw this.#stopped;
    return trials.flatMap((trial) => results.get(trial) ?? []);
  }

  /** Leaves all trials at a checkpoint; they, and those that wait, throw the reason. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#options.executor.stop(this.#stopped);
  }

  /** Lets go of the executor and of the signal. */
  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    await this.#options.executor.close();
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#options.signal?.reason;
    this.stop(reason instanceof Error ? reason : new Error(String(reason)));
  };

  /** Whether its run has all that is asked for. Whatever is taken as it is had better be of this configuration. */
  async #isDone({ config, until }: Trial, folder: string): Promise<boolean> {
    if (!isRun(folder) || this.#options.override === true) return false;
    const run = await openRun(folder);
    const differences = configDifference(run.config, config).map(
      ({ path, before, after }) => `${path} ${JSON.stringify(before)} there, ${JSON.stringify(after)} now`,
    );
    if (differences.length > 0) {
      throw new UserError(
        `${folder} holds a run of another configuration (${differences.join('; ')}). Remove it, or choose another folder`,
      );
    }
    return until === undefined ? run.isComplete() : (await run.metrics()).length >= until;
  }

  async #carryOut(trial: Kind, folder: string): Promise<void> {
    const { executor, onEvent = () => undefined, override = false, importance = true } = this.#options;
    const { config, until } = trial;
    onEvent({ kind: 'begun', trial });
    await whenUnlocked(folder);
    await executor.carryOut(
      { folder, config, override, importance, ...(until === undefined ? {} : { until }) },
      (event) => onEvent({ kind: 'training', trial, event }),
    );
  }
}

/** Milliseconds. */
const LONGEST_WAIT = 60_000;
const LOOK_AGAIN = 100;

/** A process whose parent was killed may live until it notices, and holds its lock as long. */
async function whenUnlocked(folder: string): Promise<void> {
  const end = performance.now() + LONGEST_WAIT;
  while (isLocked(folder)) {
    try {
      FolderLock.acquire(folder).release();
    } catch (error) {
      if (!(error instanceof UserError) || performance.now() > end) throw error;
      await setTimeout(LOOK_AGAIN);
    }
  }
}
