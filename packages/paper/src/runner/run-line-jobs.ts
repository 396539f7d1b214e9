import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeVersion, UserError } from 'evenhand';
import { appendJsonLine } from 'evenhand/files';

/** A training run that becomes one line of a file of results. */
export interface LineJob {
  /** What progress calls it. */
  readonly title: string;
  /** What its process is told, beside the folder of the run. Plain data. */
  readonly order: object;
  /** Makes the line of what the process answered, and says in a few words what came of it. */
  readonly finish: (answer: object) => { readonly line: object; readonly outcome: string };
}

/** How jobs are done. */
export interface RunLineJobsOptions {
  /** Processes at once, each with one thread. */
  readonly processes: number;
  readonly signal: AbortSignal;
  /** Is told how far it is. */
  readonly onProgress: (text: string) => void;
}

/** An order with the folder that its run is to be in, which is not there yet. */
export type WithRunFolder<Order> = Order & { readonly folder: string };

/**
 * Does jobs in their order, each in a process of its own that {@link answerOrder} serves, and appends a line for each, with the
 * code that computed it. Run folders are temporary: only the lines stay.
 *
 * @param file - locked by the caller
 * @param program - the module that a process runs
 * @param what - what the jobs are, for messages: `folds`
 * @throws {@link UserError} in the end if some could not be done
 */
export async function runLineJobs(
  file: string,
  jobs: readonly LineJob[],
  { program, what }: { readonly program: string; readonly what: string },
  { processes, signal, onProgress }: RunLineJobsOptions,
): Promise<void> {
  if (jobs.length === 0) return;
  const code = await codeVersion();
  const waiting = jobs.entries(); // of which everybody takes the next one
  let failed = 0;
  const workThrough = async () => {
    for (const [i, { title, order, finish }] of waiting) {
      signal.throwIfAborted();
      const progress = `${i + 1} of ${jobs.length}: ${title}`;
      try {
        const { line, outcome } = finish(await inProcess(program, order, signal));
        await appendJsonLine(file, { ...line, code });
        onProgress(`${progress}: ${outcome}`);
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        onProgress(`${progress} has no result: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: processes }, workThrough));
  if (failed === 0) return;
  throw new UserError(
    `${failed} of ${jobs.length} ${what} have no result, see above; the same command tries them again`,
  );
}

async function inProcess(program: string, order: object, signal: AbortSignal): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-run-'));
  try {
    const told: WithRunFolder<object> = { ...order, folder: join(folder, 'run') };
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(told)], { signal });
    const answer: object = JSON.parse(stdout);
    return answer;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
