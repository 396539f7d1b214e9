import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { type ModelFile, readModelFile } from '../prediction/read-model-file.js';
import type { TableReading } from '../sources/table-reading.js';
import { Batches, type BatchReport } from './batches.js';
import { ModelThread } from './model-thread.js';
import { PlainRows } from './plain-rows.js';

/** How a model is put to work. */
export interface ServedModelOptions {
  /** Instances that may wait. */
  readonly queue: number;
  /** How CSV is read, as the run's own table was. */
  readonly reading?: TableReading;
  /** Threads of one computation. @defaultValue 1 for tables, all but one for images */
  readonly threads?: number | undefined;
  readonly onBatch?: (report: BatchReport) => void;
}

/** Instances that are computed at once. */
const BATCH = { table: 1024, images: 64 } as const;
/** Letters of a hash that tell one model from another. */
const HASH_LETTERS = 12;

/**
 * A model that answers: all that a request needs to know of it, in one object. A request keeps the one that it began with, so that
 * a server can put another in its place at any moment.
 */
export class ServedModel {
  /** The file's name. */
  readonly name: string;
  /** The beginning of the file's SHA-256. */
  readonly version: string;
  readonly classNames: readonly string[];
  readonly preprocessing: ModelFile['preprocessing'];
  readonly rule: ModelFile['rule'];
  readonly reading: TableReading;
  readonly plainRows: PlainRows;
  readonly batches: Batches;
  readonly #thread: ModelThread;
  /** Requests that began with this model and are not answered yet. */
  #requests = 0;
  #whenUnused: (() => void)[] = [];

  private constructor(file: ModelFile, thread: ModelThread, { queue, reading = {}, onBatch }: ServedModelOptions) {
    this.name = basename(file.source);
    this.version = createHash('sha256').update(file.bytes).digest('hex').slice(0, HASH_LETTERS);
    this.classNames = file.classNames;
    this.preprocessing = file.preprocessing;
    this.rule = file.rule;
    this.reading = reading;
    this.plainRows = new PlainRows(columnTypes(file.preprocessing));
    this.batches = new Batches(
      (instances) => thread.predict(instances),
      { batch: BATCH[file.preprocessing.kind], waiting: queue },
      onBatch,
    );
    this.#thread = thread;
  }

  /** @throws UserError if the file is no model of evenhand, or ONNX Runtime cannot use it */
  static async open(path: string, options: ServedModelOptions): Promise<ServedModel> {
    const file = await readModelFile(path);
    const { threads = file.preprocessing.kind === 'table' ? 1 : Math.max(1, availableParallelism() - 1) } = options;
    return new ServedModel(file, await ModelThread.start(file.bytes, threads), options);
  }

  /** When it cannot answer any more, with what is the matter; undefined after {@link close}. */
  get ended(): Promise<Error | undefined> {
    return this.#thread.ended;
  }

  /** Answers a request, whose body may still be on its way, and is not closed before. */
  async during<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#requests++;
    try {
      return await request();
    } finally {
      this.#requests--;
      if (this.#requests === 0) for (const resolve of this.#whenUnused.splice(0)) resolve();
    }
  }

  /** Answers what was asked for, then frees what it holds. */
  async close(): Promise<void> {
    if (this.#requests > 0) await new Promise<void>((resolve) => this.#whenUnused.push(resolve));
    await this.batches.idle();
    await this.#thread.close();
  }
}

/** The columns of a model of tables; none of one of images. */
export function columnTypes(preprocessing: ModelFile['preprocessing']) {
  return preprocessing.kind === 'table' ? preprocessing.columns.map(({ type }) => type) : [];
}
