import type { Values } from '../arrays.js';
import { at } from '../checked-access.js';
import type { ClassMetrics } from './class-metrics.js';
import { type Metric, ratio, undefinedMetric, weightedMean } from './metric.js';

/** Accuracy where training data was scarce. */
export interface MinorityMetric {
  /** The classes with the fewest training instances, rarest first. */
  readonly classes: readonly number[];
  /** Top-1 accuracy over the instances of those classes. */
  readonly accuracy: Metric;
}

/** Mean recall of the classes with more than 100, 20 to 100, and fewer than 20 training instances. */
export interface ShotGroups {
  readonly many: Metric;
  readonly medium: Metric;
  readonly few: Metric;
}

const MANY = 100;
const FEW = 20;
const UNKNOWN = 'the class counts of the training set were not given (trainingCounts)';

/** The `size` classes with the fewest training instances, rarest first; of equal ones the higher index is the rarer. */
function rarestClasses(trainingCounts: Values, size: number): number[] {
  return Array.from(trainingCounts, (count, p) => ({ count, p }))
    .sort((a, b) => a.count - b.count || b.p - a.p)
    .slice(0, size)
    .map(({ p }) => p);
}

export function minorityMetric(
  classes: readonly ClassMetrics[],
  right: (p: number) => number,
  trainingCounts: Values | undefined,
  size: number,
): MinorityMetric {
  if (trainingCounts === undefined) return { classes: [], accuracy: undefinedMetric(UNKNOWN) };
  const rarest = rarestClasses(trainingCounts, size);
  const sum = (value: (p: number) => number) => rarest.reduce((total, p) => total + value(p), 0);
  const instances = sum((p) => at(classes, p).support);
  return { classes: rarest, accuracy: ratio(sum(right), instances, 'no minority class has an instance') };
}

export function shotGroups(classes: readonly ClassMetrics[], trainingCounts: Values | undefined): ShotGroups {
  const group = (name: string, holds: (count: number) => boolean): Metric => {
    if (trainingCounts === undefined) return undefinedMetric(UNKNOWN);
    const members = classes.filter((item, p) => holds(at(trainingCounts, p)) && item.support > 0);
    return weightedMean(
      members,
      ({ recall }) => recall,
      () => 1,
      `no class with ${name} training instances has an instance here`,
    );
  };
  return {
    many: group(`more than ${MANY}`, (count) => count > MANY),
    medium: group(`${FEW} to ${MANY}`, (count) => count >= FEW && count <= MANY),
    few: group(`fewer than ${FEW}`, (count) => count < FEW),
  };
}
