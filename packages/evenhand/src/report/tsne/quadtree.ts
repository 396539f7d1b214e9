/** Squares get no smaller than the first one halved this often: points that are nearer count as one. */
const DEEPEST = 40;

/**
 * A tree of squares over points in the plane (Barnes and Hut 1986), for sums over all of them that may treat far ones
 * together. Its nodes lie in depth-first order: the children of a node follow it, and `skip` says where they end. So a walk
 * needs no stack.
 */
export class Quadtree {
  readonly #points: Float64Array;
  /** The points' numbers; those of a node lie side by side. */
  readonly #order: Int32Array;
  readonly #room: Int32Array;
  /** Of node k: its number of points, their centre and its squared width from 4k. */
  #squares: Float64Array;
  #skip: Int32Array;
  #nodes = 0;

  /** @param points - x and y in turn */
  constructor(points: Float64Array) {
    const count = points.length / 2;
    this.#points = points;
    this.#order = new Int32Array(count).map((_, i) => i);
    this.#room = new Int32Array(count);
    this.#squares = new Float64Array(16 * count);
    this.#skip = new Int32Array(4 * count);
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of points) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    this.#build(0, count, low, low, high - low, 0);
  }

  /** Makes the node of some points, in the square with this corner, and all nodes below it. */
  #build(from: number, to: number, left: number, bottom: number, width: number, depth: number): void {
    const node = this.#add(from, to, width);
    if (to - from > 1 && depth < DEEPEST) {
      const half = width / 2;
      const middle = this.#partition(from, to, 1, bottom + half);
      for (const [start, end, y] of [
        [from, middle, bottom],
        [middle, to, bottom + half],
      ] as const) {
        const centre = this.#partition(start, end, 0, left + half);
        if (centre > start) this.#build(start, centre, left, y, half, depth + 1);
        if (end > centre) this.#build(centre, end, left + half, y, half, depth + 1);
      }
    }
    this.#skip[node] = this.#nodes;
  }

  #add(from: number, to: number, width: number): number {
    const node = this.#nodes++;
    if (node === this.#skip.length) this.#grow();
    let [x, y] = [0, 0];
    for (let k = from; k < to; k++) {
      const point = this.#order[k] ?? 0;
      x += this.#points[2 * point] ?? 0;
      y += this.#points[2 * point + 1] ?? 0;
    }
    const count = to - from;
    this.#squares[4 * node] = count;
    this.#squares[4 * node + 1] = x / count;
    this.#squares[4 * node + 2] = y / count;
    this.#squares[4 * node + 3] = width * width;
    return node;
  }

  #grow(): void {
    const [squares, skip] = [this.#squares, this.#skip];
    this.#squares = new Float64Array(2 * squares.length);
    this.#squares.set(squares);
    this.#skip = new Int32Array(2 * skip.length);
    this.#skip.set(skip);
  }

  /** Brings the points whose coordinate is below `bound` to the front, and gives the place of the first other one. */
  #partition(from: number, to: number, axis: 0 | 1, bound: number): number {
    let [front, others] = [from, 0];
    for (let k = from; k < to; k++) {
      const point = this.#order[k] ?? 0;
      if ((this.#points[2 * point + axis] ?? 0) < bound) this.#order[front++] = point;
      else this.#room[others++] = point;
    }
    this.#order.set(this.#room.subarray(0, others), front);
    return front;
  }

  /**
   * The repulsion that t-SNE has at (x, y): `Σ w²·(difference)` into `force`, where `w = 1/(1 + distance²)`; gives `Σ w`.
   * A square whose width is less than `theta` times its distance counts as one point; with 0, every point counts for itself.
   */
  repulsion(x: number, y: number, theta: number, force: Float64Array, place: number): number {
    const [squares, skip, nodes] = [this.#squares, this.#skip, this.#nodes];
    const limit = theta * theta;
    let [total, forceX, forceY] = [0, 0, 0];
    for (let node = 0; node < nodes; ) {
      const dx = x - (squares[4 * node + 1] ?? 0);
      const dy = y - (squares[4 * node + 2] ?? 0);
      const squared = dx * dx + dy * dy;
      const after = skip[node] ?? 0;
      if (after > node + 1 && (squares[4 * node + 3] ?? 0) >= limit * squared) {
        node++;
        continue;
      }
      const w = 1 / (1 + squared);
      const weight = (squares[4 * node] ?? 0) * w;
      total += weight;
      forceX += weight * w * dx;
      forceY += weight * w * dy;
      node = after;
    }
    force[place] = forceX;
    force[place + 1] = forceY;
    return total;
  }
}
