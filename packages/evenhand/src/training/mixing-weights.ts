import { at, float32At } from '../checked-access.js';

/** Rounds of the selection: weights are multiples of one over this. */
const ROUNDS = 20;

/**
 * How much each member has to say in a mixture, by greedy selection with replacement (Caruana et al. 2004): round after round the member
 * whose addition makes the loss of the mean least; of equal ones the first.
 *
 * @param outputs - of each member, for the same instances, which it has not learned from
 * @returns weights that sum to 1
 */
export function mixingWeights(outputs: readonly Float32Array[], lossOf: (mixture: Float32Array) => number): number[] {
  const counts = outputs.map(() => 0);
  if (outputs.length === 1) return [1];
  const size = at(outputs, 0).length;
  let sum = new Float32Array(size);
  for (let round = 1; round <= ROUNDS; round++) {
    const candidates = outputs.map((output) => {
      const next = new Float32Array(size);
      for (let i = 0; i < size; i++) next[i] = float32At(sum, i) + float32At(output, i);
      return { next, loss: lossOf(next.map((value) => value / round)) };
    });
    const losses = candidates.map(({ loss }) => loss);
    const best = losses.indexOf(Math.min(...losses));
    counts[best] = at(counts, best) + 1;
    sum = at(candidates, best).next;
  }
  return counts.map((count) => count / ROUNDS);
}
