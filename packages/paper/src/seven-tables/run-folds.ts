import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from 'evenhand';
import { appendJsonLine } from 'evenhand/files';
import { withLockedLines } from '../results/locked-lines.js';
import { type FoldJob, type Variant, variantHash } from './fold-job.js';
import { type FoldKey, FoldResults, foldResult, readFoldResults, textOfKey } from './fold-results.js';

const PROCESS = fileURLToPath(new URL('./fold-process.js', import.meta.url));

/** How folds are learned. */
export interface RunFoldsOptions {
  readonly tablesFolder: string;
  /** Processes at once, each with one thread. */
  readonly processes: number;
  readonly signal: AbortSignal;
  /** Is told how far it is. */
  readonly onProgress: (text: string) => void;
}

/**
 * Learns the folds that a file has no line of, each in a process of its own, and appends a line for each.
 *
 * @param variants - configurations of our learner, by their names
 * @throws {@link UserError} in the end if some could not be learned
 */
export function runFolds(
  file: string,
  variants: ReadonlyMap<string, Variant>,
  keys: readonly FoldKey[],
  options: RunFoldsOptions,
): Promise<void> {
  return withLockedLines(file, async () => {
    const lines = await readFoldResults(file);
    const missing = [...variants].flatMap(([learner, variant]) => {
      const configuration = variantHash(variant);
      const known = new FoldResults(lines.filter((line) => line.configuration === configuration));
      const own = keys.filter((key) => known.of(learner, [key]).length === 0);
      return own.map((key) => ({ learner, variant, configuration, key }));
    });
    const { signal, tablesFolder, onProgress } = options;
    onProgress(`${file}: ${missing.length} of ${variants.size * keys.length} folds are missing`);
    const waiting = missing.entries(); // of which everybody takes the next one
    let failed = 0;
    const workThrough = async () => {
      for (const [i, { learner, variant, configuration, key }] of waiting) {
        signal.throwIfAborted();
        const progress = `${i + 1} of ${missing.length}: ${learner}, ${textOfKey(key)}`;
        try {
          const learned = await inProcess({ ...key, tablesFolder, variant }, signal);
          const line = foldResult({ learner, ...key, configuration, ...learned });
          await appendJsonLine(file, line);
          onProgress(`${progress}: balanced accuracy ${(100 * line.balancedAccuracy).toFixed(1)}`);
        } catch (error) {
          signal.throwIfAborted();
          failed++;
          onProgress(`${progress} has no result: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: options.processes }, workThrough));
    if (failed === 0) return;
    throw new UserError(
      `${failed} of ${missing.length} folds have no result, see above; the same command tries them again`,
    );
  });
}

async function inProcess(job: Omit<FoldJob, 'folder'>, signal: AbortSignal): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-fold-'));
  try {
    const told = JSON.stringify({ ...job, folder: join(folder, 'run') });
    const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, told], { signal });
    const learned: object = JSON.parse(stdout);
    return learned;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
