import { float64At, int32At, outside } from '../../checked-access.js';

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
    const range = [i * count, (i + 1) * count] as const;
    tree.search(i, new Nearest(indices.subarray(...range), distances.subarray(...range)));
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

  offer(point: number, distance: number): void {
    if (distance >= this.farthest) return;
    const [indices, distances] = [this.#indices, this.#distances];
    const last = distances.length - 1;
    let index = last;
    for (; index > 0; index--) {
      const before = distances[index - 1];
      const pointBefore = indices[index - 1];
      if (before === undefined || pointBefore === undefined) throw outside(distances, index - 1);
      if (!(before > distance)) break;
      distances[index] = before;
      indices[index] = pointBefore;
    }
    distances[index] = distance;
    indices[index] = point;
    this.farthest = float64At(distances, last);
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
    const vantage = int32At(order, from);
    for (let k = from + 1; k < to; k++) room[k] = this.#squaredDistance(vantage, int32At(order, k));
    const middle = middleOf(from, to);
    this.#select(from + 1, to - 1, middle);
    this.#radius[from] = Math.sqrt(float64At(room, middle));
    this.#build(from + 1, middle);
    this.#build(middle, to);
  }

  /** Brings the points from `low` to `high` into an order in which none before `middle` is farther away than it (Hoare). */
  #select(low: number, high: number, middle: number): void {
    const [order, room] = [this.#order, this.#room];
    while (low < high) {
      const pivot = float64At(room, middle);
      let [i, j] = [low, high];
      while (i <= j) {
        while (float64At(room, i) < pivot) i++;
        while (float64At(room, j) > pivot) j--;
        if (i > j) break;
        [room[i], room[j]] = [float64At(room, j), float64At(room, i)];
        [order[i], order[j]] = [int32At(order, j), int32At(order, i)];
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
      const one = data[a];
      const other = data[b];
      if (one === undefined || other === undefined) throw outside(data, b);
      const difference = one - other;
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
      for (let k = from; k < to; k++) this.#offer(i, int32At(order, k), nearest);
      return;
    }
    const distance = Math.sqrt(this.#offer(i, int32At(order, from), nearest));
    const [radius, middle] = [float64At(this.#radius, from), middleOf(from, to)];
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
