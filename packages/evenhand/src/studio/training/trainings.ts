import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import type { Config } from '../../config/schema.js';
import { lockHolder } from '../../files/folder-lock.js';
import { SWEEP_FILES } from '../../sweep/sweep-folder.js';
import { PLAN_FILE } from '../../trials/plan-file.js';
import { UserError } from '../../user-error.js';
import type { RunSummary, Training } from '../interface.js';
import { idOf } from '../runs/summarise-run.js';
import { complaint, startCommand } from './evenhand-command.js';

/** Exit codes of a command that was asked to stop. */
const STOPPED: readonly (number | null)[] = [130, 143];

interface Started {
  readonly training: Training;
  readonly child: ChildProcess;
  readonly over: Promise<void>;
}

/** What was started from the page. Every training is a command of its own, which can be resumed in a terminal too. */
export class Trainings {
  readonly #started = new Map<string, Started>();

  /** @param base - where commands run, so that the paths in configurations hold there too */
  constructor(
    private readonly base: string,
    private readonly runsFolder: string,
  ) {}

  /** All of them, the newest first. */
  list(): Training[] {
    return [...this.#started.values()].map(({ training }) => training).reverse();
  }

  /** Trains in a new folder, named after the data and the method. @returns the training as it begins */
  async start(given: object, config: Config): Promise<Training> {
    const folder = this.#newFolder(config);
    const temporary = await mkdtemp(join(tmpdir(), 'evenhand-studio-'));
    const file = join(temporary, 'config.json');
    await writeFile(file, JSON.stringify(given));
    return this.#run(['train', '--config', file, '--run', folder, '--quiet'], folder, () =>
      rm(temporary, { recursive: true, force: true }),
    );
  }

  /** Goes on with a run. */
  resume(folder: string): Training {
    return this.#run(['resume', folder, '--quiet'], folder, async () => undefined);
  }

  /** Asks all to save a checkpoint and end, and waits for that. */
  async close(): Promise<void> {
    for (const { training, child } of this.#started.values()) if (training.state === 'running') child.kill('SIGINT');
    await Promise.all([...this.#started.values()].map(({ over }) => over));
  }

  #run(words: readonly string[], folder: string, tidyUp: () => Promise<void>): Training {
    const { child, ended } = startCommand(words, this.base);
    const training: Training = {
      id: idOf(folder),
      folder: relative(this.base, folder),
      state: 'running',
      message: null,
    };
    const over = ended.then(
      async ({ code, stderr }) => {
        await tidyUp();
        const state = code === 0 ? 'finished' : STOPPED.includes(code) ? 'stopped' : 'failed';
        const message = state === 'failed' ? complaint(stderr) : null;
        this.#started.set(training.id, { training: { ...training, state, message }, child, over });
      },
      async (error: Error) => {
        await tidyUp();
        this.#started.set(training.id, {
          training: { ...training, state: 'failed', message: error.message },
          child,
          over,
        });
      },
    );
    this.#started.delete(training.id);
    this.#started.set(training.id, { training, child, over });
    return training;
  }

  #newFolder({ data, method }: Config): string {
    const source = data.source.replace(/\.gz$/i, '');
    const name = `${basename(source, extname(source)) || 'data'}-${method.name}`;
    for (let i = 1; ; i++) {
      const folder = join(this.runsFolder, i === 1 ? name : `${name}-${i}`);
      if (!existsSync(folder) && !this.#started.has(idOf(folder))) return folder;
    }
  }
}

/** Whether a run, or a sweep, is trained on this computer by a process that can be asked to stop. Trials of several belong to their command. */
export function canStop(folder: string): boolean {
  return lockHolder(folder)?.isHere === true && !isPartOfSeveral(folder);
}

/** Whether a run can go on. */
export function canResume(folder: string, { state }: RunSummary): boolean {
  return state === 'stopped' && !isPartOfSeveral(folder);
}

function isPartOfSeveral(folder: string): boolean {
  const parents = [dirname(folder), dirname(dirname(folder)), dirname(dirname(dirname(folder)))];
  return parents.some(
    (parent) => existsSync(join(parent, PLAN_FILE)) || existsSync(join(parent, SWEEP_FILES.definition)),
  );
}

/**
 * Asks the process that trains in a folder to save a checkpoint and end, as Ctrl-C does.
 *
 * @throws {@link UserError} if nobody trains there, or on another computer
 */
export function stop(folder: string): void {
  const holder = lockHolder(folder);
  if (holder === undefined) throw new UserError(`nobody trains in ${basename(folder)} any more`);
  if (!canStop(folder)) {
    throw new UserError(
      `${basename(folder)} is trained on another computer, or with others: stop it in its own terminal`,
    );
  }
  process.kill(holder.pid, 'SIGINT');
}
