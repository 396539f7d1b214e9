import type { Affinities } from './affinities.js';
import { Quadtree } from './quadtree.js';

/**
 * The gradient of `KL(P‖Q)` at every point: `4·Σ_j (p_ij − q_ij)·w_ij·(y_i − y_j)` with `w_ij = 1/(1 + ‖y_i − y_j‖²)` and
 * `q_ij = w_ij/Σ w`. The first part runs over neighbours, the second over a tree.
 *
 * @param embedding - x and y in turn
 * @param theta - 0 for the exact gradient; larger is faster and coarser
 * @param exaggeration - what P is multiplied by
 */
export function gradient(p: Affinities, embedding: Float64Array, theta: number, exaggeration = 1): Float64Array {
  const result = new Float64Array(embedding.length);
  const tree = new Quadtree(embedding);
  let total = 0;
  // A point repels itself with w = 1 and no force.
  for (let i = 0; i < embedding.length; i += 2) {
    total += tree.repulsion(embedding[i] ?? 0, embedding[i + 1] ?? 0, theta, result, i) - 1;
  }
  const { starts, columns, values } = p;
  for (let i = 0; i < embedding.length / 2; i++) {
    const [x, y] = [embedding[2 * i] ?? 0, embedding[2 * i + 1] ?? 0];
    let [pullX, pullY] = [0, 0];
    for (let k = starts[i] ?? 0; k < (starts[i + 1] ?? 0); k++) {
      const j = columns[k] ?? 0;
      const dx = x - (embedding[2 * j] ?? 0);
      const dy = y - (embedding[2 * j + 1] ?? 0);
      const pull = (exaggeration * (values[k] ?? 0)) / (1 + dx * dx + dy * dy);
      pullX += pull * dx;
      pullY += pull * dy;
    }
    result[2 * i] = 4 * (pullX - (result[2 * i] ?? 0) / total);
    result[2 * i + 1] = 4 * (pullY - (result[2 * i + 1] ?? 0) / total);
  }
  return result;
}
