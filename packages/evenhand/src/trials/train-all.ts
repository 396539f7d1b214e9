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
  /** Trains elsewhere than in processes of this machine. It is closed in the end. */
  readonly executor?: Executor;
  /** Is told what happens. */
  readonly onEvent?: (event: TrialEvent<Kind>) => void;
  /** Is told what came of a trial, and waited for before another is begun in its place. */
  readonly onResult?: (result: TrialResult<Kind>) => Promise<void>;
  /** When aborted, what is being trained is left at a checkpoint, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
  /** Go on with runs although configuration or data are not theirs. @defaultValue false */
  readonly override?: boolean;
  /** Whether to measure, in every run, what each column of a table is worth. @defaultValue true */
  readonly importance?: boolean;
}

/**
 * Trains many runs, several at a time, each in a process of its own. Whoever ends this at any moment, in whatever way, may call
 * it again: what is finished is not repeated, what was begun goes on from its last checkpoint, to the bytes of an undisturbed run.
 *
 * @example
 * ```ts
 * const results = await trainAll(
 *   [0, 1, 2].map((seed) => ({ key: `seed-${seed}`, config: { data: { source: 'fraud.csv', target: 'class' }, seed } })),
 *   { folder: 'runs/seeds' },
 * );
 * results.map(({ status }) => status); // ['done', 'done', 'done']
 * ```
 * @returns what came of every trial, in their order; one that fails stops no other
 * @throws {@link UserError} if another process is at it, or a configuration cannot be used
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
