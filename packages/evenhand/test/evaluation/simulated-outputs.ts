import { type Random, seededRandom } from '@evenhand/engine';

/** A classifier's outputs on a test set, made up from a seed. */
export interface SimulatedOutputs {
  readonly labels: Int32Array;
  /** `[instances, classes]` */
  readonly probabilities: Float64Array;
}

/**
 * Scores are normal, the true class's higher by `advantage`; the probabilities are `softmax(sharpness · scores)`. Every
 * class is confused with all others alike, so that the prediction is right with one and the same probability.
 */
export function simulateOutputs(
  support: readonly number[],
  seed: number,
  { advantage = 1.5, sharpness = 1 } = {},
): SimulatedOutputs {
  const random = seededRandom(seed, 'simulated outputs');
  const classes = support.length;
  const labels = Int32Array.from(support.flatMap((count, p) => Array<number>(count).fill(p)));
  const probabilities = new Float64Array(labels.length * classes);
  for (const [i, label] of labels.entries()) {
    const powers = Array.from({ length: classes }, (_, q) =>
      Math.exp(sharpness * (standardNormal(random) + (q === label ? advantage : 0))),
    );
    const sum = powers.reduce((a, b) => a + b);
    for (const [q, power] of powers.entries()) probabilities[i * classes + q] = power / sum;
  }
  return { labels, probabilities };
}

function standardNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The same instances in another order. */
export function shuffleInstances({ labels, probabilities }: SimulatedOutputs, seed: number): SimulatedOutputs {
  const random = seededRandom(seed, 'shuffle');
  const classes = probabilities.length / labels.length;
  const order = Array.from(labels, (_, i) => ({ i, key: random() })).sort((a, b) => a.key - b.key);
  return {
    labels: Int32Array.from(order, ({ i }) => labels[i] ?? 0),
    probabilities: Float64Array.from(
      order.flatMap(({ i }) => [...probabilities.subarray(i * classes, (i + 1) * classes)]),
    ),
  };
}
