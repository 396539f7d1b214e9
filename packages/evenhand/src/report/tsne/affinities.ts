import { float64At, int32At } from '../../checked-access.js';
import { type Neighbours, nearestNeighbours } from './nearest-neighbours.js';

/**
 * Symmetric affinities `p[i,j]` of points, summing to 1. Each pair stands once: row i holds its later partners, `columns`,
 * and their `values` from `starts[i]` to `starts[i+1]`.
 */
export interface Affinities {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Halvings of the bandwidth's bracket: enough for any double. */
const BISECTIONS = 60;
/** Difference of a row's entropy from the one asked for, in nats. */
const TOLERANCE = 1e-5;

/**
 * The affinities of t-SNE (van der Maaten 2014): each point's nearest neighbours, three times the perplexity of them, get
 * `p(j|i) ∝ exp(−β_i·d²_ij)` with the β_i at which the row's entropy is `log(perplexity)`; and `p_ij = (p(j|i) + p(i|j))/2n`.
 *
 * @param data - `[points, dimensions]`
 */
export function affinities(data: Float64Array, points: number, perplexity: number): Affinities {
  const neighbours = nearestNeighbours(data, points, Math.min(points - 1, Math.floor(3 * perplexity)));
  const { count, distances } = neighbours;
  const shares = new Float64Array(distances.length);
  let beta = 1;
  for (let i = 0; i < points; i++) {
    const range = [i * count, (i + 1) * count] as const;
    beta = conditional(distances.subarray(...range), Math.log(perplexity), beta, shares.subarray(...range));
  }
  return symmetric(neighbours, shares, points);
}

/**
 * Puts `p(j|i)` for squared distances in rising order into `shares`, at the bandwidth that gives this entropy.
 *
 * @param start - where to begin
 * @returns β, or where it began if more points coincide than there is room for: then no bandwidth is small enough
 */
function conditional(distances: Float64Array, entropy: number, start: number, shares: Float64Array): number {
  let beta = start;
  const nearest = float64At(distances, 0);
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (let step = 0; ; step++) {
    let sum = 0;
    let weighted = 0;
    for (let k = 0; k < distances.length; k++) {
      const farther = float64At(distances, k) - nearest;
      const share = Math.exp(-beta * farther);
      shares[k] = share;
      sum += share;
      weighted += share * farther;
    }
    // H = log Σ exp(−β·d²) + β·E[d²]
    const found = Math.log(sum) + (beta * weighted) / sum;
    if (Math.abs(found - entropy) < TOLERANCE || step === BISECTIONS) {
      for (let k = 0; k < shares.length; k++) shares[k] = float64At(shares, k) / sum;
      return step === BISECTIONS ? start : beta;
    }
    if (found > entropy) low = beta;
    else high = beta;
    beta = high === Number.POSITIVE_INFINITY ? 2 * beta : (low + high) / 2;
  }
}

/** Joins `p(j|i)` and `p(i|j)`: pairs are sorted by their first point, then those with the same second one are added. */
function symmetric({ count, indices }: Neighbours, shares: Float64Array, points: number): Affinities {
  const ends = new Int32Array(points + 1);
  for (let k = 0; k < indices.length; k++) {
    const first = Math.min(Math.floor(k / count), int32At(indices, k));
    ends[first + 1] = int32At(ends, first + 1) + 1;
  }
  for (let i = 0; i < points; i++) ends[i + 1] = int32At(ends, i + 1) + int32At(ends, i);
  const sorted = new Int32Array(indices.length);
  const next = ends.slice();
  for (let k = 0; k < indices.length; k++) {
    const first = Math.min(Math.floor(k / count), int32At(indices, k));
    const index = int32At(next, first);
    sorted[index] = k;
    next[first] = index + 1;
  }
  const starts = new Int32Array(points + 1);
  const columns = new Int32Array(indices.length);
  const values = new Float64Array(indices.length);
  /** Where a second point stands in the row at hand, if not before it. */
  const entryOf = new Int32Array(points).fill(-1);
  let size = 0;
  for (let i = 0; i < points; i++) {
    const start = size;
    for (let index = int32At(ends, i); index < int32At(ends, i + 1); index++) {
      const k = int32At(sorted, index);
      const second = Math.max(Math.floor(k / count), int32At(indices, k));
      let entry = int32At(entryOf, second);
      if (entry < start) {
        entry = size++;
        entryOf[second] = entry;
        columns[entry] = second;
      }
      values[entry] = float64At(values, entry) + float64At(shares, k) / (2 * points);
    }
    starts[i + 1] = size;
  }
  return { starts, columns: columns.slice(0, size), values: values.slice(0, size) };
}
