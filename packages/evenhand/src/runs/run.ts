import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseConfig } from '../config/parse.js';
import type { Config } from '../config/schema.js';
import { readTextIfThere } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';
import { type CheckpointKind, type LoadedCheckpoint, loadCheckpoint } from './checkpoint.js';
import { type RunClasses, readClasses } from './classes-file.js';
import { type Environment, environmentSchema } from './environment.js';
import { readEvaluation, type TestEvaluation } from './evaluation-file.js';
import { type EpochGenerator, readGenerators } from './generator-file.js';
import { type ImportanceReport, readImportance } from './importance-file.js';
import { readJsonFile } from './json-file.js';
import { type EpochMetrics, readMetrics } from './metrics-file.js';
import { readPredictions, type TestPredictions } from './predictions-file.js';
import { RUN_FILES, removeCheckpoints } from './run-files.js';

/**
 * A run to look at. It may be in progress in another process: every part is read when it is asked for. What is missing or
 * damaged is a {@link UserError} that says what to do.
 */
export class Run {
  private constructor(
    readonly folder: string,
    readonly config: Config,
    readonly environment: Environment,
  ) {}

  /** See {@link openRun}. */
  static async open(folder: string): Promise<Run> {
    if (folder === '') throw new UserError('the name of a run is empty; expected a folder that training made');
    const config = await readTextIfThere(join(folder, RUN_FILES.config));
    if (config === undefined) throw await noRun(folder, RUN_FILES.config);
    const environment = await readJsonFile(join(folder, RUN_FILES.environment), environmentSchema, {
      damaged: 'Restore it, or start a new run',
    });
    if (environment === undefined) throw await noRun(folder, RUN_FILES.environment);
    return new Run(folder, parseConfig(config, join(folder, RUN_FILES.config)), environment);
  }

  /** The folder's name. */
  get name(): string {
    return basename(resolve(this.folder));
  }

  /** Where the trained model is, once the run is complete. */
  get modelFile(): string {
    return join(this.folder, RUN_FILES.model);
  }

  /** Where the predictions of the test set are, once the run is complete. */
  get predictionsFile(): string {
    return join(this.folder, RUN_FILES.predictions);
  }

  /** Names of the classes, and how many instances of each there are; known before training begins. */
  classes(): Promise<RunClasses> {
    return readClasses(this.folder);
  }

  /** What was measured after every epoch so far. */
  metrics(): Promise<EpochMetrics[]> {
    return readMetrics(this.folder);
  }

  /** The generator matrix of every epoch so far. */
  generators(): Promise<EpochGenerator[]> {
    return readGenerators(this.folder);
  }

  /** The newest or the best checkpoint; undefined if none was saved yet. */
  checkpoint(kind: CheckpointKind): Promise<LoadedCheckpoint | undefined> {
    return loadCheckpoint(this.folder, kind);
  }

  /** Whether training is over and the model was tested. */
  async isComplete(): Promise<boolean> {
    try {
      await this.evaluation();
      return true;
    } catch (error) {
      if (error instanceof UserError) return false;
      throw error;
    }
  }

  /** The content of `evaluation.json`: the model's answers to the test set, and their probabilities. */
  evaluation(): Promise<TestEvaluation> {
    return readEvaluation(this.folder);
  }

  /** The content of `importance.json`: what the model would lose without each column; undefined if there is none. */
  importance(): Promise<ImportanceReport | undefined> {
    return readImportance(this.folder);
  }

  /** Removes the checkpoints, the largest part of a run; only continuing its training would need them. */
  removeCheckpoints(): Promise<void> {
    return removeCheckpoints(this.folder);
  }

  /** What was predicted for every test instance. */
  async predictions(): Promise<TestPredictions> {
    const { report } = await this.evaluation();
    return readPredictions(
      this.folder,
      report.perClass.map(({ name }) => name),
    );
  }
}

/**
 * Opens a run folder for reading, whether its training is over or not.
 *
 * @example
 * ```ts
 * const run = await openRun('runs/fraud');
 * const { estimates } = await run.evaluation();
 * const curve = (await run.metrics()).map(({ validation }) => validation.softAccuracy);
 * ```
 * @throws {@link UserError} if the folder holds no run
 */
export function openRun(folder: string): Promise<Run> {
  return Run.open(folder);
}

/** What is known of every run that is complete. */
export interface CompleteRun {
  readonly folder: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly evaluation: TestEvaluation;
}

/** Opens a run that must be complete. */
export async function openCompleteRun(folder: string): Promise<CompleteRun> {
  const run = await openRun(folder);
  return { folder, config: run.config, environment: run.environment, evaluation: await run.evaluation() };
}

async function noRun(folder: string, missing: string): Promise<UserError> {
  const others = (await readdir(dirname(folder)).catch(() => [])).filter((name) => name !== basename(folder));
  const nearest = nearestName(basename(folder), others);
  const suggestion = nearest === undefined ? '' : `. Did you mean ${join(dirname(folder), nearest)}?`;
  return new UserError(
    `${folder} is not a run: there is no ${missing} in it; expected a folder that training made${suggestion}`,
  );
}
