import type { WriteOutput } from '../../files/output-file.js';
import { UserError } from '../../user-error.js';
import { errorMessage } from '../../wording/error-message.js';
import { counted } from '../../wording/numbers.js';
import type { StreamLearner, StreamOutcome } from '../learner/stream-learner.js';
import type { StreamMetrics } from '../learner/stream-metrics.js';
import { parseStreamOptions, type StreamOptionsInput } from '../options.js';
import { type ColumnRoles, columnsOfStream, type StreamRow } from '../rows/stream-column.js';
import type { SourceRecord, StreamSource } from '../sources/stream-source.js';
import { ModelExport } from './model-export.js';
import { StreamFolder } from './stream-folder.js';

/** How a stream is followed. */
export interface FollowOptions {
  readonly folder: string;
  readonly source: StreamSource;
  /** What was asked for; a stream that goes on must have been begun with the same. */
  readonly options: StreamOptionsInput;
  readonly roles: Pick<ColumnRoles, 'ignore' | 'kinds'>;
  /** Rows that columns are told from. */
  readonly sample: number;
  /** Records between two checkpoints, and between two lines of metrics. */
  readonly checkpointEvery: number;
  readonly logEvery: number;
  /** A file for answers. */
  readonly out?: string;
  /** Takes answers that go elsewhere; what it returns is waited for. */
  readonly onAnswers?: (lines: string) => Promise<void>;
  /** Where the model goes, at the end and as often as this says. */
  readonly model?: ModelOutput;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  /** Called now and then. */
  readonly onProgress: (learner: StreamLearner) => void;
}

/** When and how the model of a stream is written. */
export interface ModelOutput {
  readonly write: WriteOutput;
  /** Records between two exports. @defaultValue those between two checkpoints */
  readonly every?: number | undefined;
  /** Is given what exports at once, while the stream is followed; returns what takes it back. */
  readonly onDemand?: (exportNow: () => void) => () => void;
}

/** What a stream came to. */
export interface FollowedStream {
  readonly metrics: StreamMetrics;
  readonly records: number;
  readonly damaged: number;
}

/** Rows that the learner takes at a time, at most: a request to stop is heard between two of them. */
const MOST_ROWS = 1024;

/** Damaged records that a person is told of. */
const TOLD = 5;

/**
 * Predicts and learns from a source until it ends or is told to stop, with a checkpoint in the end. What was begun goes on where it stopped;
 * with respect to the state, every record counts exactly once, however the process ended.
 *
 * @throws {@link UserError} if the folder, the source or an option cannot be used
 */
export async function followStream(given: FollowOptions): Promise<FollowedStream> {
  const { folder, source, options, sample, signal } = given;
  let begun: AsyncIterable<readonly SourceRecord[]> | undefined;
  const stream = await StreamFolder.open(folder, given.out, async () => {
    const roles = { target: options.target, ...(options.id === undefined ? {} : { id: options.id }), ...given.roles };
    const { rows, all } = await lookAhead(source, sample, signal);
    begun = all;
    return { options, columns: columnsOfStream(rows, roles) };
  });
  try {
    if (stream.isResumed) refuseOtherOptions(stream, options);
    for (const note of stream.notes) given.onNote(note);
    const follower = new Follower(stream, given);
    await follower.run(begun ?? source.records(stream.progress.position, signal));
    return { metrics: stream.learner.metrics(), records: stream.progress.records, damaged: follower.damaged };
  } finally {
    await stream.close();
  }
}

/** The first rows of a source, and all its records with those: what was read from a pipe cannot be read again. */
async function lookAhead(
  source: StreamSource,
  sample: number,
  signal: AbortSignal,
): Promise<{ readonly rows: StreamRow[]; readonly all: AsyncIterable<readonly SourceRecord[]> }> {
  const iterator = source.records(undefined, signal)[Symbol.asyncIterator]();
  const first: (readonly SourceRecord[])[] = [];
  const rows: StreamRow[] = [];
  while (rows.length < sample) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    rows.push(...rowsOf(next.value).slice(0, sample - rows.length));
  }
  signal.throwIfAborted();
  if (rows.length === 0) {
    const damaged = first[0]?.[0];
    const what = damaged === undefined ? 'it is empty' : `${damaged.name}: ${damaged.damage ?? ''}`;
    throw new UserError(
      `${source.name} has no row to learn from (${what}); expected NDJSON, one object per line, or CSV with a header`,
    );
  }
  async function* all() {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { rows, all: all() };
}

function rowsOf(records: readonly SourceRecord[]): StreamRow[] {
  return records.flatMap(({ row }) => (row === undefined ? [] : [row]));
}

/** What is given again must be what the stream was begun with; what is left out stays as it is. */
function refuseOtherOptions({ learner, folder }: StreamFolder, options: StreamOptionsInput): void {
  const wanted = parseStreamOptions({ ...learner.options, ...options });
  const differences = Object.entries(wanted).flatMap(([name, value]) => {
    const before = Object.entries(learner.options).find(([known]) => known === name)?.[1];
    const [now, then] = [JSON.stringify(value), JSON.stringify(before)];
    return now === then ? [] : [`${name} is ${now}, and was ${then ?? 'not given'}`];
  });
  if (differences.length === 0) return;
  throw new UserError(
    `the stream in ${folder} was begun with other options: ${differences.join('; ')}. Leave them out to continue, or begin a new stream in another folder`,
  );
}

class Follower {
  readonly #stream: StreamFolder;
  readonly #given: FollowOptions;
  readonly #model: ModelExport | undefined;
  /** Damaged records that this process has met. */
  damaged = 0;

  constructor(stream: StreamFolder, given: FollowOptions) {
    this.#stream = stream;
    this.#given = given;
    const { model, onNote } = given;
    this.#model = model === undefined ? undefined : new ModelExport(stream.learner, model.write, onNote);
  }

  /** Goes through the records of a source. */
  async run(source: AsyncIterable<readonly SourceRecord[]>): Promise<void> {
    const stopListening = this.#given.model?.onDemand?.(() => void this.#exportOnDemand());
    try {
      // Whoever serves it need not wait for new rows.
      if (this.#stream.isResumed) await this.#model?.now();
      await this.#run(source);
    } finally {
      stopListening?.();
    }
  }

  async #run(source: AsyncIterable<readonly SourceRecord[]>): Promise<void> {
    const { signal, checkpointEvery } = this.#given;
    const { progress } = this.#stream;
    const exportEvery = this.#given.model?.every ?? checkpointEvery;
    let saved = progress.records;
    for await (const records of source) {
      for (let from = 0; from < records.length && !signal.aborted; ) {
        const taken = records.slice(from, from + this.#untilNextStop());
        // A damaged record by itself: the log then is the same wherever reading was cut.
        const damaged = taken.findIndex(({ row }) => row === undefined);
        if (damaged !== -1) taken.length = Math.max(1, damaged);
        from += taken.length;
        await this.#take(taken);
        if (progress.records % checkpointEvery === 0) {
          await this.#stream.save();
          saved = progress.records;
        }
        if (progress.records % exportEvery === 0) await this.#model?.now();
      }
      if (signal.aborted) break;
    }
    if (progress.records > saved) await this.#stream.save();
    await this.#model?.now();
    signal.throwIfAborted();
  }

  /** Learning goes on if nothing can be written where the next checkpoint will complain anyway. */
  async #exportOnDemand(): Promise<void> {
    const { onNote } = this.#given;
    try {
      await this.#model?.now();
      onNote(`the model was exported after ${counted(this.#stream.learner.counts.rows, 'row')}`);
    } catch (error) {
      onNote(errorMessage(error));
    }
  }

  /** Checkpoints and metrics come after fixed numbers of records, wherever reading was cut. */
  #untilNextStop(): number {
    const { checkpointEvery, logEvery, model } = this.#given;
    const { records } = this.#stream.progress;
    const stops = [checkpointEvery, logEvery, model?.every ?? checkpointEvery];
    return Math.min(MOST_ROWS, ...stops.map((every) => every - (records % every)));
  }

  async #take(records: readonly SourceRecord[]): Promise<void> {
    const { learner, log, answers, progress } = this.#stream;
    for (const record of records) if (record.row === undefined) this.#tellDamage(record);
    const outcomes = await learner.take(rowsOf(records));
    const lines = outcomes.map((outcome) => answerLine(outcome, learner.classes));
    if (answers === undefined) await this.#given.onAnswers?.(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    else for (const line of lines) answers.add(line);
    progress.position = records.at(-1)?.position;
    progress.records += records.length;
    if (progress.records % this.#given.logEvery === 0)
      log.add({ kind: 'metrics', records: progress.records, ...learner.metrics() });
    await log.flush();
    await answers?.flush();
    this.#given.onProgress(learner);
  }

  #tellDamage({ name, damage = '' }: SourceRecord): void {
    const { log, progress } = this.#stream;
    log.add({ kind: 'damaged', after: progress.records, name, damage });
    this.damaged++;
    if (this.damaged <= TOLD) this.#given.onNote(`${this.#given.source.name}, ${name} was left out: ${damage}`);
    if (this.damaged === TOLD) this.#given.onNote('more lines like this are only counted; the log has them all');
  }
}

/** What is written of an outcome. */
function answerLine(outcome: StreamOutcome, classes: readonly string[]): object {
  if (outcome.kind === 'label') return { id: outcome.id, label: outcome.outcome };
  const { row, id, answer, probabilities } = outcome;
  const named = Object.fromEntries(Array.from(probabilities, (p, q) => [classes[q] ?? '', Number(p.toPrecision(6))]));
  return { row, ...(id === undefined ? {} : { id }), predicted: answer, probabilities: named };
}
