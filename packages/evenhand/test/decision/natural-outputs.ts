import { type SimulatedOutputs, simulateOutputs } from '../evaluation/simulated-outputs.js';

/**
 * A calibrated classifier on data of these class counts: scores of variance 1 that are higher by `advantage` for the true class give
 * the probabilities `softmax(advantage·scores + log prior)` by Bayes' rule.
 *
 * @param prior - frequencies that the probabilities are for; those of the data unless given
 */
export function naturalOutputs(
  counts: readonly number[],
  seed: number,
  { advantage = 1.5, prior = counts }: { readonly advantage?: number; readonly prior?: readonly number[] } = {},
): SimulatedOutputs {
  const { labels, probabilities } = simulateOutputs(counts, seed, { advantage, sharpness: advantage });
  const classes = counts.length;
  for (let first = 0; first < probabilities.length; first += classes) {
    const row = probabilities.subarray(first, first + classes);
    for (let q = 0; q < classes; q++) row[q] = (row[q] ?? 0) * (prior[q] ?? 0);
    const sum = row.reduce((a, b) => a + b, 0);
    for (let q = 0; q < classes; q++) row[q] = (row[q] ?? 0) / sum;
  }
  return { labels, probabilities };
}

/** Each row as often as its weight says. */
export function repeated({ labels, probabilities }: SimulatedOutputs, times: readonly number[]): SimulatedOutputs {
  const classes = probabilities.length / labels.length;
  const rows = [...labels.keys()].flatMap((i) => Array<number>(times[i] ?? 0).fill(i));
  return {
    labels: Int32Array.from(rows, (i) => labels[i] ?? 0),
    probabilities: Float64Array.from(rows.flatMap((i) => [...probabilities.subarray(i * classes, (i + 1) * classes)])),
  };
}

/** Class q is called `order[q]` instead. */
export function renamed({ labels, probabilities }: SimulatedOutputs, order: readonly number[]): SimulatedOutputs {
  const classes = order.length;
  const moved = new Float64Array(probabilities.length);
  for (const [k, p] of probabilities.entries()) moved[k - (k % classes) + (order[k % classes] ?? 0)] = p;
  return { labels: labels.map((label) => order[label] ?? 0), probabilities: moved };
}
