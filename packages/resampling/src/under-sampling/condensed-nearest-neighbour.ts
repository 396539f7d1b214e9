import type { Labels, Values } from '../arrays.js';
import { checkInteger, checkSeed } from '../check-arguments.js';
import { outside } from '../checked-access.js';
import { type LabelledRows, minorityOf, rowsOfClass } from '../labelled-rows.js';
import { NearestLists } from '../neighbours/row-blocks.js';
import { type Random, randomSubset, seededRandom } from '../random.js';
import { type Resampled, selection } from '../resampled.js';
import { type CleaningOptions, checkCleaning } from './cleaning.js';
import { majorityVote } from './votes.js';

/** Options of {@link condensedNearestNeighbour}, and of one-sided selection. */
export interface CondensedNearestNeighbourOptions extends CleaningOptions {
  /** Decides every random choice. */
  readonly seed: number;
  /** How many neighbours vote on the class of a row; 1 unless given. */
  readonly neighbours?: number;
  /** How many rows of a class are drawn at random to begin with; 1 unless given. */
  readonly seedRows?: number;
}

/**
 * Condensed nearest neighbour (Hart 1968), class by class: to the smallest class and a random row, those rows are added that the rows chosen
 * so far classify wrongly. What is redundant is left out.
 */
export function condensedNearestNeighbour(
  features: Values,
  labels: Labels,
  options: CondensedNearestNeighbourOptions,
): Resampled {
  const { data, cleaned, neighbours, starts } = checkCondensing(features, labels, options, 'condensedNearestNeighbour');
  const chosen = new Uint8Array(data.labels.length);
  for (const start of starts) for (const row of condense(data, start, neighbours)) chosen[row] = 1;
  const kept = (_: number, row: number) => cleaned[data.labels[row] ?? 0] === 0 || chosen[row] === 1;
  const rows = data.labels.map((_, row) => row).filter(kept);
  return selection(rows, data.labels);
}

/** The checks that one-sided selection shares, and the rows that each class begins with. */
export function checkCondensing(
  features: Values,
  labels: Labels,
  { seed, strategy, neighbours = 1, seedRows = 1 }: CondensedNearestNeighbourOptions,
  operation: string,
): { data: LabelledRows; cleaned: Uint8Array; neighbours: number; starts: Start[] } {
  const { data, cleaned } = checkCleaning(features, labels, strategy, operation);
  checkSeed(seed, operation);
  checkInteger(neighbours, 1, 'neighbours', operation);
  checkInteger(seedRows, 1, 'seedRows', operation);
  const smallest = data.counts[minorityOf(data.counts)] ?? 0;
  if (neighbours > smallest) {
    throw new RangeError(
      `${operation}: neighbours is ${neighbours}; expected at most the ${smallest} rows of the smallest class, which it begins with`,
    );
  }
  return { data, cleaned, neighbours, starts: drawStarts(data, cleaned, seedRows, seededRandom(seed)) };
}

/** A class to condense, and the rows of it that are kept whatever happens. */
export interface Start {
  readonly label: number;
  readonly rows: Int32Array;
}

function drawStarts(data: LabelledRows, cleaned: Uint8Array, seedRows: number, random: Random): Start[] {
  return Array.from(cleaned.keys())
    .filter((label) => cleaned[label] === 1)
    .map((label) => {
      const own = rowsOfClass(data.labels, label);
      return { label, rows: randomSubset(random, own, Math.min(seedRows, own.length)) };
    });
}

/** The rows of a class that are kept. */
export function condense(data: LabelledRows, { label, rows: begin }: Start, neighbours: number): number[] {
  const minority = rowsOfClass(data.labels, minorityOf(data.counts));
  const store = new Set([...minority, ...begin]);
  const kept = [...begin];
  const tallies = new Int32Array(data.counts.length);
  for (const row of rowsOfClass(data.labels, label)) {
    if (store.has(row)) continue;
    if (majorityVote(nearestInStore(data, store, row, neighbours), 0, data.labels, tallies) !== label) {
      store.add(row);
      kept.push(row);
    }
  }
  return kept;
}

function nearestInStore(
  { features, columns }: LabelledRows,
  store: Iterable<number>,
  row: number,
  k: number,
): NearestLists {
  const nearest = new NearestLists(1, k);
  const base = row * columns;
  for (const other of store) {
    const bound = nearest.distances[k - 1] ?? 0;
    let distance = 0;
    for (let column = 0; column < columns && distance <= bound; column++) {
      const difference =
        (features[base + column] ?? outside(features, base)) - (features[other * columns + column] ?? 0);
      distance += difference * difference;
    }
    nearest.offer(0, other, distance);
  }
  return nearest;
}
