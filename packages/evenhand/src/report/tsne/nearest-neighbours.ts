/** The nearest other points of every point, nearest first: those of point i stand from `i·count`. */
export interface Neighbours {
  readonly count: number;
  readonly indices: Int32Array;
  /** Squared. */
  readonly distances: Float64Array;
}

/** Fewer points than this are compared one by one. */
const LEAF = 16;

/**
 * Finds nearest neighbours, Euclidean and exact, with a vantage-point tree (Yianilos 1993): half of a node's points lie
 * within its radius of its vantage point, and the triangle inequality tells which half cannot hold a neighbour.
 *
 * @param data - `[points, dimensions]`
 */
export function nearestNeighbours(data: Float64Array, points: number, count: number): Neighbours {
  const tree = new VantagePointTree(data, points);
  const indices = new Int32Array(points * count);
  const distances = new Float64Array(points * count).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < points; i++) {
    const places = [i * count, (i + 1) * count] as const;
    tree.search(i, new Nearest(indices.subarray(...places), distances.subarray(...places)));
  }
  return { count, indices, distances };
}

/** The nearest few of many, sorted by distance; of equally near ones those offered first. */
class Nearest {
  /** The largest distance, squared; infinite until there are enough. */
  farthest = Number.POSITIVE_INFINITY;
  readonly #indices: Int32Array;
  readonly #distances: Float64Array;

  constructor(indices: Int32Array, distances: Float64Array) {
    this.#indices = indices;
    this.#distances = distances;
  }

  offer(index: number, distance: number): void {
    if (distance >= this.farthest) return;
    const [indices, distances] = [this.#indices, this.#distances];
    const last = distances.length - 1;
    let place = last;
    for (; place > 0 && (distances[place - 1] ?? 0) > distance; place--) {
      distances[place] = distances[place - 1] ?? 0;
      indices[place] = indices[place - 1] ?? 0;
    }
    distances[place] = distance;
    indices[place] = index;
    this.farthest = distances[last] ?? 0;
  }
}

/** A node is a part of `#order`: its vantage point, then the points within the radius, then the others. */
class VantagePointTree {
  readonly #data: Float64Array;
  readonly #dimensions: number;
  readonly #order: Int32Array;
  /** Of the node that starts here. */
  readonly #radius: Float64Array;
  /** Distances to the vantage point while a node is made, in the order of the points. */
  readonly #room: Float64Array;

  constructor(data: Float64Array, points: number) {
    this.#data = data;
    this.#dimensions = data.length / points;
    this.#order = new Int32Array(points).map((_, i) => i);
    this.#radius = new Float64Array(points);
    this.#room = new Float64Array(points);
    this.#build(0, points);
  }

  #build(from: number, to: number): void {
    if (to - from <= LEAF) return;
    const [order, room] = [this.#order, this.#room];
    const vantage = order[from] ?? 0;
    for (let k = from + 1; k < to; k++) room[k] = this.#squaredDistance(vantage, order[k] ?? 0);
    const middle = middleOf(from, to);
    this.#select(from + 1, to - 1, middle);
    this.#radius[from] = Math.sqrt(room[middle] ?? 0);
    this.#build(from + 1, middle);
    this.#build(middle, to);
  }

  /** Brings the points from `low` to `high` into an order in which none before `middle` is farther away than it (Hoare). */
  #select(low: number, high: number, middle: number): void {
    const [order, room] = [this.#order, this.#room];
    while (low < high) {
      const pivot = room[middle] ?? 0;
      let [i, j] = [low, high];
      while (i <= j) {
        while ((room[i] ?? 0) < pivot) i++;
        while ((room[j] ?? 0) > pivot) j--;
        if (i > j) break;
        [room[i], room[j]] = [room[j] ?? 0, room[i] ?? 0];
        [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
        i++;
        j--;
      }
      if (j < middle) low = i;
      if (middle < i) high = j;
    }
  }

  #squaredDistance(i: number, j: number): number {
    const [data, dimensions] = [this.#data, this.#dimensions];
    let sum = 0;
    for (let a = i * dimensions, b = j * dimensions, end = a + dimensions; a < end; a++, b++) {
      const difference = (data[a] ?? 0) - (data[b] ?? 0);
      sum += difference * difference;
    }
    return sum;
  }

  /** Offers all points that may be among the nearest of point `i`. */
  search(i: number, nearest: Nearest): void {
    this.#visit(i, nearest, 0, this.#order.length);
  }

  #visit(i: number, nearest: Nearest, from: number, to: number): void {
    const order = this.#order;
    if (to - from <= LEAF) {
      for (let k = from; k < to; k++) this.#offer(i, order[k] ?? 0, nearest);
      return;
    }
    const distance = Math.sqrt(this.#offer(i, order[from] ?? 0, nearest));
    const [radius, middle] = [this.#radius[from] ?? 0, middleOf(from, to)];
    const within = distance < radius;
    if (within) this.#visit(i, nearest, from + 1, middle);
    else this.#visit(i, nearest, middle, to);
    // The other half is as far away as the sphere between the two.
    if ((distance - radius) ** 2 >= nearest.farthest) return;
    if (within) this.#visit(i, nearest, middle, to);
    else this.#visit(i, nearest, from + 1, middle);
  }

  #offer(i: number, j: number, nearest: Nearest): number {
    const distance = this.#squaredDistance(i, j);
    if (j !== i) nearest.offer(j, distance);
    return distance;
  }
}

/** Where the farther half of a node begins. */
function middleOf(from: number, to: number): number {
  return (from + 1 + to) >> 1;
}
