import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import type { ConfigInput } from '../../src/index.js';
import { QueueExecutor, type QueueOptions } from '../../src/queue/queue-executor.js';
import type { TrainingEvent } from '../../src/training/events.js';
import { train } from '../../src/training/train.js';
import { trainAll } from '../../src/trials/train-all.js';
import type { TrialResult } from '../../src/trials/trial.js';
import { type RunningCommand, start } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';
import { resultsOf, tableConfig, writeTable } from '../training/problem.js';

// Workers are processes with a runtime of their own: on a busy machine they take their time.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** How long `expect.poll` waits for a worker. */
export const PATIENTLY = { timeout: 120_000, interval: 20 };

/** A machine of its own, as far as folders make one. */
export interface Machine {
  readonly folder: string;
  /** A worker of the queue at this address. */
  worker(url: string, args?: readonly string[], env?: Readonly<Record<string, string>>): RunningCommand;
}

/** Whether a worker gives up a trial soon, and sends checkpoints often. */
export const LIVELY = ['--lock', '3', '--upload-every', '1'];

/** Makes workers whose caches are in a folder of the test. */
export async function machine(): Promise<Machine> {
  const folder = await temporaryFolder();
  return {
    folder,
    worker: (url, args = LIVELY, env = {}) =>
      start(['worker', '--queue', url, ...args], {
        cwd: folder,
        env: { EVENHAND_DATA: join(folder, 'cache'), ...env },
      }),
  };
}

/** Trains by the queue in this process: one run for each seed. */
export async function coordinate(
  options: Pick<QueueOptions, 'url' | 'store' | 'mixed' | 'onNote'> & {
    readonly folder: string;
    readonly config: ConfigInput;
    readonly seeds?: readonly number[];
    /** Several runs with the same seed instead. */
    readonly keys?: readonly string[];
    /** Where the coordinator keeps data. */
    readonly data?: string;
    readonly onEvent?: (event: TrainingEvent) => void;
  },
): Promise<TrialResult[]> {
  const { folder, config, seeds = [0], keys, data, onEvent = () => undefined, ...queue } = options;
  vi.stubEnv('EVENHAND_DATA', data ?? (await temporaryFolder()));
  const executor = await QueueExecutor.open({ folder, ...queue });
  onTestFinished(() => executor.close());
  return trainAll(
    keys?.map((key) => ({ key, config: parseConfig(config) })) ??
      seeds.map((seed) => ({ key: `seed-${seed}`, config: parseConfig({ ...config, seed }) })),
    {
      folder,
      executor,
      onEvent: (event) => {
        if (event.kind === 'training') onEvent(event.event);
      },
    },
  );
}

/** A table and a configuration whose training takes a few seconds. */
export async function slowProblem(epochs = 100): Promise<{ readonly folder: string; readonly config: ConfigInput }> {
  const folder = await temporaryFolder();
  const source = await writeTable(folder, [240, 60, 30]);
  return { folder, config: tableConfig(source, { epochs, batchSize: 4 }) };
}

/** What a run without any queue comes to. */
export async function trainedHere(config: ConfigInput, folder: string): Promise<Map<string, string>> {
  await train(config, { folder });
  return resultsOf(folder);
}

/** Lines of a worker about its trials. */
export function trialLines(worker: RunningCommand): string[] {
  return worker.stderr.split('\n').filter((line) => /: (done|diverged|given back|failed)/.test(line));
}

/** How many blobs of runs there are in a shared folder. */
export async function blobsOfRuns(store: string): Promise<number> {
  const files = await readdir(join(store, 'runs'), { recursive: true }).catch(() => []);
  return files.filter((file) => /[0-9a-f]{64}$/.test(file) && !file.endsWith('.tmp')).length;
}
