/** Squares get no smaller than the first one halved this often: points that lie on one another count as one. */
const DEEPEST = 20;
/** Squares with so few points are not divided; their points look at the tree together. */
const LEAF = 12;

/**
 * A tree of squares over points in the plane (Barnes and Hut 1986), for sums over all of them that may treat far ones
 * together. Its nodes lie in depth-first order: the children of a node follow it, and `skip` says where they end. So a walk
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
  #places: Int32Array;
  #nodes = 0;
  /** What the points of a leaf see: a number of points and their centre, three numbers each. */
  readonly #seen: Float64Array;

  constructor(count: number) {
    this.#count = count;
    this.#order = new Int32Array(count).map((_, i) => i);
    this.#room = new Int32Array(count);
    this.#sorted = new Float64Array(2 * count);
    this.#squares = new Float64Array(4 * count);
    this.#places = new Int32Array(2 * count);
    this.#seen = new Float64Array(3 * count);
  }

  /** @param points - x and y in turn */
  build(points: Float64Array): void {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 0; k < points.length; k++) {
      low = Math.min(low, points[k] ?? 0);
      high = Math.max(high, points[k] ?? 0);
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
    this.#places[2 * node] = from;
    return node;
  }

  #grow(): void {
    const [squares, places] = [this.#squares, this.#places];
    this.#squares = new Float64Array(2 * squares.length);
    this.#squares.set(squares);
    this.#places = new Int32Array(2 * places.length);
    this.#places.set(places);
  }

  /** Brings the points whose coordinate is below `bound` to the front, and gives the place of the first other one. */
  #partition(points: Float64Array, from: number, to: number, axis: 0 | 1, bound: number): number {
    const [order, room] = [this.#order, this.#room];
    let [front, others] = [from, 0];
    for (let k = from; k < to; k++) {
      const point = order[k] ?? 0;
      if ((points[2 * point + axis] ?? 0) < bound) order[front++] = point;
      else room[others++] = point;
    }
    for (let k = 0; k < others; k++) order[front + k] = room[k] ?? 0;
    return front;
  }

  #describeLeaf(points: Float64Array, node: number, from: number, to: number, width: number): void {
    const sorted = this.#sorted;
    let [x, y] = [0, 0];
    for (let k = from; k < to; k++) {
      const point = this.#order[k] ?? 0;
      x += sorted[2 * k] = points[2 * point] ?? 0;
      y += sorted[2 * k + 1] = points[2 * point + 1] ?? 0;
    }
    this.#describe(node, to - from, x, y, width);
  }

  /** From the nodes right below. */
  #describeBranch(node: number, width: number): void {
    const squares = this.#squares;
    let [count, x, y] = [0, 0, 0];
    for (let child = node + 1; child < this.#nodes; child = this.#places[2 * child + 1] ?? 0) {
      const points = squares[4 * child] ?? 0;
      count += points;
      x += points * (squares[4 * child + 1] ?? 0);
      y += points * (squares[4 * child + 2] ?? 0);
    }
    this.#describe(node, count, x, y, width);
  }

  #describe(node: number, count: number, x: number, y: number, width: number): void {
    const squares = this.#squares;
    squares[4 * node] = count;
    squares[4 * node + 1] = x / count;
    squares[4 * node + 2] = y / count;
    squares[4 * node + 3] = width;
    this.#places[2 * node + 1] = this.#nodes;
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
    return this.#places[2 * node + 1] === node + 1;
  }

  /** Lists what all points of a leaf see, and gives the list's length. */
  #look(leaf: number, theta: number): number {
    const [squares, places, sorted, seen] = [this.#squares, this.#places, this.#sorted, this.#seen];
    const x = squares[4 * leaf + 1] ?? 0;
    const y = squares[4 * leaf + 2] ?? 0;
    const reach = this.#reach(leaf);
    let size = 0;
    for (let node = 0; node < this.#nodes; ) {
      const count = squares[4 * node] ?? 0;
      const dx = x - (squares[4 * node + 1] ?? 0);
      const dy = y - (squares[4 * node + 2] ?? 0);
      // From the nearest place that a point of the leaf may have.
      const distance = Math.sqrt(dx * dx + dy * dy) - reach;
      const isFar = (squares[4 * node + 3] ?? 0) < theta * distance;
      const after = places[2 * node + 1] ?? 0;
      const isLeaf = after === node + 1;
      if (!isFar && !isLeaf) {
        node++;
        continue;
      }
      if (isFar || count > LEAF) {
        seen[size++] = count;
        seen[size++] = squares[4 * node + 1] ?? 0;
        seen[size++] = squares[4 * node + 2] ?? 0;
      } else {
        const from = places[2 * node] ?? 0;
        for (let k = from; k < from + count; k++) {
          seen[size++] = 1;
          seen[size++] = sorted[2 * k] ?? 0;
          seen[size++] = sorted[2 * k + 1] ?? 0;
        }
      }
      node = after;
    }
    return size;
  }

  /** How far a leaf's points lie from their centre. */
  #reach(leaf: number): number {
    const [squares, sorted] = [this.#squares, this.#sorted];
    const x = squares[4 * leaf + 1] ?? 0;
    const y = squares[4 * leaf + 2] ?? 0;
    const from = this.#places[2 * leaf] ?? 0;
    let most = 0;
    for (let k = from; k < from + (squares[4 * leaf] ?? 0); k++) {
      const dx = x - (sorted[2 * k] ?? 0);
      const dy = y - (sorted[2 * k + 1] ?? 0);
      most = Math.max(most, dx * dx + dy * dy);
    }
    return Math.sqrt(most);
  }

  /** The repulsion of what is seen, at every point of a leaf. */
  #repel(leaf: number, size: number, forces: Float64Array): number {
    const [sorted, seen, order] = [this.#sorted, this.#seen, this.#order];
    const from = this.#places[2 * leaf] ?? 0;
    let total = 0;
    for (let k = from; k < from + (this.#squares[4 * leaf] ?? 0); k++) {
      const x = sorted[2 * k] ?? 0;
      const y = sorted[2 * k + 1] ?? 0;
      let [forceX, forceY] = [0, 0];
      for (let other = 0; other < size; other += 3) {
        const dx = x - (seen[other + 1] ?? 0);
        const dy = y - (seen[other + 2] ?? 0);
        const w = 1 / (1 + dx * dx + dy * dy);
        const weight = (seen[other] ?? 0) * w;
        total += weight;
        forceX += weight * w * dx;
        forceY += weight * w * dy;
      }
      const point = order[k] ?? 0;
      forces[2 * point] = forceX;
      forces[2 * point + 1] = forceY;
    }
    return total;
  }
}
