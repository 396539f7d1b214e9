import type { OnnxRuntime } from '@evenhand/engine';
import { ClassReservoir, ClassStatistics, PendingRows, Prequential } from '@evenhand/streams';
import { at } from '../../checked-access.js';
import { className } from '../../dataset/class-name.js';
import { UserError } from '../../user-error.js';
import { parseStreamOptions, type StreamOptions, type StreamOptionsInput } from '../options.js';
import { RowFeatures } from '../rows/row-features.js';
import { cellOf, type StreamColumn, type StreamRow, textOfValue } from '../rows/stream-column.js';
import { ChangeDetector } from './change-detector.js';
import { type ClassTargets, classTargets, encodesLabels, grownIdentity, nextGenerator } from './class-targets.js';
import { exportStreamModel } from './export-model.js';
import { type PendingRow, readLearner, type SavedCounts, type SavedParts, writeLearner } from './learner-state.js';
import { learningRows } from './learning-step.js';
import { type StreamMetrics, streamMetrics } from './stream-metrics.js';
import { type PredictedRows, StreamNetwork } from './stream-network.js';

/** What a learner makes of one row that it is given. */
export type StreamOutcome =
  /** A row: what it is taken for, before its own class is looked at. */
  | {
      readonly kind: 'answer';
      /** The number of the row, counted from 0. */
      readonly row: number;
      readonly id?: string;
      /** The likeliest class; null as long as nothing has been learned. */
      readonly answer: string | null;
      /** One probability for each of the first of `learner.classes`. */
      readonly probabilities: Float32Array;
    }
  /** The label of an earlier row: learned from now; or too much, as that row has one; or without a row among the last ones. */
  | { readonly kind: 'label'; readonly id: string; readonly outcome: 'matched' | 'repeated' | 'unknown' };

/** Something that happened, beside answers. */
export type StreamEvent =
  | { readonly kind: 'class'; readonly row: number; readonly class: string }
  /** A detector found a change for the worse; memory was shortened. Without a class it is about all rows. */
  | { readonly kind: 'drift'; readonly row: number; readonly class?: string; readonly level: number };

/** What a learner needs beside its options. */
export interface LearnerSetting {
  /** The module `onnxruntime-node` or `onnxruntime-web`. */
  readonly runtime: OnnxRuntime;
  readonly onEvent?: (event: StreamEvent) => void;
}

/** Classes that a network first has room for. */
const FIRST_ROOM = 4;

/** What old rows keep of their weight when a change was found. */
const KEPT_AFTER_CHANGE = 0.2;

/**
 * Learns from rows that keep arriving: predicts each, and learns from it when its class is known. What comes out depends on the rows and
 * their order alone, not on how they are grouped into calls, and not on saving and loading in between.
 */
export class StreamLearner {
  readonly options: StreamOptions;
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #network: StreamNetwork;
  readonly #parts: SavedParts;
  readonly #labels: Map<string, number>;
  /** What the network takes of the rows of a block. */
  readonly #inputs: Float32Array;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: StreamOptions, parts: SavedParts, network: StreamNetwork, setting: LearnerSetting) {
    this.options = options;
    this.#parts = parts;
    this.#network = network;
    this.#inputs = new Float32Array(options.batch * parts.features.inputs);
    this.#labels = new Map(parts.classNames.map((name, label) => [name, label]));
    this.#onEvent = setting.onEvent ?? (() => undefined);
  }

  /**
   * A learner that knows nothing yet.
   *
   * @param columns - what to learn from; `columnsOfStream` finds them in the first rows
   * @throws {@link UserError} if an option cannot be used
   */
  static async create(
    options: StreamOptionsInput,
    columns: readonly StreamColumn[],
    setting: LearnerSetting,
  ): Promise<StreamLearner> {
    const parsed = parseStreamOptions(options);
    if (columns.length === 0) throw new UserError('the stream has no columns; expected some to learn from');
    const features = new RowFeatures(columns, parsed.categories, parsed.scaleMemory);
    const parts: SavedParts = {
      features,
      classNames: [],
      queue: [],
      pending: new PendingRows<PendingRow>(parsed.labelWindow),
      reservoir: new ClassReservoir(parsed.reservoir, parsed.seed),
      statistics: new ClassStatistics(parsed),
      evaluation: new Prequential(parsed),
      detector: ChangeDetector.create(parsed.drift),
      generator: new Float64Array(0),
      targets: null,
      counts: {
        rows: 0,
        labelled: 0,
        steps: 0,
        known: 0,
        repeatedLabels: 0,
        unknownLabels: 0,
        repeatedRows: 0,
        changes: 0,
      },
    };
    const network = await StreamNetwork.create(setting.runtime, planOf(parsed, features), FIRST_ROOM);
    return new StreamLearner(parsed, parts, network, setting);
  }

  /**
   * The learner that was saved: from there on both are the same, to the last bit.
   *
   * @returns the learner, and the texts that were saved with it
   * @throws {@link UserError} if these are not the bytes of one
   */
  static async load(
    bytes: Uint8Array,
    setting: LearnerSetting,
  ): Promise<{ readonly learner: StreamLearner; readonly texts: ReadonlyMap<string, string> }> {
    const { options, parts, room, state, texts } = readLearner(bytes);
    const network = await StreamNetwork.create(setting.runtime, planOf(options, parts.features), room);
    await network.load(state);
    return { learner: new StreamLearner(options, parts, network, setting), texts };
  }

  /** Classes in the order in which they appeared. */
  get classes(): readonly string[] {
    return this.#parts.classNames;
  }

  get columns(): readonly StreamColumn[] {
    return this.#parts.features.columns;
  }

  /**
   * Takes rows in: predicts each, then learns from those whose class is there. A row with an id and a class and nothing else is the label
   * of an earlier row.
   *
   * @returns what came of each, in their order
   * @throws {@link UserError} if one is no object: then nothing was taken in
   */
  take(rows: readonly StreamRow[]): Promise<StreamOutcome[]> {
    for (const [i, row] of rows.entries()) {
      if (typeof row === 'object' && row !== null && !Array.isArray(row)) continue;
      throw new UserError(`row ${i + 1} of ${rows.length} is no object; expected values by the names of columns`);
    }
    return this.#enqueue(() => this.#take(rows));
  }

  /**
   * Answers to rows, as they come: `for await (const outcome of learner.follow(source))`. The source is asked for more when
   * what came before has been answered and learned from.
   *
   * @param source - rows, or lists of rows, which are faster
   */
  async *follow(source: AsyncIterable<StreamRow | readonly StreamRow[]>): AsyncGenerator<StreamOutcome> {
    for await (const given of source) yield* await this.take(isList(given) ? given : [given]);
  }

  /** What came in so far. */
  get counts(): Readonly<SavedCounts> {
    return this.#parts.counts;
  }

  /** How good answers have been: every row was predicted before it was learned from. */
  metrics(): StreamMetrics {
    return streamMetrics(this.#parts);
  }

  /** Everything that learning depends on, as one safetensors file; with texts of your own, such as the position in the source. */
  save(texts: ReadonlyMap<string, string> = new Map()): Promise<Uint8Array<ArrayBuffer>> {
    return this.#enqueue(async () =>
      writeLearner({
        options: this.options,
        parts: this.#parts,
        room: this.#network.room,
        state: await this.#network.state(),
        texts,
      }),
    );
  }

  /**
   * The network as it is now, as a `model.onnx` that `openModel`, `predict` and `serve` take.
   *
   * @throws {@link UserError} if fewer than two classes have been learned
   */
  exportModel(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#enqueue(async () => {
      const { features, counts } = this.#parts;
      const classNames = this.classes.slice(0, counts.known);
      return exportStreamModel(planOf(this.options, features), await this.#network.state(), features, classNames);
    });
  }

  /** Frees what the network holds. */
  close(): Promise<void> {
    return this.#enqueue(() => this.#network.close());
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #take(rows: readonly StreamRow[]): Promise<StreamOutcome[]> {
    const outcomes: StreamOutcome[] = [];
    for (let next = 0; next < rows.length; ) {
      const block = this.#block(rows, next);
      next += block.arrivals.length;
      const { known, rows: first } = this.#parts.counts;
      const probabilities =
        known === 0 || block.rows === 0 ? NOTHING : await this.#network.predict(block, first, known);
      for (const arrival of block.arrivals) outcomes.push(this.#settle(arrival, probabilities, first, known));
      if (this.#parts.queue.length >= this.options.batch) await this.#learn();
    }
    return outcomes;
  }

  /** Rows that the network predicts as it is now: up to the one that completes a learning step. */
  #block(given: readonly StreamRow[], from: number): Block {
    const { batch } = this.options;
    const { features, queue } = this.#parts;
    const cells = new Float32Array(Math.min(batch, given.length - from) * features.cells);
    const arrivals: Arrival[] = [];
    let [labelled, rows] = [queue.length, 0];
    for (let i = from; i < given.length && arrivals.length < batch && labelled < batch; i++) {
      const arrival = this.#arrival(at(given, i), cells, rows);
      arrivals.push(arrival);
      if (arrival.place !== undefined) rows++;
      if (arrival.label !== undefined) labelled++;
    }
    return { arrivals, rows, inputs: this.#inputs };
  }

  /** @param place - of the row among those of its block */
  #arrival(row: StreamRow, block: Float32Array, place: number): Arrival {
    const { target, id: idColumn } = this.options;
    const { features } = this.#parts;
    const id = idColumn === undefined ? undefined : textOfValue(cellOf(row, idColumn));
    const label = this.#classNameOf(cellOf(row, target));
    if (id !== undefined && label !== undefined && !features.isFilled(row)) return { id, label };
    const cells = block.subarray(place * features.cells, (place + 1) * features.cells);
    features.take(row, cells);
    features.writeInputs(cells, features.scale(), this.#inputs, place * features.inputs);
    return { id, label, cells, place };
  }

  /** `1.0`, as some programs write the integer 1, is `1`. */
  #classNameOf(value: unknown): string | undefined {
    const text = textOfValue(value);
    return text === undefined || this.#labels.has(text) ? text : className(text);
  }

  /**
   * @param all - what the network says of the rows of the block
   * @param first - the number of the first of them
   * @param known - classes that the network knows
   */
  #settle({ id, label, cells, place }: Arrival, all: Float32Array, first: number, known: number): StreamOutcome {
    const { counts, pending } = this.#parts;
    if (cells === undefined || place === undefined) {
      if (id === undefined || label === undefined) throw new Error('internal: neither a row nor a label');
      return { kind: 'label', id, outcome: this.#label(id, label) };
    }
    const row = first + place;
    const probabilities = all.subarray(place * known, (place + 1) * known);
    counts.rows++;
    const answer = probabilities.length === 0 ? null : at(this.classes, likeliest(probabilities));
    if (id === undefined) {
      if (label !== undefined) this.#observe({ row, cells, probabilities }, label);
      return { kind: 'answer', row, answer, probabilities };
    }
    // One that waits must not hold the memory of its whole block.
    const isNew = pending.add(id, { row, cells: cells.slice(), probabilities: probabilities.slice() });
    if (!isNew) counts.repeatedRows++;
    if (label !== undefined) this.#label(id, label);
    return { kind: 'answer', row, id, answer, probabilities };
  }

  #label(id: string, name: string): 'matched' | 'repeated' | 'unknown' {
    const { counts, pending } = this.#parts;
    const outcome = pending.label(id);
    if (outcome.kind === 'matched') this.#observe(outcome.row, name);
    else if (outcome.kind === 'repeated') counts.repeatedLabels++;
    else counts.unknownLabels++;
    return outcome.kind;
  }

  /** Measures by a row what was answered before its class was known, and puts it in line to be learned from. */
  #observe({ row, cells, probabilities }: PendingRow, name: string): void {
    const { counts, classNames, statistics, evaluation, detector, reservoir, queue } = this.#parts;
    const label = this.#labels.get(name) ?? classNames.length;
    if (label === classNames.length) {
      classNames.push(name);
      this.#labels.set(name, label);
      statistics.grow(classNames.length);
      this.#onEvent({ kind: 'class', row, class: name });
    }
    counts.labelled++;
    // Before anything was learned there is no answer to measure.
    if (probabilities.length > 0) {
      const answer = likeliest(probabilities);
      evaluation.add(label, answer);
      const change = detector.add(label, answer);
      if (change !== undefined) this.#shortenMemory(change.label, change.level, row);
    }
    statistics.add(label, ofAllClasses(probabilities, classNames.length));
    reservoir.add(label, cells);
    queue.push({ cells, label });
  }

  #shortenMemory(label: number | undefined, level: number, row: number): void {
    const { statistics, reservoir, counts } = this.#parts;
    statistics.fade(KEPT_AFTER_CHANGE);
    if (label === undefined) reservoir.forgetAll();
    else reservoir.forget(label);
    counts.changes++;
    const named = label === undefined ? {} : { class: at(this.classes, label) };
    this.#onEvent({ kind: 'drift', row, ...named, level });
  }

  async #learn(): Promise<void> {
    const { options } = this;
    const { counts, queue, features, reservoir, statistics } = this.#parts;
    const classes = this.classes.length;
    await this.#network.grow(classes);
    const targets = this.#targets(counts.known < classes);
    const fresh = queue.splice(0, options.batch);
    const rows = learningRows(fresh, { options, features, reservoir, statistics, step: counts.steps });
    await this.#network.learn(rows, targets, counts.steps);
    counts.known = classes;
    counts.steps++;
  }

  /** What the step is told of the classes: computed anew after every so many labelled rows, and when there are new classes. */
  #targets(isGrown: boolean): ClassTargets {
    const { options } = this;
    const parts = this.#parts;
    const refreshes = (labelled: number) => Math.floor(labelled / options.refresh);
    const isDue = refreshes(parts.counts.labelled) > refreshes(parts.counts.labelled - options.batch);
    if (parts.targets !== null && !isGrown && !isDue) return parts.targets;
    parts.generator = encodesLabels(options)
      ? nextGenerator(options, parts.statistics, parts.generator)
      : grownIdentity(parts.generator, this.classes.length);
    parts.targets = classTargets(options, parts.statistics, parts.generator, this.#network.room);
    return parts.targets;
  }
}

const NOTHING = new Float32Array(0);

/** A row, or the label of an earlier one, which has no cells. */
interface Arrival {
  readonly id: string | undefined;
  /** The name of its class. */
  readonly label: string | undefined;
  readonly cells?: Float32Array;
  /** Among the rows of its block. */
  readonly place?: number;
}

/** What arrives between two learning steps, or a part of it. */
interface Block extends PredictedRows {
  readonly arrivals: readonly Arrival[];
}

function planOf(options: StreamOptions, { inputs, categories }: RowFeatures) {
  return { options, inputs, categories };
}

function isList(given: StreamRow | readonly StreamRow[]): given is readonly StreamRow[] {
  return Array.isArray(given);
}

/** Probabilities with 0 for classes that the network did not know; equal ones where it knew none. */
function ofAllClasses(probabilities: Float32Array, classes: number): Float32Array {
  if (probabilities.length === classes) return probabilities;
  const all = new Float32Array(classes);
  if (probabilities.length > 0) all.set(probabilities);
  else all.fill(1 / classes);
  return all;
}

/** Of equally likely classes, the first; 0 if there are none. */
function likeliest(probabilities: Float32Array): number {
  let best = 0;
  for (let q = 1; q < probabilities.length; q++) if ((probabilities[q] ?? 0) > (probabilities[best] ?? 0)) best = q;
  return best;
}
