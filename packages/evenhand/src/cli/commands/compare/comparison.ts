import type { Evaluation } from '../../../evaluation/evaluate.js';
import { comparePaired, type PairedComparison } from '../../../evaluation/paired-comparison.js';
import { sampleStatistics } from '../../../evaluation/sample-statistics.js';
import type { CompleteRun } from '../../../runs/run.js';
import { pairsBySeed, type RunGroup } from '../../../runs/run-groups.js';

/** Metrics that runs are compared by. */
export const COMPARED = ['accuracy', 'balancedAccuracy', 'minorityAccuracy', 'macroF1'] as const;

type Compared = (typeof COMPARED)[number];

/** Runs that are shown as one. */
export type CompleteGroup = RunGroup<CompleteRun>;

/** A group against the first one, over the seeds that both have. */
export interface GroupDifference {
  readonly name: string;
  readonly against: string;
  /** Null with the reason where the runs do not make pairs. */
  readonly paired: ReadonlyMap<Compared, PairedComparison> | { readonly reason: string };
}

/** A metric's mean and deviation over a group's seeds; null if it is undefined in one of them. */
export function overSeeds(group: CompleteGroup, value: (evaluation: Evaluation) => number | null | undefined) {
  const values = group.runs.map(({ evaluation }) => value(evaluation) ?? null);
  const defined = values.filter((found) => found !== null);
  return defined.length < values.length || defined.length === 0 ? null : sampleStatistics(defined);
}

/** Every group against the first. */
export function differences(groups: readonly CompleteGroup[]): GroupDifference[] {
  const [first, ...others] = groups;
  if (first === undefined) return [];
  return others.map((group) => ({ name: group.name, against: first.name, paired: paired(group, first) }));
}

function paired(ours: CompleteGroup, theirs: CompleteGroup): GroupDifference['paired'] {
  const pairs = pairsBySeed(ours, theirs);
  const [pair] = pairs;
  if (pair === undefined) return { reason: 'they have no seed in common' };
  if (pairs.some(([run, other]) => !sameTest(run, other))) return { reason: 'they were tested with different data' };
  const found = new Map<Compared, PairedComparison>();
  for (const metric of COMPARED) {
    const values = pairs.map((both) => both.map(({ evaluation }) => evaluation.estimates[metric].value));
    const defined = values.flatMap(([a, b]) =>
      typeof a === 'number' && typeof b === 'number' ? [[a, b] as const] : [],
    );
    if (defined.length > 0)
      found.set(
        metric,
        comparePaired(
          defined.map(([a]) => a),
          defined.map(([, b]) => b),
        ),
      );
  }
  return found;
}

/** The same data, split in the same way. */
function sameTest(one: CompleteRun, other: CompleteRun): boolean {
  if (one.environment.dataset.hash !== other.environment.dataset.hash) return false;
  const { source: _, ...split } = one.config.data;
  const { source: __, ...otherSplit } = other.config.data;
  return JSON.stringify(split) === JSON.stringify(otherSplit);
}
