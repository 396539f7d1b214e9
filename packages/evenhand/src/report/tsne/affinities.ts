/** Symmetric affinities `p[i,j]` of points, summing to 1: row i holds `columns` and `values` from `starts[i]` to `starts[i+1]`. */
export interface Affinities {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Halvings of the bandwidth's bracket: enough for any double. */
const BISECTIONS = 60;

/**
 * The affinities of t-SNE (van der Maaten 2014): each point's nearest neighbours, three times the perplexity of them, get
 * `p(j|i) ∝ exp(−β_i·d²_ij)` with the β_i at which the row's entropy is `log(perplexity)`; and `p_ij = (p(j|i) + p(i|j))/2n`.
 *
 * @param data - `[points, dimensions]`
 */
export function affinities(data: Float64Array, points: number, perplexity: number): Affinities {
  const neighbours = Math.min(points - 1, Math.floor(3 * perplexity));
  const rows = Array.from({ length: points }, () => new Map<number, number>());
  const nearest = new Nearest(neighbours);
  const dimensions = data.length / points;
  for (let i = 0; i < points; i++) {
    nearest.clear();
    for (let j = 0; j < points; j++) {
      if (j !== i) nearest.offer(j, squaredDistance(data, dimensions, i, j, nearest.farthest));
    }
    const shares = conditional(nearest.distances, Math.log(perplexity));
    for (const [k, j] of nearest.indices.entries()) {
      const half = (shares[k] ?? 0) / (2 * points);
      rows[i]?.set(j, (rows[i]?.get(j) ?? 0) + half);
      rows[j]?.set(i, (rows[j]?.get(i) ?? 0) + half);
    }
  }
  return compressed(rows);
}

/** Any number that is not below `limit` stands for all that are not. */
function squaredDistance(data: Float64Array, dimensions: number, i: number, j: number, limit: number): number {
  let sum = 0;
  for (let d = 0; d < dimensions && sum < limit; d++) {
    sum += ((data[i * dimensions + d] ?? 0) - (data[j * dimensions + d] ?? 0)) ** 2;
  }
  return sum;
}

/** The nearest few of many, sorted by distance; of equally near ones those offered first. */
class Nearest {
  readonly indices: Int32Array;
  readonly distances: Float64Array;

  constructor(size: number) {
    this.indices = new Int32Array(size);
    this.distances = new Float64Array(size);
  }

  clear(): void {
    this.distances.fill(Number.POSITIVE_INFINITY);
  }

  get farthest(): number {
    return this.distances[this.distances.length - 1] ?? 0;
  }

  offer(index: number, distance: number): void {
    const { indices, distances } = this;
    if (distance >= this.farthest) return;
    let place = distances.length - 1;
    for (; place > 0 && (distances[place - 1] ?? 0) > distance; place--) {
      distances[place] = distances[place - 1] ?? 0;
      indices[place] = indices[place - 1] ?? 0;
    }
    distances[place] = distance;
    indices[place] = index;
  }
}

/** `p(j|i)` for squared distances in rising order, at the bandwidth that gives this entropy. */
function conditional(distances: Float64Array, entropy: number): Float64Array {
  const shares = new Float64Array(distances.length);
  const nearest = distances[0] ?? 0;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let beta = 1;
  for (let step = 0; step < BISECTIONS; step++) {
    let sum = 0;
    let weighted = 0;
    for (const [k, distance] of distances.entries()) {
      const share = Math.exp(-beta * (distance - nearest));
      shares[k] = share;
      sum += share;
      weighted += share * (distance - nearest);
    }
    for (let k = 0; k < shares.length; k++) shares[k] = (shares[k] ?? 0) / sum;
    // H = log Σ exp(−β·d²) + β·E[d²]
    const found = Math.log(sum) + (beta * weighted) / sum;
    if (Math.abs(found - entropy) < 1e-6) break;
    if (found > entropy) low = beta;
    else high = beta;
    beta = high === Number.POSITIVE_INFINITY ? 2 * beta : (low + high) / 2;
  }
  return shares;
}

function compressed(rows: readonly ReadonlyMap<number, number>[]): Affinities {
  const size = rows.reduce((sum, row) => sum + row.size, 0);
  const starts = new Int32Array(rows.length + 1);
  const columns = new Int32Array(size);
  const values = new Float64Array(size);
  let place = 0;
  for (const [i, row] of rows.entries()) {
    for (const [column, value] of row) {
      columns[place] = column;
      values[place++] = value;
    }
    starts[i + 1] = place;
  }
  return { starts, columns, values };
}
