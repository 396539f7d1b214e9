import type { ClassificationReport } from '@evenhand/encoding';
import { at, float64At, int32At } from '../checked-access.js';
import { bySize } from '../dataset/class-order.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import { sparseConfusion } from './sparse-confusion.js';

/** Of very many classes: how many are shown for each reason. */
export const NOTABLE_OF_EACH = 10;

/** Instances of one class that are taken for another. */
export interface Confusion {
  readonly label: number;
  readonly answer: number;
  readonly instances: number;
}

type Tested = Pick<ClassificationReport, 'perClass' | 'confusionMatrix'>;

/**
 * The classes that tables and charts show, from most to fewest training instances: all of them, or of very many those that matter: the
 * commonest, the rarest, those that are found least, and those that are confused most.
 */
export function notableClasses(report: Tested, trainingCounts: readonly number[]): number[] {
  const order = bySize(trainingCounts);
  if (!hasTooManyClasses(order.length)) return order;
  const tested = order.filter((p) => at(report.perClass, p).support > 0);
  const worst = tested.sort(
    (a, b) =>
      recallOf(report, a) - recallOf(report, b) || at(report.perClass, b).support - at(report.perClass, a).support,
  );
  const confused = largestConfusions(report, NOTABLE_OF_EACH).flatMap(({ label, answer }) => [label, answer]);
  const notable = new Set([
    ...order.slice(0, NOTABLE_OF_EACH),
    ...order.slice(-NOTABLE_OF_EACH),
    ...worst.slice(0, NOTABLE_OF_EACH),
    ...confused,
  ]);
  return order.filter((p) => notable.has(p));
}

function recallOf({ perClass }: Tested, p: number): number {
  return at(perClass, p).recall.value ?? Number.POSITIVE_INFINITY;
}

/** What is most often taken for what, the most instances first. */
export function largestConfusions({ perClass, confusionMatrix }: Tested, most: number): Confusion[] {
  const { rows, columns, counts } = sparseConfusion(confusionMatrix, perClass.length);
  return Array.from(rows, (label, cell) => ({
    label,
    answer: int32At(columns, cell),
    instances: float64At(counts, cell),
  }))
    .filter(({ label, answer }) => label !== answer)
    .sort((a, b) => b.instances - a.instances)
    .slice(0, most);
}
