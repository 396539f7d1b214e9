import { parseConfig } from '../config/parse.js';
import type { Config, ConfigInput } from '../config/schema.js';
import { FolderLock } from '../files/folder-lock.js';
import { makeFolder } from '../files/make-folder.js';
import { UserError } from '../user-error.js';
import type { Executor } from './executor.js';
import { LocalProcesses } from './local-processes.js';
import type { Trial, TrialEvent, TrialResult } from './trial.js';
import { TrialRunner } from './trial-runner.js';

/** How many runs are trained. None of it changes what is trained. */
export interface TrainAllOptions<Kind extends Trial> {
  /** Holds the run folders, each at the path that its trial's key says. */
  readonly folder: string;
  /** Processes of this machine that train at once. @defaultValue as many as the machine runs at once */
  readonly processes?: number | undefined;
  /** Trains somewhere other than in processes of this machine. It is closed at the end. */
  readonly executor?: Executor;
  /** Called with every event. */
  readonly onEvent?: (event: TrialEvent<Kind>) => void;
  /** Called with the result of each trial, and awaited before another one starts in its place. */
  readonly onResult?: (result: TrialResult<Kind>) => Promise<void>;
  /** When aborted, what is being trained is left at a checkpoint, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
  /** Continue runs even if configuration or data differ from theirs. @defaultValue false */
  readonly override?: boolean;
  /** Whether to measure, in every run, what each column of a table is worth. @defaultValue true */
  readonly importance?: boolean;
}

/**
 * Trains many runs, several at a time, each in a process of its own. It may be stopped or killed at any moment and called again: finished runs are
 * not repeated, and unfinished ones continue from their last checkpoints, to the same bytes as undisturbed runs.
 *
 * @example
 * ```ts
 * const results = await trainAll(
 *   [0, 1, 2].map((seed) => ({ key: `seed-${seed}`, config: { data: { source: 'fraud.csv', target: 'class' }, seed } })),
 *   { folder: 'runs/seeds' },
 * );
 * results.map(({ status }) => status); // ['done', 'done', 'done']
 * ```
 * @returns the result of every trial, in their order; one that fails does not stop the others
 * @throws {@link UserError} if another process uses the folder, or a configuration cannot be used
 */
export async function trainAll<Given extends Omit<Trial, 'config'> & { readonly config: ConfigInput }>(
  trials: readonly Given[],
  options: TrainAllOptions<Given & { readonly config: Config }>,
): Promise<TrialResult<Given & { readonly config: Config }>[]> {
  const { folder, executor = new LocalProcesses(options.processes), onResult } = options;
  const complete = trials.map((trial) => ({ ...trial, config: parseConfig(trial.config, `the trial "${trial.key}"`) }));
  refuseRepeated(complete);
  options.signal?.throwIfAborted();
  await makeFolder(folder);
  const lock = FolderLock.acquire(folder);
  const runner = new TrialRunner({ ...options, executor });
  try {
    return await runner.runAll(complete, onResult);
  } finally {
    await runner.close();
    lock.release();
  }
}

function refuseRepeated(trials: readonly Trial[]): void {
  const keys = trials.map(({ key }) => key);
  const repeated = keys.find((key, i) => keys.indexOf(key) < i);
  if (repeated === undefined) return;
  throw new UserError(
    `two trials have the key "${repeated}"; expected another one for each, as it names the run folder`,
  );
}
