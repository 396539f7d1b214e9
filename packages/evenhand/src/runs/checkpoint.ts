import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  readSafetensors,
  SafetensorsError,
  type SafetensorsFile,
  type State,
  type StateTensor,
  writeSafetensors,
} from '@evenhand/engine';
import { writeAtomically } from '../files/atomic-file.js';
import { writeError } from '../files/file-error.js';
import { readFileIfThere } from '../files/read-file.js';
import { UserError } from '../user-error.js';
import { divideMethod, isOfMethod, joinMethod, type MethodTensor } from './method-tensors.js';
import { CHECKPOINT_VERSION, formatProgress, type Progress, parseProgress } from './progress.js';
import { RUN_FILES } from './run-files.js';

/** `last`: the newest one, to continue from. `best`: the one of the best epoch. */
export type CheckpointKind = 'last' | 'best';

/** All that training continues from: what the engine's `state()` gave, and where training was. */
export interface Checkpoint {
  readonly state: State;
  readonly progress: Progress;
}

/** A checkpoint as found on the disk. */
export interface LoadedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Why it is not the newest one, if so. */
  readonly warning?: string;
}

/** Keys of a checkpoint file's metadata. */
const VERSION = 'evenhand-checkpoint';
const PROGRESS = 'progress';

/**
 * Saves a checkpoint as one file, so that it is there whole or not at all. The `last` one before it is kept as `previous`.
 *
 * @param run - the run's folder, locked by this process
 * @throws {@link UserError} if the disk is full or the folder cannot be written; the old checkpoint is still there
 */
export async function saveCheckpoint(run: string, kind: CheckpointKind, checkpoint: Checkpoint): Promise<void> {
  const { json: method, tensors } = divideMethod(checkpoint.progress.method);
  const metadata = new Map([
    [VERSION, String(CHECKPOINT_VERSION)],
    [PROGRESS, formatProgress({ ...checkpoint.progress, method })],
  ]);
  const bytes = writeSafetensors(
    new Map<string, StateTensor | MethodTensor>([...checkpoint.state, ...tensors]),
    metadata,
  );
  await writeAtomically(fileOf(run, kind), bytes, kind === 'last' ? { keepAs: fileOf(run, 'previous') } : {});
}

/**
 * Loads a checkpoint; undefined if there is none. If `last` is damaged or missing, it is the `previous` one, with a warning.
 *
 * @throws {@link UserError} if it is damaged and there is no other, or was written by a newer version
 */
export async function loadCheckpoint(run: string, kind: CheckpointKind): Promise<LoadedCheckpoint | undefined> {
  const file = fileOf(run, kind);
  const found = await read(file);
  if (isCheckpoint(found)) return { checkpoint: found };
  const previous = fileOf(run, 'previous');
  const fallback = kind === 'last' ? await read(previous) : undefined;
  if (found === undefined && fallback === undefined) return undefined;
  const fault = found?.damage ?? `${file} is missing`;
  if (!isCheckpoint(fallback)) {
    const both = fallback === undefined ? fault : `${fault}, and ${fallback.damage}`;
    throw new UserError(`${both}. There is no other checkpoint: restore a copy, or start a new run`);
  }
  const { epoch, step } = fallback.progress;
  return {
    checkpoint: fallback,
    warning: `${fault}. ${previous} is used instead, which is in epoch ${epoch} after ${step} steps`,
  };
}

/** Puts a damaged `last` checkpoint aside, so that the next one does not replace the whole `previous` by it. */
export async function setDamagedAside(run: string): Promise<void> {
  const last = fileOf(run, 'last');
  const found = await read(last);
  if (found === undefined || isCheckpoint(found)) return;
  const damaged = fileOf(run, 'damaged');
  try {
    await rm(damaged, { recursive: true, force: true });
    await rename(last, damaged);
  } catch (error) {
    throw writeError(damaged, error);
  }
}

function fileOf(run: string, name: CheckpointKind | 'previous' | 'damaged'): string {
  return join(run, RUN_FILES.checkpoints, `${name}.safetensors`);
}

/** Why a file cannot be gone on from. */
interface Damaged {
  readonly damage: string;
}

function isCheckpoint(found: Checkpoint | Damaged | undefined): found is Checkpoint {
  return found !== undefined && 'state' in found;
}

/** A file's checkpoint, what is damaged in it, or undefined if it is not there. */
async function read(path: string): Promise<Checkpoint | Damaged | undefined> {
  try {
    const bytes = await readFileIfThere(path);
    if (bytes === undefined) return undefined;
    return checkpointOf(readSafetensors(bytes, { source: path, requireChecksum: true }), path);
  } catch (error) {
    if (error instanceof NewerVersionError) throw error;
    if (error instanceof SafetensorsError || error instanceof UserError) return { damage: error.message };
    throw error;
  }
}

/** Not damaged: to go on from an older one instead would lose what the newer version did. */
class NewerVersionError extends UserError {}

function checkpointOf({ tensors, metadata }: SafetensorsFile, path: string): Checkpoint {
  const version = Number(metadata.get(VERSION));
  if (version > CHECKPOINT_VERSION) {
    throw new NewerVersionError(
      `${path} was written by a newer version of evenhand: it is a checkpoint of version ${version}, and this one reads ` +
        `up to ${CHECKPOINT_VERSION}. Update evenhand and try again`,
    );
  }
  const text = metadata.get(PROGRESS);
  if (!(version >= 1) || text === undefined) {
    throw new UserError(`${path} is not a checkpoint; expected a file that evenhand's training wrote`);
  }
  const state = new Map<string, StateTensor>();
  const ofMethod = new Map<string, MethodTensor>();
  for (const [name, { shape, data }] of tensors) {
    if (isOfMethod(name) && data instanceof Float64Array) ofMethod.set(name, { shape: [data.length], data });
    else if (data instanceof Float32Array) state.set(name, { shape, data });
    else throw new SafetensorsError(`${path}: the tensor "${name}" is not float32`);
  }
  const progress = parseProgress(text, path);
  return { state, progress: { ...progress, method: joinMethod({ json: progress.method, tensors: ofMethod }) } };
}
