import { float64At, int32At } from '../checked-access.js';
import type { SparseConfusion } from './sparse-confusion.js';

/** The headline metrics of a confusion matrix as plain numbers, NaN where undefined; defined as in `@evenhand/encoding`. */
export interface ConfusionMetrics {
  readonly accuracy: number;
  readonly balancedAccuracy: number;
  readonly macroF1: number;
  readonly gMean: number;
  readonly minorityAccuracy: number;
  readonly matthewsCorrelation: number;
  /** One per class. */
  readonly recall: Float64Array;
}

/** @param minority - the classes of the minority accuracy */
export function confusionMetrics(
  { classes, rows, columns, counts }: SparseConfusion,
  minority: readonly number[],
): ConfusionMetrics {
  const support = new Float64Array(classes);
  const predicted = new Float64Array(classes);
  const found = new Float64Array(classes);
  for (let cell = 0; cell < rows.length; cell++) {
    const p = int32At(rows, cell);
    const q = int32At(columns, cell);
    const count = float64At(counts, cell);
    support[p] = float64At(support, p) + count;
    predicted[q] = float64At(predicted, q) + count;
    if (p === q) found[p] = count;
  }

  const recall = new Float64Array(classes);
  let present = 0;
  let instances = 0;
  let right = 0;
  let recalls = 0;
  let logRecalls = 0;
  let f1 = 0;
  for (let p = 0; p < classes; p++) {
    const own = float64At(support, p);
    const hits = float64At(found, p);
    recall[p] = hits / own;
    if (own === 0) continue;
    present++;
    instances += own;
    right += hits;
    recalls += hits / own;
    logRecalls += Math.log(hits / own);
    f1 += (2 * hits) / (own + float64At(predicted, p));
  }
  const sum = (of: (p: number) => number) => minority.reduce((total, p) => total + of(p), 0);
  return {
    accuracy: right / instances,
    balancedAccuracy: recalls / present,
    macroF1: f1 / present,
    gMean: Math.exp(logRecalls / present),
    minorityAccuracy: sum((p) => float64At(found, p)) / sum((p) => float64At(support, p)),
    matthewsCorrelation: matthewsCorrelation(right, instances, support, predicted),
    recall,
  };
}

/** `(right·n − s·k) / √((n² − s·s)(n² − k·k))`, s the instances of every class and k how often it is predicted. */
function matthewsCorrelation(right: number, n: number, support: Float64Array, predicted: Float64Array): number {
  let both = 0;
  let labels = 0;
  let predictions = 0;
  for (let p = 0; p < support.length; p++) {
    const s = float64At(support, p);
    const k = float64At(predicted, p);
    both += s * k;
    labels += s * s;
    predictions += k * k;
  }
  return (right * n - both) / Math.sqrt((n * n - labels) * (n * n - predictions));
}
