import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, cpus, platform, release } from 'node:os';
import { z } from 'zod';
import { packageVersion } from '../package-version.js';

/** Checks an `environment.json`. Later versions may say more. */
export const environmentSchema = z.looseObject({
  evenhand: z.string(),
  onnxRuntime: z.string(),
  node: z.string(),
  /** Name, release and architecture. */
  system: z.string(),
  processor: z.string(),
  threads: z.int(),
  /** The commit of the folder that training was started in; null outside of git. */
  gitCommit: z.string().nullable(),
  dataset: z.object({ name: z.string(), hash: z.string() }),
});

/** What a run was made with, beside its configuration. The same surroundings give the same values: there is no time in it. */
export type Environment = z.output<typeof environmentSchema>;

/** Describes this machine and process, and the data. */
export function describeEnvironment(
  threads: number,
  dataset: { readonly name: string; readonly contentHash: string },
): Environment {
  return {
    evenhand: packageVersion(new URL('../../package.json', import.meta.url)),
    onnxRuntime: packageVersion(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')),
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    threads,
    gitCommit: gitCommit(),
    dataset: { name: dataset.name, hash: dataset.contentHash },
  };
}

/** The commit of the current folder; null outside of git. */
export function gitCommit(): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
