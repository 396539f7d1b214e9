import { join } from 'node:path';
import { z } from 'zod';
import { at, float32At } from '../checked-access.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import { readJsonLinesFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

/** Of a class's label with very many classes: entries beside its own that are kept. */
const KEPT = 5;

const numbers = z.array(z.number()).readonly();

const rate = z.union([z.number(), numbers]).exactOptional();

/** Where they are not the same in all epochs: ε and μ, one number or one per class. */
const rates = { enhancementRate: rate, updatingRate: rate };

const wholeSchema = z.object({
  /** From 0. */
  epoch: z.int(),
  /** The generator matrix that the epoch was trained with: row p is the label of class p. */
  generator: z.array(numbers).readonly(),
  classWeights: numbers,
  /** What was added to the logits of the instances of class p, in row p, if the method does that. */
  logitOffsets: z.array(numbers).readonly().exactOptional(),
  ...rates,
});

const largestSchema = z.object({
  /** From 0. */
  epoch: z.int(),
  /** The diagonal of the generator matrix: what stands in the label of class p for class p itself. */
  diagonal: numbers,
  /** For each row, the other classes whose entries are furthest from 0, the furthest first; entries of 0 are left out. */
  columns: z.array(z.array(z.int().min(0)).readonly()).readonly(),
  /** Their entries. */
  entries: z.array(numbers).readonly(),
  classWeights: numbers,
  ...rates,
});

const epochGeneratorSchema = z.union([wholeSchema, largestSchema]);

/** A line of `generator.jsonl`: the whole matrix, or with more than 128 classes what is largest in it. */
export type EpochGenerator = Readonly<z.output<typeof epochGeneratorSchema>>;

/** An entry of a generator matrix. */
export interface GeneratorEntry {
  readonly row: number;
  readonly column: number;
  readonly entry: number;
}

/** The generator matrix over time. */
export function readGenerators(folder: string): Promise<EpochGenerator[]> {
  return readJsonLinesFile(join(folder, RUN_FILES.generators), epochGeneratorSchema);
}

/** What an epoch is trained with; matrices are `[classes, classes]`. */
interface TrainedWith {
  readonly generator: Float32Array;
  readonly classWeights: Float32Array;
  readonly logitOffsets?: Float32Array;
}

/** The line of an epoch. */
export function epochGenerator(
  epoch: number,
  { generator, classWeights: weights, logitOffsets }: TrainedWith,
): EpochGenerator {
  const classWeights = [...weights];
  const classes = weights.length;
  const rowsOf = (matrix: Float32Array) =>
    Array.from({ length: classes }, (_, p) => matrix.subarray(p * classes, (p + 1) * classes));
  const rows = rowsOf(generator);
  if (!hasTooManyClasses(classes)) {
    const offsets = logitOffsets && { logitOffsets: rowsOf(logitOffsets).map((row) => [...row]) };
    return { epoch, generator: rows.map((row) => [...row]), classWeights, ...offsets };
  }
  const columns = rows.map(largestBeside);
  return {
    epoch,
    diagonal: rows.map((row, p) => float32At(row, p)),
    columns,
    entries: rows.map((row, p) => at(columns, p).map((q) => float32At(row, q))),
    classWeights,
  };
}

/** The columns of a row's entries that are furthest from 0, its own not among them. */
function largestBeside(row: Float32Array, own: number): number[] {
  const size = (q: number) => Math.abs(float32At(row, q));
  const largest: number[] = [];
  for (let q = 0; q < row.length; q++) {
    if (q === own || row[q] === 0) continue;
    const smallest = largest[KEPT - 1];
    if (smallest !== undefined && size(q) <= size(smallest)) continue;
    // Of equal ones the first comes first.
    const index = largest.findIndex((other) => size(q) > size(other));
    largest.splice(index === -1 ? largest.length : index, 0, q);
    largest.length = Math.min(largest.length, KEPT);
  }
  return largest;
}

/** The entries of a matrix, row by row, as far as they are kept; the diagonal always is. */
export function* entriesOf(line: EpochGenerator): Generator<GeneratorEntry> {
  if ('generator' in line) {
    for (const [row, entries] of line.generator.entries()) {
      for (const [column, entry] of entries.entries()) yield { row, column, entry };
    }
    return;
  }
  for (const [row, own] of line.diagonal.entries()) {
    yield { row, column: row, entry: own };
    for (const [k, column] of (line.columns[row] ?? []).entries()) {
      const entry = line.entries[row]?.[k];
      if (entry !== undefined) yield { row, column, entry };
    }
  }
}
