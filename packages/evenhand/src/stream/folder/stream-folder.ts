import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadRuntime } from '@evenhand/engine/node';
import { removeTemporaryFiles, writeAtomically } from '../../files/atomic-file.js';
import { FolderLock } from '../../files/folder-lock.js';
import { makeFolder } from '../../files/make-folder.js';
import { readFileIfThere } from '../../files/read-file.js';
import { UserError } from '../../user-error.js';
import { type StreamEvent, StreamLearner } from '../learner/stream-learner.js';
import type { StreamOptionsInput } from '../options.js';
import type { StreamColumn } from '../rows/stream-column.js';
import { GrowingFile } from './growing-file.js';
import { STREAM_FILES, STREAM_TEXTS as TEXTS } from './stream-files.js';

/** Where a stream stands. */
interface Progress {
  /** Of the record that was taken last; undefined before the first. */
  position: string | undefined;
  /** Records that were taken, damaged ones with them. */
  records: number;
}

/** A stream in its folder: the learner, its log, and its answers where they go to a file. One process at a time has it. */
export class StreamFolder {
  readonly progress: Progress;
  /** What a person should be told. */
  readonly notes: readonly string[];

  private constructor(
    readonly folder: string,
    readonly learner: StreamLearner,
    readonly log: GrowingFile,
    readonly answers: GrowingFile | undefined,
    readonly isResumed: boolean,
    progress: Progress,
    lock: FolderLock,
  ) {
    this.progress = progress;
    this.notes = lock.note === undefined ? [] : [lock.note];
    this.#lock = lock;
  }

  readonly #lock: FolderLock;

  /**
   * Opens a folder: goes on with the stream that is in it, or begins one.
   *
   * @param out - the file for answers, if they go to one
   * @param begin - finds out how a new stream is learned from
   * @throws {@link UserError} if another process has it, or something in it cannot be used
   */
  static async open(
    folder: string,
    out: string | undefined,
    begin: () => Promise<{ readonly options: StreamOptionsInput; readonly columns: readonly StreamColumn[] }>,
  ): Promise<StreamFolder> {
    await makeFolder(folder);
    const lock = FolderLock.acquire(folder);
    try {
      await removeTemporaryFiles(folder);
      const bytes = await readFileIfThere(join(folder, STREAM_FILES.state));
      if (bytes === undefined && out !== undefined) await refuseContent(out);
      let log: GrowingFile | undefined;
      const setting = { runtime: await loadRuntime(), onEvent: (event: StreamEvent) => log?.add(event) };
      const { learner, texts } =
        bytes === undefined ? await created(await begin(), setting) : await StreamLearner.load(bytes, setting);
      const numberOf = (name: string) => Number(texts.get(name) ?? 0);
      log = await GrowingFile.open(join(folder, STREAM_FILES.log), numberOf(TEXTS.log));
      const answers = out === undefined ? undefined : await GrowingFile.open(out, numberOf(TEXTS.out));
      const progress = { position: texts.get(TEXTS.position), records: numberOf(TEXTS.records) };
      const opened = new StreamFolder(folder, learner, log, answers, bytes !== undefined, progress, lock);
      // From now on a file for answers is known to be ours.
      if (bytes === undefined) await opened.save();
      return opened;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Writes a checkpoint: learner, position, and how long the files are, so that what comes later can be cut off. */
  async save(): Promise<void> {
    await this.log.sync();
    await this.answers?.sync();
    const { position, records } = this.progress;
    const texts = new Map<string, string>([
      [TEXTS.records, String(records)],
      [TEXTS.log, String(this.log.length)],
      [TEXTS.out, String(this.answers?.length ?? 0)],
    ]);
    if (position !== undefined) texts.set(TEXTS.position, position);
    await writeAtomically(join(this.folder, STREAM_FILES.state), await this.learner.save(texts));
  }

  async close(): Promise<void> {
    try {
      await this.log.close();
      await this.answers?.close();
      await this.learner.close();
    } finally {
      this.#lock.release();
    }
  }
}

async function created(
  { options, columns }: { readonly options: StreamOptionsInput; readonly columns: readonly StreamColumn[] },
  setting: Parameters<typeof StreamLearner.create>[2],
): Promise<Awaited<ReturnType<typeof StreamLearner.load>>> {
  return { learner: await StreamLearner.create(options, columns, setting), texts: new Map() };
}

/** A new stream writes over nothing. */
async function refuseContent(out: string): Promise<void> {
  const there = await stat(out).catch(() => undefined);
  if (there === undefined || (there.isFile() && there.size === 0)) return;
  throw new UserError(
    `${out} is there already; a new stream writes its answers into a new file. Choose another name, or remove it`,
  );
}
