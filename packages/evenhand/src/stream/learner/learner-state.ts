import { readSafetensors, SafetensorsError, type State, type StoredTensors, writeSafetensors } from '@evenhand/engine';
import {
  ClassReservoir,
  ClassStatistics,
  type ClassStatisticsJSON,
  PendingRows,
  Prequential,
  type PrequentialJSON,
} from '@evenhand/streams';
import { at, int32At } from '../../checked-access.js';
import { UserError } from '../../user-error.js';
import { parseStreamOptions, type StreamOptions } from '../options.js';
import { RowFeatures, type RowFeaturesJSON } from '../rows/row-features.js';
import { ChangeDetector, type ChangeDetectorJSON } from './change-detector.js';
import type { ClassTargets } from './class-targets.js';
import type { LabelledRow } from './learning-step.js';

/** What is kept of a row until its label comes. */
export interface PendingRow {
  readonly row: number;
  readonly cells: Float32Array;
  /** What was said of it; empty before anything was learned. */
  readonly probabilities: Float32Array;
}

/** What came in, as numbers. */
export interface SavedCounts {
  rows: number;
  labelled: number;
  /** Learning steps. */
  steps: number;
  /** Classes that the network has learned. */
  known: number;
  repeatedLabels: number;
  unknownLabels: number;
  repeatedRows: number;
  /** Changes for the worse that were found. */
  changes: number;
}

/** All of a learner but its network. */
export interface SavedParts {
  readonly features: RowFeatures;
  readonly classNames: string[];
  /** Rows with labels that the next step will learn from. */
  readonly queue: LabelledRow[];
  readonly pending: PendingRows<PendingRow>;
  readonly reservoir: ClassReservoir;
  readonly statistics: ClassStatistics;
  readonly evaluation: Prequential;
  readonly detector: ChangeDetector;
  /** G of the known classes. */
  generator: Float64Array;
  /** What the last step was told; null before the first. */
  targets: ClassTargets | null;
  readonly counts: SavedCounts;
}

/** A learner as it is saved. */
export interface SavedLearner {
  readonly options: StreamOptions;
  readonly parts: SavedParts;
  /** Classes that the network has room for. */
  readonly room: number;
  readonly state: State;
  readonly texts: ReadonlyMap<string, string>;
}

/** The file's JSON: everything that is not a long list of numbers. */
interface LearnerJSON {
  readonly version: typeof VERSION;
  readonly options: StreamOptions;
  readonly room: number;
  readonly features: RowFeaturesJSON;
  readonly classNames: readonly string[];
  readonly statistics: ClassStatisticsJSON;
  readonly evaluation: PrequentialJSON;
  readonly detector: ChangeDetectorJSON;
  readonly counts: SavedCounts;
  /** Of each class: rows that there have been. */
  readonly reservoirSeen: readonly number[];
  /** The ids of the last rows, and whether they wait for a label. */
  readonly pending: readonly { readonly id: string; readonly row?: number }[];
  readonly hasTargets: boolean;
}

const VERSION = 1;
const KEY = 'stream';

/** Writes a learner as a safetensors file. The same learner gives the same bytes. */
export function writeLearner({ options, parts, room, state, texts }: SavedLearner): Uint8Array<ArrayBuffer> {
  const { features, reservoir, pending, queue, targets, generator } = parts;
  const kept = reservoir.toJSON().classes;
  const remembered = pending.toJSON().rows;
  const waiting = remembered.flatMap(({ row }) => row ?? []);
  const json: LearnerJSON = {
    version: VERSION,
    options,
    room,
    features: features.toJSON(),
    classNames: parts.classNames,
    statistics: parts.statistics.toJSON(),
    evaluation: parts.evaluation.toJSON(),
    detector: parts.detector.toJSON(),
    counts: parts.counts,
    reservoirSeen: kept.map(({ seen }) => seen),
    pending: remembered.map(({ id, row }) => (row === undefined ? { id } : { id, row: row.row })),
    hasTargets: targets !== null,
  };
  const lists: readonly [name: string, data: StoredTensor['data']][] = [
    ['reservoir/sizes', Int32Array.from(kept, ({ rows }) => rows.length)],
    ['reservoir/cells', Float32Array.from(kept.flatMap(({ rows }) => rows.flat()))],
    ['pending/cells', joined(waiting.map(({ cells }) => cells))],
    ['pending/classes', Int32Array.from(waiting, ({ probabilities }) => probabilities.length)],
    ['pending/probabilities', joined(waiting.map(({ probabilities }) => probabilities))],
    ['queue/labels', Int32Array.from(queue, ({ label }) => label)],
    ['queue/cells', joined(queue.map(({ cells }) => cells))],
    ['targets/generator', targets?.generator ?? new Float32Array(0)],
    ['targets/classWeights', targets?.classWeights ?? new Float32Array(0)],
    ['targets/logitOffsets', targets?.logitOffsets ?? new Float32Array(0)],
    ['generator', generator.slice()],
    ['json', Uint8Array.from(new TextEncoder().encode(JSON.stringify(json)))],
  ];
  const tensors: StoredTensors = new Map([
    ...lists.map(([name, data]): [string, StoredTensor] => [name, { shape: [data.length], data }]),
    ...Array.from(state, ([name, tensor]): [string, StoredTensor] => [`network/${name}`, tensor]),
  ]);
  return writeSafetensors(tensors, new Map([[KEY, `version ${VERSION}`], ...prefixed(texts)]));
}

type StoredTensor = StoredTensors extends ReadonlyMap<string, infer Tensor> ? Tensor : never;

const TEXT = 'text/';

function prefixed(texts: ReadonlyMap<string, string>): [string, string][] {
  return Array.from(texts, ([key, text]) => [`${TEXT}${key}`, text]);
}

function joined(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const result = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let next = 0;
  for (const part of parts) {
    result.set(part, next);
    next += part.length;
  }
  return result;
}

/**
 * Reads what {@link writeLearner} wrote.
 *
 * @throws {@link UserError} if it is something else, or damaged
 */
export function readLearner(bytes: Uint8Array): SavedLearner {
  const { tensors, metadata } = readFile(bytes);
  const stream = metadata.get(KEY);
  if (stream !== `version ${VERSION}`) {
    const what =
      stream === undefined ? 'it holds something else' : `it was written as ${stream} by another version of evenhand`;
    throw new UserError(`the state of the stream cannot be read: ${what}; expected version ${VERSION}`);
  }
  const list = <Kind extends StoredTensor['data']>(name: string, isKind: (data: unknown) => data is Kind): Kind => {
    const data = tensors.get(name)?.data;
    if (isKind(data)) return data;
    throw new UserError(`the state of the stream cannot be read: "${name}" is not in it`);
  };
  const json: LearnerJSON = JSON.parse(new TextDecoder().decode(list('json', isBytes)));
  const features = RowFeatures.fromJSON(json.features);
  const own = (name: string) => slices(list(name, isFloats), features.cells);
  const labels = list('queue/labels', isIntegers);
  const options = parseStreamOptions(json.options, 'the state of the stream');
  const targets = {
    generator: list('targets/generator', isFloats).slice(),
    classWeights: list('targets/classWeights', isFloats).slice(),
    logitOffsets: list('targets/logitOffsets', isFloats).slice(),
  };
  const parts: SavedParts = {
    features,
    classNames: [...json.classNames],
    queue: own('queue/cells').map((cells, i) => ({ cells, label: int32At(labels, i) })),
    pending: pendingRows(
      json,
      options,
      own('pending/cells'),
      list('pending/classes', isIntegers),
      list('pending/probabilities', isFloats),
    ),
    reservoir: reservoirOf(json, options, own('reservoir/cells'), list('reservoir/sizes', isIntegers)),
    statistics: ClassStatistics.fromJSON(json.statistics),
    evaluation: Prequential.fromJSON(json.evaluation),
    detector: ChangeDetector.fromJSON(json.detector),
    generator: list('generator', isDoubles),
    targets: json.hasTargets ? targets : null,
    counts: { ...json.counts },
  };
  const state: State = new Map(
    Array.from(tensors).flatMap(([name, { shape, data }]) => {
      const isWeight = name.startsWith('network/') && isFloats(data);
      return isWeight ? [[name.slice('network/'.length), { shape, data: data.slice() }] as const] : [];
    }),
  );
  const texts = Array.from(metadata).flatMap(([key, text]) =>
    key.startsWith(TEXT) ? [[key.slice(TEXT.length), text] as const] : [],
  );
  return { options, parts, room: json.room, state, texts: new Map(texts) };
}

function readFile(bytes: Uint8Array) {
  try {
    return readSafetensors(bytes, { source: 'the state of the stream', requireChecksum: true });
  } catch (error) {
    if (error instanceof SafetensorsError) throw new UserError(error.message, { cause: error });
    throw error;
  }
}

function pendingRows(
  { pending }: LearnerJSON,
  { labelWindow }: StreamOptions,
  cells: readonly Float32Array[],
  classes: Int32Array,
  probabilities: Float32Array,
): PendingRows<PendingRow> {
  let [next, from] = [0, 0];
  const rows = pending.map(({ id, row }) => {
    if (row === undefined) return { id };
    const to = from + int32At(classes, next);
    const waiting = { row, cells: at(cells, next), probabilities: probabilities.slice(from, to) };
    next++;
    from = to;
    return { id, row: waiting };
  });
  return PendingRows.fromJSON<PendingRow>({ window: labelWindow, rows });
}

function reservoirOf(
  { reservoirSeen }: LearnerJSON,
  { reservoir: capacity, seed }: StreamOptions,
  cells: readonly Float32Array[],
  sizes: Int32Array,
): ClassReservoir {
  let next = 0;
  const classes = reservoirSeen.map((seen, label) => {
    const from = next;
    next += int32At(sizes, label);
    return { seen, rows: cells.slice(from, next).map((row) => Array.from(row)) };
  });
  return ClassReservoir.fromJSON({ capacity, seed, classes });
}

function slices(values: Float32Array, width: number): Float32Array[] {
  return Array.from({ length: values.length / width }, (_, i) => values.slice(i * width, (i + 1) * width));
}

function isFloats(data: unknown): data is Float32Array<ArrayBuffer> {
  return data instanceof Float32Array;
}

function isDoubles(data: unknown): data is Float64Array<ArrayBuffer> {
  return data instanceof Float64Array;
}

function isIntegers(data: unknown): data is Int32Array<ArrayBuffer> {
  return data instanceof Int32Array;
}

function isBytes(data: unknown): data is Uint8Array<ArrayBuffer> {
  return data instanceof Uint8Array;
}
