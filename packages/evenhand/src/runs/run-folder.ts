import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseConfig } from '../config/parse.js';
import type { Config } from '../config/schema.js';
import { errorCode } from '../files/file-error.js';
import { readJsonLines } from '../files/json-lines.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';
import { type CheckpointKind, type LoadedCheckpoint, loadCheckpoint } from './checkpoint.js';
import { type Environment, environmentSchema } from './environment.js';

/** Names of the files in a run folder. A run exists when its configuration does: that is written last. */
export const RUN_FILES = {
  config: 'config.json',
  environment: 'environment.json',
  metrics: 'metrics.jsonl',
  generators: 'generator.jsonl',
  model: 'model.onnx',
  evaluation: 'evaluation.json',
  predictions: 'predictions.csv',
} as const;

/** A run to look at. It may be in progress in another process. */
export class RunFolder {
  private constructor(
    readonly path: string,
    readonly config: Config,
    readonly environment: Environment,
  ) {}

  /**
   * Opens a run folder for reading.
   *
   * @throws {@link UserError} if it is none
   */
  static async open(path: string): Promise<RunFolder> {
    const config = await readRunFile(path, RUN_FILES.config);
    const environment = await readRunFile(path, RUN_FILES.environment);
    return new RunFolder(
      path,
      parseConfig(config, join(path, RUN_FILES.config)),
      parseEnvironment(environment, join(path, RUN_FILES.environment)),
    );
  }

  /** What training measured, one value an epoch. */
  metrics(): Promise<unknown[]> {
    return readJsonLines(join(this.path, RUN_FILES.metrics));
  }

  /** The generator matrix over time. */
  generators(): Promise<unknown[]> {
    return readJsonLines(join(this.path, RUN_FILES.generators));
  }

  /** The newest or the best checkpoint; undefined if none was saved yet. */
  checkpoint(kind: CheckpointKind): Promise<LoadedCheckpoint | undefined> {
    return loadCheckpoint(this.path, kind);
  }
}

async function readRunFile(path: string, name: string): Promise<string> {
  try {
    return await readFile(join(path, name), 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new UserError(
      `${path} is not a run: there is no ${name} in it; expected a folder that training made${await suggestion(path)}`,
    );
  }
}

async function suggestion(path: string): Promise<string> {
  const others = (await readdir(dirname(path)).catch(() => [])).filter((name) => name !== basename(path));
  const nearest = nearestName(basename(path), others);
  return nearest === undefined ? '' : `. Did you mean ${join(dirname(path), nearest)}?`;
}

function parseEnvironment(text: string, file: string): Environment {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UserError(`${file} is not JSON; the file is damaged. Restore it, or start a new run`);
  }
  const result = environmentSchema.safeParse(json, { error: describeIssue });
  if (result.success) return result.data;
  throw new UserError(`${file}: ${faultsOf(result.error, json).join('; ')}`);
}
