import type { Values } from '@evenhand/encoding';
import { z } from 'zod';
import { at, float64At } from '../checked-access.js';

/**
 * How probabilities become answers. Plain data.
 *
 * - `offsets`: the class with the largest `log p_q + offsets[q]`
 * - `costs`: the class with the least expected cost, `Σ_p P_p·costs[p][q]`
 * - `threshold`: one class where its probability is at least the threshold, else the likeliest of the others
 *
 * Of equally good classes, the first.
 */
export type AnswerRule =
  | { readonly kind: 'offsets'; readonly offsets: readonly number[] }
  | { readonly kind: 'costs'; readonly costs: readonly (readonly number[])[] }
  | { readonly kind: 'threshold'; readonly class: number; readonly threshold: number };

/** What an answer rule looks like in a file. */
export const answerRuleSchema: z.ZodType<AnswerRule> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('offsets'), offsets: z.array(z.number()).readonly() }),
  z.object({ kind: z.literal('costs'), costs: z.array(z.array(z.number()).readonly()).readonly() }),
  z.object({ kind: z.literal('threshold'), class: z.int().min(0), threshold: z.number() }),
]);

/** What probabilities are multiplied by instead of adding offsets to their logarithms: products are the same everywhere. */
export function offsetFactors(offsets: readonly number[]): Float64Array {
  const most = Math.max(...offsets);
  return Float64Array.from(offsets, (offset) => Math.exp(offset - most));
}

/**
 * The answer to every row, as `model.onnx` gives it.
 *
 * @param probabilities - `[rows, classes]`
 * @param rule - null for the likeliest class
 */
export function answersOf(rule: AnswerRule | null, probabilities: Values, classes: number): Int32Array {
  const best = scorer(rule, classes);
  const row = new Float64Array(classes);
  return Int32Array.from({ length: probabilities.length / classes }, (_, i) => {
    for (let q = 0; q < classes; q++) row[q] = at(probabilities, i * classes + q);
    return best(row);
  });
}

function scorer(rule: AnswerRule | null, classes: number): (row: Float64Array) => number {
  if (rule === null) return (row) => largestOf(classes, (q) => float64At(row, q));
  switch (rule.kind) {
    case 'offsets': {
      const factors = offsetFactors(rule.offsets);
      return (row) => largestOf(classes, (q) => float64At(row, q) * float64At(factors, q));
    }
    case 'costs': {
      const { costs } = rule;
      return (row) => largestOf(classes, (q) => -row.reduce((sum, share, p) => sum + share * at(at(costs, p), q), 0));
    }
    case 'threshold':
      return (row) => {
        if (float64At(row, rule.class) >= rule.threshold) return rule.class;
        return largestOf(classes, (q) => (q === rule.class ? -1 : float64At(row, q)));
      };
  }
}

function largestOf(classes: number, score: (q: number) => number): number {
  let best = 0;
  let most = score(0);
  for (let q = 1; q < classes; q++) {
    const own = score(q);
    if (own > most) [best, most] = [q, own];
  }
  return best;
}

/** Of two classes: the probability of the positive one from which a rule answers it. */
export function thresholdOf(rule: AnswerRule | null, positive: number): number {
  if (rule === null) return 0.5;
  const negative = 1 - positive;
  switch (rule.kind) {
    case 'offsets': {
      const factors = offsetFactors(rule.offsets);
      return float64At(factors, negative) / (float64At(factors, negative) + float64At(factors, positive));
    }
    case 'costs': {
      // What a mistake costs more than a hit.
      const loss = (p: number, q: number) => at(at(rule.costs, p), q) - at(at(rule.costs, p), p);
      const [alarm, miss] = [loss(negative, positive), loss(positive, negative)];
      return alarm + miss === 0 ? 0.5 : alarm / (alarm + miss);
    }
    case 'threshold':
      return rule.class === positive ? rule.threshold : 1 - rule.threshold;
  }
}
