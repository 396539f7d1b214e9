import { outside } from '../checked-access.js';
import type { Neighbours } from '../neighbours/nearest-neighbours.js';
import { type Random, randomInteger } from '../random.js';
import { evenOffsets } from '../resampled.js';

/** Synthetic rows with two parents each: a row, and one of its neighbours. */
export interface Segments {
  readonly offsets: Int32Array;
  readonly parents: Int32Array;
  readonly weights: Float64Array;
  /** For each synthetic row the position of its first parent in `of`. */
  readonly bases: Int32Array;
}

/**
 * Draws points on the segments between rows and their neighbours: row, neighbour and place on the segment are uniform.
 *
 * @param of - the rows whose neighbours `neighbours` lists
 * @param reach - how far a point may be from its row, as a part of the segment
 */
export function drawSegments(
  of: Int32Array,
  neighbours: Neighbours,
  count: number,
  random: Random,
  reach = 1,
): Segments {
  const bases = new Int32Array(count);
  for (let i = 0; i < count; i++) bases[i] = randomInteger(random, of.length);
  return drawFromBases(of, neighbours, bases, random, reach);
}

/** The same for rows that are chosen already. A row without neighbours is joined with itself. */
export function drawFromBases(
  of: Int32Array,
  { ids, k }: Neighbours,
  bases: Int32Array,
  random: Random,
  reach = 1,
): Segments {
  const parents = new Int32Array(2 * bases.length);
  const weights = new Float64Array(2 * bases.length);
  for (let i = 0; i < bases.length; i++) {
    const base = bases[i] ?? 0;
    const step = reach * random();
    const row = of[base] ?? outside(of, base);
    parents[2 * i] = row;
    parents[2 * i + 1] = k === 0 ? row : (ids[base * k + randomInteger(random, k)] ?? outside(ids, base * k));
    weights[2 * i] = 1 - step;
    weights[2 * i + 1] = step;
  }
  return { offsets: evenOffsets(bases.length, 2), parents, weights, bases };
}
