import type { Random } from '@evenhand/engine';
import { float64At } from '../checked-access.js';
import type { SparseConfusion } from './sparse-confusion.js';

/**
 * A stratified bootstrap of a confusion matrix: every call draws each class's instances again, with replacement, and
 * returns the confusion matrix of what was drawn, in the cells of the given one and a buffer that the next call overwrites.
 *
 * Metrics of a confusion matrix see of an instance only its class and its prediction. So drawing instances within a class
 * is the same, exactly, as drawing its row from a multinomial distribution, and that costs one binomial draw per cell,
 * however many instances there are.
 */
export function confusionResampler(confusion: SparseConfusion, random: Random): () => SparseConfusion {
  const { classes, rows, counts } = confusion;
  const support = new Float64Array(classes);
  for (const [cell, p] of rows.entries()) support[p] = float64At(support, p) + float64At(counts, cell);
  const draw = binomialSampler(
    counts.reduce((sum, count) => sum + count, 0),
    random,
  );
  const drawn = new Float64Array(counts.length);
  return () => {
    let row = -1;
    let rest = 0;
    // Cell after cell: how many of the draws that are left fall into this cell rather than one of those behind it in its row.
    let left = 0;
    for (const [cell, p] of rows.entries()) {
      if (p !== row) {
        row = p;
        rest = float64At(support, p);
        left = rest;
      }
      const count = float64At(counts, cell);
      const hits = draw(left, count / rest);
      drawn[cell] = hits;
      left -= hits;
      rest -= count;
    }
    return { ...confusion, counts: drawn };
  };
}

/**
 * Exact binomial draws by inversion: a uniform number is used up by the probabilities of the outcomes, the most probable
 * one first and then outwards on both sides, which takes about √(trials·p·(1−p)) steps.
 */
function binomialSampler(mostTrials: number, random: Random): (trials: number, p: number) => number {
  const logFactorial = new Float64Array(mostTrials + 1);
  for (let n = 1; n <= mostTrials; n++) logFactorial[n] = float64At(logFactorial, n - 1) + Math.log(n);
  const logChoose = (n: number, k: number) =>
    float64At(logFactorial, n) - float64At(logFactorial, k) - float64At(logFactorial, n - k);

  return (trials, p) => {
    if (trials === 0 || p >= 1) return trials;
    const mode = Math.min(trials, Math.floor((trials + 1) * p));
    const atMode = Math.exp(logChoose(trials, mode) + mode * Math.log(p) + (trials - mode) * Math.log1p(-p));
    const odds = p / (1 - p);
    let rest = random() - atMode;
    let above = mode;
    let below = mode;
    let probabilityAbove = atMode;
    let probabilityBelow = atMode;
    while (rest >= 0 && (above < trials || below > 0)) {
      if (above < trials) {
        probabilityAbove *= ((trials - above) / (above + 1)) * odds;
        above++;
        rest -= probabilityAbove;
        if (rest < 0) return above;
      }
      if (below > 0) {
        probabilityBelow *= below / ((trials - below + 1) * odds);
        below--;
        rest -= probabilityBelow;
        if (rest < 0) return below;
      }
    }
    return mode;
  };
}
