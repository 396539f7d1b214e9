import type { Affinities } from './affinities.js';
import { Quadtree } from './quadtree.js';

/**
 * The gradient of `KL(P‖Q)` at every point: `4·Σ_j (p_ij − q_ij)·w_ij·(y_i − y_j)` with `w_ij = 1/(1 + ‖y_i − y_j‖²)` and
 * `q_ij = w_ij/Σ w`. The first part runs over pairs of neighbours, the second over a tree.
 */
export class Gradient {
  readonly #affinities: Affinities;
  readonly #tree: Quadtree;
  readonly #forces: Float64Array;
  readonly #result: Float64Array;

  constructor(affinities: Affinities) {
    const points = affinities.starts.length - 1;
    this.#affinities = affinities;
    this.#tree = new Quadtree(points);
    this.#forces = new Float64Array(2 * points);
    this.#result = new Float64Array(2 * points);
  }

  /**
   * @param embedding - x and y in turn
   * @param theta - 0 for the exact gradient; larger is faster and coarser
   * @param exaggeration - what P is multiplied by
   * @returns memory that the next call uses again
   */
  at(embedding: Float64Array, theta: number, exaggeration = 1): Float64Array {
    const [result, forces] = [this.#result, this.#forces];
    this.#tree.build(embedding);
    const total = this.#tree.repulsion(theta, forces);
    for (let k = 0; k < result.length; k++) result[k] = (-4 * (forces[k] ?? 0)) / total;
    this.#attract(embedding, 4 * exaggeration);
    return result;
  }

  #attract(embedding: Float64Array, factor: number): void {
    const { starts, columns, values } = this.#affinities;
    const result = this.#result;
    for (let i = 0; i < starts.length - 1; i++) {
      const x = embedding[2 * i] ?? 0;
      const y = embedding[2 * i + 1] ?? 0;
      let pullX = 0;
      let pullY = 0;
      const end = starts[i + 1] ?? 0;
      for (let k = starts[i] ?? 0; k < end; k++) {
        const j = 2 * (columns[k] ?? 0);
        const dx = x - (embedding[j] ?? 0);
        const dy = y - (embedding[j + 1] ?? 0);
        const pull = (factor * (values[k] ?? 0)) / (1 + dx * dx + dy * dy);
        pullX += pull * dx;
        pullY += pull * dy;
        result[j] = (result[j] ?? 0) - pull * dx;
        result[j + 1] = (result[j + 1] ?? 0) - pull * dy;
      }
      result[2 * i] = (result[2 * i] ?? 0) + pullX;
      result[2 * i + 1] = (result[2 * i + 1] ?? 0) + pullY;
    }
  }
}
