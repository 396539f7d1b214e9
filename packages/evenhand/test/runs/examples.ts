import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import type { Config } from '../../src/config/schema.js';
import type { Checkpoint } from '../../src/runs/checkpoint.js';
import type { RunClasses } from '../../src/runs/classes-file.js';
import { describeEnvironment } from '../../src/runs/environment.js';
import type { EpochGenerator } from '../../src/runs/generator-file.js';
import type { EpochMetrics } from '../../src/runs/metrics-file.js';
import type { RunSetting } from '../../src/runs/run-writer.js';

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'evenhand-runs-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A folder that is a file system of its own, unmounted after the test; the test is skipped where that needs more rights. */
export async function smallDisk(ctx: TestContext, size: string): Promise<string> {
  const path = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    ctx.skip(`a small file system cannot be mounted here: ${error instanceof Error ? error.message.trim() : error}`);
  }
  onTestFinished(() => void execFileSync('umount', [path]));
  return path;
}

/** What a run on a small table is made from. */
export function exampleSetting(
  options: { readonly config?: Partial<Config>; readonly hash?: string } = {},
): RunSetting {
  const config = parseConfig({
    data: { source: 'yeast.csv', target: 'class' },
    model: { name: 'mlp' },
    threads: 2,
    ...options.config,
  });
  const contentHash = options.hash ?? 'a'.repeat(64);
  const environment = describeEnvironment(config.threads, { name: 'yeast.csv', contentHash });
  return { config, environment, classes: EXAMPLE_CLASSES };
}

/** The classes of that run. */
export const EXAMPLE_CLASSES: RunClasses = {
  names: ['CYT', 'ERL'],
  counts: { training: [365, 3], validation: [5, 1], test: [93, 1] },
};

/** What an epoch may have measured. */
export function exampleMetrics(epoch: number): EpochMetrics {
  const validation = { softAccuracy: 0.5, accuracy: 0.75, softRecall: [0.75, 0.25] };
  return { epoch, loss: 1 / (epoch + 1), learningRate: 0.001, validation, generatorDiagonal: [1.25, 1.75] };
}

/** What an epoch may have been trained with. */
export function exampleGenerator(epoch: number): EpochGenerator {
  return {
    epoch,
    generator: [
      [1 + epoch, 0 - epoch],
      [0 - epoch, 1 + epoch],
    ],
    classWeights: [1, 1],
  };
}

/** A checkpoint whose every number is its version. */
export function exampleCheckpoint(version: number, size = 1000): Checkpoint {
  const tensor = (length: number) => ({ shape: [length], data: new Float32Array(length).fill(version) });
  return {
    state: new Map([
      ['weight', tensor(size)],
      ['bias', tensor(7)],
    ]),
    progress: {
      epoch: 3,
      step: 4,
      globalStep: version,
      metricsLines: 0,
      generatorLines: 0,
      configHash: 'c',
      datasetHash: 'd',
      method: { generator: [1, 0, 0, 1] },
      training: null,
    },
  };
}

/** The version of a checkpoint, made sure that all of it is of the same. */
export function versionOf({ state, progress }: Checkpoint): number {
  for (const [name, { data }] of state) {
    const other = data.findIndex((value) => value !== progress.globalStep);
    if (other !== -1) throw new Error(`${name}[${other}] is ${data[other]} in version ${progress.globalStep}`);
  }
  return progress.globalStep;
}
