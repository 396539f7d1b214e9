import { Prequential } from 'evenhand/stream';
import { at } from '../checked-access.js';

/** Rows between two points of a curve, and rows before the first that counts: nobody knows anything at the beginning. */
export const EVERY = 250;
const BEGINNING = 1000;

/** How good the answers to a stream were. */
export interface StreamScores {
  /** Means over the stream, of recalls in which old rows fade by 0.999 per row. */
  readonly gMean: number;
  readonly balancedAccuracy: number;
  readonly accuracy: number;
  /** G-mean after every 250 rows. */
  readonly curve: readonly number[];
}

/**
 * Measures answers that were given before the labels were known.
 *
 * @param answers - −1 where there was none, as before the first step of learning
 */
export function measureStream(labels: readonly number[], answers: readonly number[]): StreamScores {
  const evaluation = new Prequential();
  const points: { readonly gMean: number; readonly balancedAccuracy: number; readonly accuracy: number }[] = [];
  for (const [i, label] of labels.entries()) {
    const answer = at(answers, i);
    // No answer is a wrong one.
    evaluation.add(label, answer === -1 ? (label === 0 ? 1 : 0) : answer);
    if ((i + 1) % EVERY !== 0) continue;
    const { gMean, balancedAccuracy, accuracy } = evaluation.faded();
    points.push({ gMean: gMean ?? 0, balancedAccuracy: balancedAccuracy ?? 0, accuracy: accuracy ?? 0 });
  }
  const counted = points.slice(BEGINNING / EVERY);
  const mean = (of: (point: (typeof points)[number]) => number) =>
    counted.reduce((sum, point) => sum + of(point), 0) / counted.length;
  return {
    gMean: mean((point) => point.gMean),
    balancedAccuracy: mean((point) => point.balancedAccuracy),
    accuracy: mean((point) => point.accuracy),
    curve: points.map(({ gMean }) => Number(gMean.toFixed(4))),
  };
}
