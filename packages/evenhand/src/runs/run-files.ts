import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../files/atomic-file.js';
import { FolderLock } from '../files/folder-lock.js';

/** Names of the files in a run folder. A run exists when its configuration does: that is written last of what it begins with. */
export const RUN_FILES = {
  config: 'config.json',
  environment: 'environment.json',
  classes: 'classes.json',
  metrics: 'metrics.jsonl',
  generators: 'generator.jsonl',
  checkpoints: 'checkpoints',
  /** Of a portfolio: a run for each of its networks. */
  members: 'members',
  /** A run inside of another: its networks, trained again on all rows. */
  refit: 'refit',
  model: 'model.onnx',
  predictions: 'predictions.csv',
  /** Where training left the finite numbers; gone as soon as it goes on. */
  divergence: 'divergence.json',
  importance: 'importance.json',
  evaluation: 'evaluation.json',
  report: 'report.html',
  modelCard: 'model-card.md',
} as const;

/** Whether a run was begun in this folder, if only for a moment. */
export function isRun(folder: string): boolean {
  return existsSync(join(folder, RUN_FILES.config));
}

/** Removes the largest part of a run, which only going on with its training would need. */
export async function removeCheckpoints(folder: string): Promise<void> {
  for (const run of [folder, join(folder, RUN_FILES.refit)])
    await rm(join(run, RUN_FILES.checkpoints), { recursive: true, force: true });
}

/**
 * Writes what people read about a run.
 *
 * @returns the page's path
 * @throws {@link UserError} if another process writes into the folder
 */
export async function writeReportFiles(
  folder: string,
  { report, modelCard }: { readonly report: string; readonly modelCard: string },
): Promise<string> {
  const path = join(folder, RUN_FILES.report);
  // Training that goes on here would take unfinished files for those of a killed process.
  const lock = FolderLock.acquire(folder);
  try {
    await writeAtomically(join(folder, RUN_FILES.modelCard), modelCard);
    await writeAtomically(path, report);
  } finally {
    lock.release();
  }
  return path;
}
