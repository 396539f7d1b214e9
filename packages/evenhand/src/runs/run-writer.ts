import { existsSync } from 'node:fs';
import { access, constants, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { State } from '@evenhand/engine';
import { configHash } from '../config/difference.js';
import type { Config } from '../config/schema.js';
import { isTemporary, removeTemporaryFiles, writeAtomically } from '../files/atomic-file.js';
import { errorCode, writeError } from '../files/file-error.js';
import { FolderLock, isOfLock } from '../files/folder-lock.js';
import { appendJsonLine, keepJsonLines } from '../files/json-lines.js';
import { makeFolder } from '../files/make-folder.js';
import { UserError } from '../user-error.js';
import {
  type Checkpoint,
  type CheckpointKind,
  type LoadedCheckpoint,
  loadCheckpoint,
  saveCheckpoint,
  setDamagedAside,
} from './checkpoint.js';
import { type RunClasses, writeClasses } from './classes-file.js';
import { checkUnchanged } from './continuation.js';
import type { Environment } from './environment.js';
import { formatEvaluation, type TestEvaluation } from './evaluation-file.js';
import type { EpochGenerator } from './generator-file.js';
import { formatImportance, type ImportanceReport } from './importance-file.js';
import type { EpochMetrics } from './metrics-file.js';
import type { Progress } from './progress.js';
import { openRun, type Run } from './run.js';
import { RUN_FILES } from './run-files.js';

/** What training says of where it is; the run folder knows the rest of the progress. */
export type TrainingProgress = Pick<Progress, 'epoch' | 'step' | 'globalStep' | 'method' | 'training'>;

/** What a run is made from. */
export interface RunSetting {
  readonly config: Config;
  readonly environment: Environment;
  readonly classes: RunClasses;
}

/** What a run leaves behind when its training is over. */
export interface RunOutcome {
  readonly model: Uint8Array;
  /** The text of `predictions.csv`. */
  readonly predictions: string;
  /** What each column is worth, where it was measured. */
  readonly importance?: ImportanceReport;
  readonly evaluation: TestEvaluation;
}

/** A run that goes on after a pause. */
export interface ResumedRun {
  readonly run: RunWriter;
  /** Undefined if the run ended before its first checkpoint: it begins anew. */
  readonly checkpoint: Checkpoint | undefined;
  /** What a person should be told: a lock taken over, a damaged checkpoint. */
  readonly notes: readonly string[];
}

/** A run folder that this process, and no other, writes into. */
export class RunWriter {
  readonly #lock: FolderLock;
  readonly #setting: RunSetting;
  /** What an override goes on from, as long as the run still is what it was before. */
  #overridden: { readonly checkpoint: Checkpoint | undefined } | undefined;
  #metricsLines = 0;
  #generatorLines = 0;

  private constructor(
    readonly path: string,
    setting: RunSetting,
    lock: FolderLock,
  ) {
    this.#setting = setting;
    this.#lock = lock;
  }

  /**
   * Makes a run folder and locks it.
   *
   * @throws {@link UserError} if it cannot be written or has something in it; it is then as it was
   */
  static async create(path: string, setting: RunSetting): Promise<RunWriter> {
    await checkUnused(path);
    const removeMade = await makeFolder(path);
    try {
      const lock = FolderLock.acquire(path);
      try {
        await checkUnused(path); // now that nobody else can begin a run here
        await begin(path, setting);
        return new RunWriter(path, setting, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    } catch (error) {
      await removeMade(); // not if another process was faster
      throw error;
    }
  }

  /**
   * Locks a run folder and brings it back to its last checkpoint: unfinished files are removed, lines that were written
   * after the checkpoint are cut off.
   *
   * @param setting - what training goes on with
   * @param override - go on although configuration or data are not those of the run; they are the run's from the next
   * checkpoint on
   * @throws {@link UserError} if the folder is in use, is not writable, has no checkpoint that is whole, or differs
   */
  static async resume(path: string, setting: RunSetting, { override = false } = {}): Promise<ResumedRun> {
    await openRun(path); // no lock where no run is
    const lock = FolderLock.acquire(path);
    try {
      const begun = await openRun(path); // as it is now that nobody else changes it
      await checkWritable(path);
      const loaded = await loadCheckpoint(path, 'last');
      const progress = loaded?.checkpoint.progress;
      if (!override) checkUnchanged(path, { ...savedIn(begun), ...progress }, currentOf(setting));
      if (loaded?.warning !== undefined) await setDamagedAside(path);
      const lost = loaded === undefined ? await noteOfLoss(begun) : undefined;
      const run = new RunWriter(path, setting, lock);
      if (override) run.#overridden = { checkpoint: loaded?.checkpoint };
      await run.#rewind(progress);
      const notes = [lock.note, loaded?.warning ?? lost].filter((note) => note !== undefined);
      return { run, checkpoint: loaded?.checkpoint, notes };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Adds an epoch to `metrics.jsonl`. */
  async appendMetrics(metrics: EpochMetrics): Promise<void> {
    await appendJsonLine(join(this.path, RUN_FILES.metrics), metrics);
    this.#metricsLines++;
  }

  /** Adds a generator matrix to `generator.jsonl`. */
  async appendGenerator(generator: EpochGenerator): Promise<void> {
    await appendJsonLine(join(this.path, RUN_FILES.generators), generator);
    this.#generatorLines++;
  }

  /** Saves a checkpoint, see {@link saveCheckpoint}; what was appended before belongs to it. */
  async saveCheckpoint(kind: CheckpointKind, state: State, progress: TrainingProgress): Promise<void> {
    await this.#takeOver();
    const { config, environment } = this.#setting;
    await saveCheckpoint(this.path, kind, {
      state,
      progress: {
        ...progress,
        metricsLines: this.#metricsLines,
        generatorLines: this.#generatorLines,
        configHash: configHash(config),
        datasetHash: environment.dataset.hash,
      },
    });
  }

  /** A checkpoint of this run; undefined if there is none. */
  checkpoint(kind: CheckpointKind): Promise<LoadedCheckpoint | undefined> {
    return loadCheckpoint(this.path, kind);
  }

  /** Writes what training came to. A run with an evaluation is complete, so that is written last. */
  async complete({ model, predictions, importance, evaluation }: RunOutcome): Promise<void> {
    // Where an override left nothing to train, the run has yet to become what it was overridden with.
    const checkpoint = this.#overridden?.checkpoint;
    if (checkpoint !== undefined) await this.saveCheckpoint('last', checkpoint.state, checkpoint.progress);
    await this.#takeOver(); // a portfolio has no checkpoint of its own
    await writeAtomically(join(this.path, RUN_FILES.model), model);
    await writeAtomically(join(this.path, RUN_FILES.predictions), predictions);
    // What was measured of an earlier model does not hold for this one.
    if (importance === undefined) await rm(join(this.path, RUN_FILES.importance), { force: true });
    else await writeAtomically(join(this.path, RUN_FILES.importance), formatImportance(importance));
    await writeAtomically(join(this.path, RUN_FILES.evaluation), formatEvaluation(evaluation));
  }

  /** Writes down where training left the finite numbers, for whoever looks at the run later. */
  async recordDivergence(divergence: object): Promise<void> {
    await writeAtomically(join(this.path, RUN_FILES.divergence), `${JSON.stringify(divergence, null, 2)}\n`);
  }

  /** Lets other processes write into the folder. */
  release(): void {
    this.#lock.release();
  }

  /** Takes back what {@link RunWriter.create} has made, if nothing was trained in it. */
  async withdraw(): Promise<void> {
    if (existsSync(join(this.path, RUN_FILES.members))) return;
    await removeBeginnings(this.path);
    await rm(join(this.path, RUN_FILES.checkpoints), { recursive: true, force: true });
    this.#lock.release();
    await rmdir(this.path).catch(() => undefined); // not empty: something of somebody else's is in it
  }

  /** From now on the run is what it was overridden with: what came of it before does not count any more. */
  async #takeOver(): Promise<void> {
    if (this.#overridden === undefined) return;
    await rm(join(this.path, RUN_FILES.evaluation), { force: true });
    await writeSetting(this.path, this.#setting);
    this.#overridden = undefined;
  }

  async #rewind({ metricsLines, generatorLines }: Pick<Progress, 'metricsLines' | 'generatorLines'> = NOTHING) {
    await removeTemporaryFiles(this.path);
    await removeTemporaryFiles(join(this.path, RUN_FILES.checkpoints));
    await rm(join(this.path, RUN_FILES.divergence), { force: true });
    await keepJsonLines(join(this.path, RUN_FILES.metrics), metricsLines);
    await keepJsonLines(join(this.path, RUN_FILES.generators), generatorLines);
    [this.#metricsLines, this.#generatorLines] = [metricsLines, generatorLines];
  }
}

const NOTHING = { metricsLines: 0, generatorLines: 0 };

/** Files that a run has before it has a configuration, beside its lock; alone they are what a killed process left. */
const BEGINNINGS: readonly string[] = [RUN_FILES.environment, RUN_FILES.classes];

async function checkUnused(path: string): Promise<void> {
  const names: string[] = await readdir(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw writeError(path, error);
  });
  if (names.includes(RUN_FILES.config)) {
    throw new UserError(`${path} already holds a run; resume it, or choose another folder`);
  }
  const other = names.find((name) => !BEGINNINGS.includes(name) && !isOfLock(name) && !isTemporary(name));
  if (other !== undefined) {
    throw new UserError(`${path} is not empty: "${other}" is in it; expected a new or empty folder for the run`);
  }
}

/** Writes what a run begins with, or nothing. */
async function begin(path: string, setting: RunSetting): Promise<void> {
  await removeTemporaryFiles(path);
  try {
    await writeSetting(path, setting);
    await makeFolder(join(path, RUN_FILES.checkpoints));
  } catch (error) {
    await removeBeginnings(path);
    throw error;
  }
}

async function removeBeginnings(path: string): Promise<void> {
  for (const name of [RUN_FILES.config, RUN_FILES.environment, RUN_FILES.classes])
    await rm(join(path, name), { force: true });
}

async function writeSetting(path: string, { config, environment, classes }: RunSetting): Promise<void> {
  await writeAtomically(join(path, RUN_FILES.environment), `${JSON.stringify(environment, null, 2)}\n`);
  await writeClasses(path, classes);
  await writeAtomically(join(path, RUN_FILES.config), `${JSON.stringify(config, null, 2)}\n`);
}

/** What to say of a run that has no checkpoint any more. */
async function noteOfLoss(run: Run): Promise<string | undefined> {
  const metrics = await stat(join(run.folder, RUN_FILES.metrics)).catch(() => undefined);
  if (metrics === undefined || metrics.size === 0) return undefined;
  const checkpoints = join(run.folder, RUN_FILES.checkpoints);
  return `There is no checkpoint in ${checkpoints} any more, although epochs were trained: training begins anew.`;
}

async function checkWritable(path: string): Promise<void> {
  await makeFolder(join(path, RUN_FILES.checkpoints));
  for (const name of [RUN_FILES.checkpoints, RUN_FILES.metrics, RUN_FILES.generators]) {
    await access(join(path, name), constants.W_OK).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw writeError(join(path, name), error);
    });
  }
}

function savedIn({ config, environment }: Run) {
  return { config, configHash: configHash(config), datasetHash: environment.dataset.hash };
}

function currentOf({ config, environment }: RunSetting) {
  return { config, datasetHash: environment.dataset.hash };
}
