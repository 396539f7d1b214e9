import {
  describeType,
  type ElementType,
  type Shape,
  sizeOf,
  type TensorData,
  type TensorType,
} from '../graph/tensor.js';
import type { FeedEntry, Program } from '../training/program.js';
import { FeedError } from './errors.js';
import type { Feeds } from './training.js';

/** A feed that has been checked: everything that is needed to make a tensor of it. */
export interface CheckedFeed extends TensorType {
  readonly name: string;
  readonly data: TensorData;
}

const ARRAYS = {
  float32: Float32Array,
  int64: BigInt64Array,
  int32: Int32Array,
  uint8: Uint8Array,
  bool: Uint8Array,
} satisfies Record<ElementType, unknown>;

/** Smallest and largest value of the integer types. */
const RANGES: Readonly<Record<Exclude<ElementType, 'float32' | 'bool'>, readonly [bigint, bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint8: [0n, 255n],
};

/** Compares what a step is fed with what its program takes: names, types, sizes, and that labels are classes. */
export function checkFeeds(program: Pick<Program, 'feeds' | 'classes'>, feeds: Feeds): CheckedFeed[] {
  const expected = program.feeds.map((feed) => feed.name);
  const unknown = Object.keys(feeds).find((name) => !expected.includes(name));
  if (unknown !== undefined) {
    throw new FeedError(
      `"${unknown}" is not a feed of this program; expected ${expected.join(', ')}${labelAdvice(program.feeds, unknown)}`,
    );
  }
  return program.feeds.map((entry) => {
    const value = Object.hasOwn(feeds, entry.name) ? feeds[entry.name] : undefined;
    if (value === undefined) {
      throw new FeedError(`the feed "${entry.name}" is missing; expected ${describeType(entry)}`);
    }
    const data = typeof value === 'number' || typeof value === 'bigint' ? scalar(entry, value) : value;
    checkArray(entry, data);
    if (data.length !== sizeOf(entry.shape)) {
      throw new FeedError(
        `the feed "${entry.name}" has ${data.length} values; expected ${sizeOf(entry.shape)}, for ${describeType(entry)}`,
      );
    }
    if (entry.name === 'labels') checkLabels(data, program.classes);
    if (entry.name === 'labelRows') checkLabelRows(data, program.classes);
    return { name: entry.name, type: entry.type, shape: entry.shape, data };
  });
}

/** How many rows an array of inputs holds; the program's `input` says how large one is. */
export function countRows(input: FeedEntry, rows: TensorData, what = 'the rows to predict'): number {
  checkArray(input, rows);
  const row: Shape = input.shape.slice(1);
  const size = sizeOf(row);
  if (rows.length % size !== 0) {
    throw new FeedError(
      `${what} have ${rows.length} values in all; expected a multiple of ${size}, for rows of ` +
        describeType({ type: input.type, shape: row }),
    );
  }
  return rows.length / size;
}

export function checkArray(entry: FeedEntry, data: TensorData): void {
  const expected = ARRAYS[entry.type];
  if (!(data instanceof expected)) {
    throw new FeedError(
      `the feed "${entry.name}" is ${describe(data)}; expected ${article(expected.name)}, for ${describeType(entry)}`,
    );
  }
}

function scalar(entry: FeedEntry, value: number | bigint): TensorData {
  const wrong = (expected: string) =>
    new FeedError(`the feed "${entry.name}" is ${value}; expected ${expected}, for ${describeType(entry)}`);
  if (entry.shape.length > 0) throw wrong(article(ARRAYS[entry.type].name));
  if (entry.type === 'bool') throw wrong('a Uint8Array of 0 or 1');
  if (entry.type === 'float32') {
    if (!Number.isFinite(Math.fround(Number(value)))) throw wrong('a finite number');
    return Float32Array.of(Number(value));
  }
  const [lowest, highest] = RANGES[entry.type];
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw wrong('an integer');
  const integer = BigInt(value);
  if (integer < lowest || integer > highest) throw wrong(`an integer from ${lowest} to ${highest}`);
  if (entry.type === 'int64') return BigInt64Array.of(integer);
  return entry.type === 'int32' ? Int32Array.of(Number(integer)) : Uint8Array.of(Number(integer));
}

/** ONNX counts negative indices from the end: without this check −1 would quietly be the last class. */
function checkLabels(labels: TensorData, classes: number): void {
  for (let i = 0; i < labels.length; i++) {
    const label = Number(labels[i]);
    if (label >= 0 && label < classes) continue;
    throw new FeedError(`labels[${i}] is ${label}; expected a class from 0 to ${classes - 1}`);
  }
}

/** One that is no number would make every weight none, though the step only says that its loss is. */
function checkLabelRows(rows: TensorData, classes: number): void {
  const wrong = rows.findIndex((value) => !Number.isFinite(value));
  if (wrong === -1) return;
  const [row, output] = [Math.floor(wrong / classes), wrong % classes];
  throw new FeedError(
    `labelRows[${wrong}], output ${output} of row ${row}, is ${rows[wrong]}; expected a finite number`,
  );
}

/** Which word of `createProgram` decides what labels are fed. */
function labelAdvice(feeds: readonly FeedEntry[], unknown: string): string {
  const taken = feeds.find(({ name }) => name === 'labels' || name === 'labelRows');
  if (taken === undefined || (unknown !== 'labels' && unknown !== 'labelRows')) return '';
  const made = taken.name === 'labelRows' ? "labels: 'rows'" : "labels: 'indices'";
  return `. It was created with ${made}: feed "${taken.name}", ${describeType(taken)}`;
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? 'a string' : String(value);
  return article(value.constructor?.name ?? 'object');
}

function article(name: string): string {
  return `${/^[AEIOU](?!int)/.test(name) ? 'an' : 'a'} ${name}`;
}
