import { float64At, int32At, outside } from '../../checked-access.js';
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
    for (let k = 0; k < result.length; k++) result[k] = (-4 * float64At(forces, k)) / total;
    this.#attract(embedding, 4 * exaggeration);
    return result;
  }

  #attract(embedding: Float64Array, factor: number): void {
    const { starts, columns, values } = this.#affinities;
    const result = this.#result;
    for (let i = 0; i < starts.length - 1; i++) {
      const x = float64At(embedding, 2 * i);
      const y = float64At(embedding, 2 * i + 1);
      let pullX = 0;
      let pullY = 0;
      const end = int32At(starts, i + 1);
      for (let k = int32At(starts, i); k < end; k++) {
        const column = columns[k];
        const value = values[k];
        if (column === undefined || value === undefined) throw outside(columns, k);
        const otherX = embedding[2 * column];
        const otherY = embedding[2 * column + 1];
        const sumX = result[2 * column];
        const sumY = result[2 * column + 1];
        if (otherX === undefined || otherY === undefined) throw outside(embedding, 2 * column);
        if (sumX === undefined || sumY === undefined) throw outside(result, 2 * column);
        const dx = x - otherX;
        const dy = y - otherY;
        const pull = (factor * value) / (1 + dx * dx + dy * dy);
        pullX += pull * dx;
        pullY += pull * dy;
        result[2 * column] = sumX - pull * dx;
        result[2 * column + 1] = sumY - pull * dy;
      }
      result[2 * i] = float64At(result, 2 * i) + pullX;
      result[2 * i + 1] = float64At(result, 2 * i + 1) + pullY;
    }
  }
}
