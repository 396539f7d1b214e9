import { float64At, int32At, outside } from '../../checked-access.js';

/** Squares get no smaller than the first one halved this often: points that lie on one another count as one. */
const DEEPEST = 20;
/** Squares with so few points are not divided; their points look at the tree together. */
const LEAF = 12;

/**
 * A tree of squares over points in the plane (Barnes and Hut 1986), for sums over all of them that may treat far ones
 * together. Its nodes lie in depth-first order: the children of a node follow it, and `#links` says where they end. So a walk
 * needs no stack. The points of a leaf share one walk (Barnes 1990). Its memory is used again for the next points.
 */
export class Quadtree {
  readonly #count: number;
  /** The points' numbers; those of a node lie side by side. The last order is a good one to begin the next with. */
  readonly #order: Int32Array;
  readonly #room: Int32Array;
  /** The points in this order, x and y in turn. */
  readonly #sorted: Float64Array;
  /** Of node k: its number of points, their centre and its width from 4k. */
  #squares: Float64Array;
  /** Of node k: where its points begin, and the next node that is not below it, from 2k. */
  #links: Int32Array;
  #nodes = 0;
  /** What the points of a leaf see: a number of points and their centre, three numbers each. */
  readonly #seen: Float64Array;

  constructor(count: number) {
    this.#count = count;
    this.#order = new Int32Array(count).map((_, i) => i);
    this.#room = new Int32Array(count);
    this.#sorted = new Float64Array(2 * count);
    this.#squares = new Float64Array(4 * count);
    this.#links = new Int32Array(2 * count);
    this.#seen = new Float64Array(3 * count);
  }

  /** @param points - x and y in turn */
  build(points: Float64Array): void {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const coordinate of points) {
      low = Math.min(low, coordinate);
      high = Math.max(high, coordinate);
    }
    this.#nodes = 0;
    this.#divide(points, 0, this.#count, low, low, high - low, 0);
  }

  /** Makes the node of some points, in the square with this corner, and all nodes below it. */
  #divide(
    points: Float64Array,
    from: number,
    to: number,
    left: number,
    bottom: number,
    width: number,
    depth: number,
  ): void {
    const node = this.#add(from);
    if (to - from > LEAF && depth < DEEPEST) {
      const half = width / 2;
      const middle = this.#partition(points, from, to, 1, bottom + half);
      const low = this.#partition(points, from, middle, 0, left + half);
      const high = this.#partition(points, middle, to, 0, left + half);
      if (low > from) this.#divide(points, from, low, left, bottom, half, depth + 1);
      if (middle > low) this.#divide(points, low, middle, left + half, bottom, half, depth + 1);
      if (high > middle) this.#divide(points, middle, high, left, bottom + half, half, depth + 1);
      if (to > high) this.#divide(points, high, to, left + half, bottom + half, half, depth + 1);
      this.#describeBranch(node, width);
    } else {
      this.#describeLeaf(points, node, from, to, width);
    }
  }

  #add(from: number): number {
    const node = this.#nodes++;
    if (4 * node === this.#squares.length) this.#grow();
    this.#links[2 * node] = from;
    return node;
  }

  #grow(): void {
    const [squares, links] = [this.#squares, this.#links];
    this.#squares = new Float64Array(2 * squares.length);
    this.#squares.set(squares);
    this.#links = new Int32Array(2 * links.length);
    this.#links.set(links);
  }

  /** Brings the points whose coordinate is below `bound` to the front, and gives the index of the first other one. */
  #partition(points: Float64Array, from: number, to: number, axis: 0 | 1, bound: number): number {
    const [order, room] = [this.#order, this.#room];
    let [front, others] = [from, 0];
    for (let k = from; k < to; k++) {
      const point = order[k];
      if (point === undefined) throw outside(order, k);
      const coordinate = points[2 * point + axis];
      if (coordinate === undefined) throw outside(points, 2 * point + axis);
      if (coordinate < bound) order[front++] = point;
      else room[others++] = point;
    }
    for (let k = 0; k < others; k++) order[front + k] = int32At(room, k);
    return front;
  }

  #describeLeaf(points: Float64Array, node: number, from: number, to: number, width: number): void {
    const sorted = this.#sorted;
    let [x, y] = [0, 0];
    for (let k = from; k < to; k++) {
      const point = int32At(this.#order, k);
      x += sorted[2 * k] = float64At(points, 2 * point);
      y += sorted[2 * k + 1] = float64At(points, 2 * point + 1);
    }
    this.#describe(node, to - from, x, y, width);
  }

  /** From the nodes right below. */
  #describeBranch(node: number, width: number): void {
    const squares = this.#squares;
    let [count, x, y] = [0, 0, 0];
    for (let child = node + 1; child < this.#nodes; child = int32At(this.#links, 2 * child + 1)) {
      const points = float64At(squares, 4 * child);
      count += points;
      x += points * float64At(squares, 4 * child + 1);
      y += points * float64At(squares, 4 * child + 2);
    }
    this.#describe(node, count, x, y, width);
  }

  #describe(node: number, count: number, x: number, y: number, width: number): void {
    const squares = this.#squares;
    squares[4 * node] = count;
    squares[4 * node + 1] = x / count;
    squares[4 * node + 2] = y / count;
    squares[4 * node + 3] = width;
    this.#links[2 * node + 1] = this.#nodes;
  }

  /**
   * The repulsion that t-SNE has at every point i: `Σ_j w²·(y_i − y_j)` into `forces`, where `w = 1/(1 + ‖y_i − y_j‖²)`;
   * gives `Σ_i Σ_j w`, j ≠ i. A square whose width is less than `theta` times its distance counts as one point; with 0, every
   * point counts for itself.
   */
  repulsion(theta: number, forces: Float64Array): number {
    let total = 0;
    for (let node = 0; node < this.#nodes; node++) {
      if (!this.#isLeaf(node)) continue;
      total += this.#repel(node, this.#look(node, theta), forces);
    }
    return total - this.#count; // every point saw itself, with w = 1 and no force
  }

  #isLeaf(node: number): boolean {
    return this.#links[2 * node + 1] === node + 1;
  }

  /** Lists what all points of a leaf see, and gives the list's length. */
  #look(leaf: number, theta: number): number {
    const [squares, links, sorted, seen] = [this.#squares, this.#links, this.#sorted, this.#seen];
    const x = float64At(squares, 4 * leaf + 1);
    const y = float64At(squares, 4 * leaf + 2);
    const reach = this.#reach(leaf);
    let size = 0;
    for (let node = 0; node < this.#nodes; ) {
      const count = squares[4 * node];
      const centreX = squares[4 * node + 1];
      const centreY = squares[4 * node + 2];
      const width = squares[4 * node + 3];
      const after = links[2 * node + 1];
      if (count === undefined || centreX === undefined || centreY === undefined || width === undefined) {
        throw outside(squares, 4 * node);
      }
      if (after === undefined) throw outside(links, 2 * node + 1);
      const dx = x - centreX;
      const dy = y - centreY;
      // From the nearest place that a point of the leaf may have.
      const distance = Math.sqrt(dx * dx + dy * dy) - reach;
      const isFar = width < theta * distance;
      const isLeaf = after === node + 1;
      if (!isFar && !isLeaf) {
        node++;
        continue;
      }
      if (isFar || count > LEAF) {
        seen[size++] = count;
        seen[size++] = centreX;
        seen[size++] = centreY;
      } else {
        const from = int32At(links, 2 * node);
        for (let k = from; k < from + count; k++) {
          seen[size++] = 1;
          seen[size++] = float64At(sorted, 2 * k);
          seen[size++] = float64At(sorted, 2 * k + 1);
        }
      }
      node = after;
    }
    return size;
  }

  /** How far a leaf's points lie from their centre. */
  #reach(leaf: number): number {
    const [squares, sorted] = [this.#squares, this.#sorted];
    const x = float64At(squares, 4 * leaf + 1);
    const y = float64At(squares, 4 * leaf + 2);
    const from = int32At(this.#links, 2 * leaf);
    let most = 0;
    const to = from + float64At(squares, 4 * leaf);
    for (let k = from; k < to; k++) {
      const dx = x - float64At(sorted, 2 * k);
      const dy = y - float64At(sorted, 2 * k + 1);
      most = Math.max(most, dx * dx + dy * dy);
    }
    return Math.sqrt(most);
  }

  /** The repulsion of what is seen, at every point of a leaf. */
  #repel(leaf: number, size: number, forces: Float64Array): number {
    const [sorted, seen, order] = [this.#sorted, this.#seen, this.#order];
    const from = int32At(this.#links, 2 * leaf);
    let total = 0;
    const to = from + float64At(this.#squares, 4 * leaf);
    for (let k = from; k < to; k++) {
      const x = float64At(sorted, 2 * k);
      const y = float64At(sorted, 2 * k + 1);
      let [forceX, forceY] = [0, 0];
      for (let other = 0; other < size; other += 3) {
        const count = seen[other];
        const centreX = seen[other + 1];
        const centreY = seen[other + 2];
        if (count === undefined || centreX === undefined || centreY === undefined) throw outside(seen, other);
        const dx = x - centreX;
        const dy = y - centreY;
        const w = 1 / (1 + dx * dx + dy * dy);
        const weight = count * w;
        total += weight;
        forceX += weight * w * dx;
        forceY += weight * w * dy;
      }
      const point = int32At(order, k);
      forces[2 * point] = forceX;
      forces[2 * point + 1] = forceY;
    }
    return total;
  }
}
