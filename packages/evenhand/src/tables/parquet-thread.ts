import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { errorCode } from '../files/file-error.js';
import { UserError } from '../user-error.js';
import type { ChosenColumn, RawColumn } from './raw-table.js';

/** What a thread reads: a file that stays open as long as the thread is there. */
export interface ParquetFile {
  readonly descriptor: number;
  readonly size: number;
}

/** What a thread says: first the header, then each column that it is asked for. */
export type ParquetAnswer =
  | { readonly kind: 'header'; readonly header: readonly string[]; readonly rows: number }
  | { readonly kind: 'column'; readonly column: RawColumn | null }
  | { readonly kind: 'damaged'; readonly reason: string };

/** What one answer may take. The time is that of a processor: on a busy machine nothing is refused for waiting. */
export interface ParquetLimits {
  readonly seconds: number;
  readonly megabytes: number;
}

const MEGABYTE = 2 ** 20;

/** Far more than any file of this size needs that is whole. */
export function parquetLimits(size: number): ParquetLimits {
  return { seconds: 5 + size / MEGABYTE, megabytes: 512 + Math.ceil((64 * size) / MEGABYTE) };
}

/** How often the limits are looked at. */
const MILLISECONDS = 50;
/** Of a cell in the table that is made: a number, and a copy of it. */
const CELL_BYTES = 16;

/** The built one, also where this runs from the sources, as in tests. */
const WORKER = new URL('../../dist/tables/parquet-worker.js', import.meta.url);

/**
 * A Parquet file in a thread of its own, which is ended when it takes more time or memory than a whole file ever would: the
 * reader trusts what it reads, and damaged files have it turn in circles.
 */
export class ParquetThread {
  readonly #file: string;
  readonly #limits: ParquetLimits;
  readonly #worker: Worker;
  readonly #ended = new AbortController();
  readonly #signals: readonly AbortSignal[];

  /**
   * @param file - what messages call it
   * @param signal - gives up waiting, with its reason
   */
  constructor(file: string, source: ParquetFile, limits: ParquetLimits, signal: AbortSignal | undefined) {
    this.#file = file;
    this.#limits = limits;
    this.#worker = new Worker(WORKER, {
      workerData: source,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    });
    this.#worker.on('error', () => undefined); // whoever waits is told
    this.#worker.on('exit', (code) =>
      this.#ended.abort(new Error(`internal: the thread of a Parquet file ended with code ${code}`)),
    );
    this.#signals = signal === undefined ? [this.#ended.signal] : [this.#ended.signal, signal];
  }

  async header(): Promise<{ readonly header: readonly string[]; readonly rows: number }> {
    const answer = await this.#answer(0);
    if (answer.kind === 'header') return answer;
    throw new Error(`internal: the thread of a Parquet file answers with a ${answer.kind}`);
  }

  /**
   * Reads one column; null if there are values that no column can hold.
   *
   * @param rows - that it has, as the header says
   */
  async column(chosen: ChosenColumn, rows: number): Promise<RawColumn | null> {
    this.#worker.postMessage(chosen);
    const answer = await this.#answer(rows);
    if (answer.kind === 'column') return answer.column;
    throw new Error(`internal: the thread of a Parquet file answers with a ${answer.kind}`);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #answer(rows: number): Promise<Exclude<ParquetAnswer, { readonly kind: 'damaged' }>> {
    const limit = new AbortController();
    const excess = this.#excess(rows);
    const watch = setInterval(() => {
      const reason = excess();
      if (reason !== undefined) limit.abort(this.#damaged(reason));
    }, MILLISECONDS);
    const signal = AbortSignal.any([limit.signal, ...this.#signals]);
    try {
      const [answer]: ParquetAnswer[] = await once(this.#worker, 'message', { signal });
      if (answer === undefined) throw new Error('internal: the thread of a Parquet file says nothing');
      if (answer.kind === 'damaged') throw this.#damaged(answer.reason);
      return answer;
    } catch (error) {
      if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') throw this.#damaged(this.#tooMuchMemory);
      if (signal.aborted) throw signal.reason;
      // The decompressors take gigabytes of address space, which not every process may have.
      if (error instanceof RangeError) {
        throw new UserError(
          `${this.#file} cannot be read: what unpacks Parquet files cannot be loaded (${error.message}). ` +
            'Perhaps a limit of memory (ulimit -v) is too low',
          { cause: error },
        );
      }
      throw error;
    } finally {
      clearInterval(watch);
    }
  }

  /** From now on, which limit is exceeded. */
  #excess(rows: number): () => string | undefined {
    const { seconds, megabytes } = this.#limits;
    const [begun, before] = [process.cpuUsage(), performance.now()];
    const most = process.memoryUsage.rss() + megabytes * MEGABYTE + rows * CELL_BYTES;
    return () => {
      const { user, system } = process.cpuUsage(begun);
      // Other threads may be at work, too: then the clock is the better measure.
      if (Math.min((user + system) / 1e6, (performance.now() - before) / 1e3) > seconds) {
        return `reading it came to no end within ${Math.round(seconds)} seconds`;
      }
      return process.memoryUsage.rss() > most ? this.#tooMuchMemory : undefined;
    };
  }

  get #tooMuchMemory(): string {
    return `reading it takes more than ${this.#limits.megabytes} MB of memory`;
  }

  #damaged(reason: string): UserError {
    return new UserError(
      `${this.#file} starts like a Parquet file, but cannot be read as one (${reason}). Is it complete?`,
    );
  }
}
