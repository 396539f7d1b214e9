import { z } from 'zod';

/** How much of the prior is corrected for. */
export const tauOption = z
  .number()
  .min(0)
  .default(1)
  .describe('τ: how strongly the class frequencies shift the logits');

/**
 * `τ·log π_c` with `π = n/Σn`, the shares of the classes in training. A class without training instances counts as one with
 * 1: its logarithm would be infinite.
 */
export function scaledLogPrior(trainingCounts: readonly number[], tau: number): Float32Array {
  const counts = trainingCounts.map((count) => Math.max(count, 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Float32Array.from(counts, (count) => tau * Math.log(count / total));
}

/** `log(w_c·π_c)`: how common classes seem where each instance weighs `w_c`. */
export function weightedLogPrior(trainingCounts: readonly number[], weights: readonly number[]): Float32Array {
  return scaledLogPrior(trainingCounts, 1).map((logShare, p) => logShare + Math.log(Math.max(weights[p] ?? 1, 1e-12)));
}
