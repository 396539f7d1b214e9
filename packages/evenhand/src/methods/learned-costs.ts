import { identityMatrix } from '@evenhand/encoding';
import { z } from 'zod';
import { at, float32At } from '../checked-access.js';
import { defineMethod } from './define-method.js';
import type { Observation } from './method.js';
import { equalWeights } from './one-hot-labels.js';
import { rememberedEpochs } from './remembered-epochs.js';

/** What the step towards the target is multiplied by when the error on held-out instances has grown. */
const SLOWER = 0.01;
/** Instances of a class that its separability is measured by. */
const SEPARATED = 10;
/** Rows that are equal have a distance too: nothing is divided by 0. */
const EPSILON = 1e-6;

/**
 * The learned costs of CoSen-CNN. An instance of class p is trained with `ξ_pq·e^{z_q} / Σ_r ξ_pr·e^{z_r}`, which adds `log ξ_p` to its logits. Before every
 * epoch ξ goes a step towards `T = H ∘ e^{−(S−μ₁)²/2σ₁²} ∘ e^{−(R−μ₂)²/2σ₂²}`, the gradient of `‖T − ξ‖²`; the steps become smaller when the error on
 * held-out instances has grown. `H_pq = max(h_p, h_q)` are the shares of the classes in training; `R` is the confusion matrix of held-out instances, each row
 * summing to 1; `S_pq` is how far an instance of p is from the nearest of its own class, divided by how far it is from the nearest of q. Distances are between
 * softmax outputs. The authors find μ and σ by cross-validation; here all are 1, so that classes that are confused, or lie close, cost up to e^½ times as much.
 */
export const learnedCosts = defineMethod({
  name: 'learned-costs',
  title: 'Learns what each confusion costs from class sizes, separability and confusion, and adds it to the logits.',
  reference: 'Khan et al. 2018',
  changes: 'logits',
  measures: true,
  options: z.strictObject({
    costRate: z
      .number()
      .gt(0)
      .max(1)
      .default(0.5)
      .describe('γ: how far the costs move towards their target in an epoch'),
  }),
  prepare: (context, { costRate }) => {
    const { classes, trainingCounts, loss } = context;
    const shares = sharesOf(trainingCounts);
    const identity = identityMatrix(classes);
    // ξ, then γ, then the error.
    const first = [...new Array<number>(classes * classes).fill(1), costRate, 1];
    return {
      loss,
      offsetsLogits: true,
      ...rememberedEpochs(
        context,
        first,
        (before, { observation }) => {
          const [costs, rate, error] = [before.slice(0, -2), at(before, classes ** 2), at(before, classes ** 2 + 1)];
          const confusion = confusionOf(observation, classes);
          const now = errorOf(observation, classes);
          const step = now > error ? rate * SLOWER : rate;
          const target = targetOf(shares, separabilityOf(observation, classes), confusion);
          return [...costs.map((cost, i) => cost + step * (at(target, i) - cost)), step, now];
        },
        (numbers) => ({
          generator: Float32Array.from(identity),
          classWeights: Float32Array.from(equalWeights(classes)),
          logitOffsets: Float32Array.from(numbers.slice(0, -2), Math.log),
        }),
      ),
    };
  },
});

/** A class without training instances counts as one with 1. */
function sharesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + Math.max(count, 1), 0);
  return counts.map((count) => Math.max(count, 1) / total);
}

/** T */
function targetOf(shares: readonly number[], separability: Float64Array, confusion: Float64Array): Float64Array {
  const classes = shares.length;
  const bell = (value: number) => Math.exp(-((value - 1) ** 2) / 2);
  return confusion.map((rate, i) => {
    const [p, q] = [Math.floor(i / classes), i % classes];
    return Math.max(at(shares, p), at(shares, q)) * bell(at(separability, i)) * bell(rate);
  });
}

/** R: which shares of a class are taken for each class. A class that nobody measures is never mistaken. */
function confusionOf({ labels, probabilities }: Observation, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  const matrix = new Float64Array(classes * classes);
  for (const [i, label] of labels.entries()) {
    const answer = likeliest(probabilities.subarray(i * classes, (i + 1) * classes));
    matrix[label * classes + answer] = at(matrix, label * classes + answer) + 1;
    counts[label] = at(counts, label) + 1;
  }
  return matrix.map((count, i) => {
    const [p, q] = [Math.floor(i / classes), i % classes];
    return at(counts, p) === 0 ? Number(p === q) : count / at(counts, p);
  });
}

function errorOf({ labels, probabilities }: Observation, classes: number): number {
  const wrong = labels.filter(
    (label, i) => likeliest(probabilities.subarray(i * classes, (i + 1) * classes)) !== label,
  );
  return wrong.length / labels.length;
}

function likeliest(row: Float32Array): number {
  return row.indexOf(Math.max(...row));
}

/** S, 1 on the diagonal and where a class has too few instances. */
function separabilityOf({ labels, probabilities }: Observation, classes: number): Float64Array {
  const rowsOf = Array.from({ length: classes }, (): Float32Array[] => []);
  for (const [i, label] of labels.entries()) {
    const own = at(rowsOf, label);
    if (own.length < SEPARATED) own.push(probabilities.subarray(i * classes, (i + 1) * classes));
  }
  return new Float64Array(classes * classes).map((_, i) => {
    const [p, q] = [Math.floor(i / classes), i % classes];
    const [own, other] = [at(rowsOf, p), at(rowsOf, q)];
    if (p === q || own.length < 2 || other.length === 0) return 1;
    const ratios = own.map((row) => nearest(row, own) / (nearest(row, other) + EPSILON));
    return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  });
}

/** The distance of the nearest row; a row is not its own neighbour. */
function nearest(row: Float32Array, among: readonly Float32Array[]): number {
  const distances = among
    .filter((other) => other !== row)
    .map((other) => Math.sqrt(row.reduce((sum, value, k) => sum + (value - float32At(other, k)) ** 2, 0)));
  return Math.min(...distances);
}
