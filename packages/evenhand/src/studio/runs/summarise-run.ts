import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lockHolder } from '../../files/folder-lock.js';
import type { TestEvaluation } from '../../runs/evaluation-file.js';
import type { EpochMetrics } from '../../runs/metrics-file.js';
import { openRun, type Run } from '../../runs/run.js';
import { RUN_FILES } from '../../runs/run-files.js';
import { groupKey } from '../../runs/run-groups.js';
import { UserError } from '../../user-error.js';
import type { EpochScore, RunMetrics, RunState, RunSummary } from '../interface.js';
import { optionValues } from './option-values.js';
import { readNotes } from './run-notes.js';

/** What a summary says beside what is in the folder. */
export interface RunPlace {
  readonly folder: string;
  /** As people see it. */
  readonly shown: string;
  readonly sweep: string | null;
  /** When its files changed last. */
  readonly changed: number;
}

/** What names a folder in addresses: nobody can make one up for a folder that is not listed. */
export function idOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}

/** Sums a run up. One that cannot be read is summed up as damaged. */
export async function summariseRun(place: RunPlace): Promise<RunSummary> {
  const { folder, shown, sweep, changed } = place;
  const own = {
    id: idOf(folder),
    name: basename(folder),
    folder: shown,
    sweep: sweep === null ? null : idOf(sweep),
    changed,
  };
  const notes = await readNotes(folder).catch(() => ({ tags: [], note: '' }));
  try {
    const run = await openRun(folder);
    const { config, environment } = run;
    const isFinished = existsSync(join(folder, RUN_FILES.evaluation));
    const evaluation = isFinished ? await run.evaluation() : null;
    const epochs = await run.metrics();
    return {
      ...own,
      ...notes,
      state: stateOf(folder, isFinished),
      problem: null,
      dataset: environment.dataset.name,
      method: config.method.name,
      model: config.model.name,
      seed: config.seed,
      split: config.data.splitSeed,
      epochs: await progressOf(run, epochs),
      ...curveEnds(epochs),
      metrics: evaluation === null ? null : metricsOf(evaluation),
      group: createHash('sha256').update(groupKey(config)).digest('hex').slice(0, 16),
      options: optionValues(config),
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...own, ...notes, ...UNKNOWN, problem: error.message, group: own.id };
  }
}

const UNKNOWN = {
  state: 'damaged',
  dataset: '',
  method: '',
  model: '',
  seed: null,
  split: null,
  epochs: { done: 0, planned: null },
  best: null,
  last: null,
  loss: null,
  metrics: null,
  options: {},
} as const;

function stateOf(folder: string, isFinished: boolean): RunState {
  if (isFinished) return 'finished';
  if (lockHolder(folder) !== undefined) return 'running';
  return existsSync(join(folder, RUN_FILES.divergence)) ? 'diverged' : 'stopped';
}

/** The members of a portfolio have epochs of their own, as many as each needs. */
async function progressOf({ folder, config }: Run, epochs: readonly EpochMetrics[]): Promise<RunSummary['epochs']> {
  if (config.portfolio === undefined) return { done: epochs.length, planned: config.epochs };
  const members = await Promise.all(
    (await memberFolders(folder)).map(async (member) => (await openRun(member)).metrics().catch(() => [])),
  );
  return { done: members.reduce((sum, { length }) => sum + length, 0), planned: null };
}

/** The folders of a portfolio's members that were begun. */
export async function memberFolders(folder: string): Promise<string[]> {
  const parent = join(folder, RUN_FILES.members);
  const names = await readdir(parent).catch((): string[] => []);
  return names
    .sort()
    .map((name) => join(parent, name))
    .filter((member) => existsSync(join(member, RUN_FILES.config)));
}

/** The best epoch on the validation set, the last one, and the last loss. */
function curveEnds(epochs: readonly EpochMetrics[]): Pick<RunSummary, 'best' | 'last' | 'loss'> {
  let best: EpochScore | null = null;
  let last: EpochScore | null = null;
  for (const { epoch, validation } of epochs) {
    if (validation === null) continue;
    last = { epoch: epoch + 1, softAccuracy: validation.softAccuracy };
    if (best === null || last.softAccuracy > best.softAccuracy) best = last;
  }
  return { best, last, loss: epochs.at(-1)?.loss ?? null };
}

function metricsOf({ estimates, report }: TestEvaluation): RunMetrics {
  return {
    balancedAccuracy: estimates.balancedAccuracy.value,
    minorityAccuracy: estimates.minorityAccuracy.value,
    accuracy: estimates.accuracy.value,
    macroF1: estimates.macroF1.value,
    gMean: estimates.gMean.value,
    logLoss: report.logLoss.value,
  };
}
