import { compareGroups, type GroupComparison } from '../../../runs/compare-groups.js';
import type { CompleteRun } from '../../../runs/run.js';
import type { RunGroup } from '../../../runs/run-groups.js';

/** Metrics that runs are compared by. */
export const COMPARED = ['accuracy', 'balancedAccuracy', 'minorityAccuracy', 'macroF1'] as const;

type Compared = (typeof COMPARED)[number];

/** Runs that are shown as one. */
export type CompleteGroup = RunGroup<CompleteRun>;

/** A group against the first one, over the splits or seeds that both have. */
export interface GroupDifference {
  readonly name: string;
  readonly against: string;
  /** The reason where the runs do not make pairs. */
  readonly paired: ReadonlyMap<Compared, GroupComparison> | { readonly reason: string };
}

/** Every group against the first. */
export function differences(groups: readonly CompleteGroup[]): GroupDifference[] {
  const [first, ...others] = groups;
  if (first === undefined) return [];
  return others.map((group) => ({ name: group.name, against: first.name, paired: paired(group, first) }));
}

function paired(ours: CompleteGroup, theirs: CompleteGroup): GroupDifference['paired'] {
  const found = new Map<Compared, GroupComparison>();
  for (const metric of COMPARED) {
    const comparison = compareGroups(ours, theirs, ({ estimates }) => estimates[metric].value, sameTest);
    if (comparison === undefined) continue;
    if ('reason' in comparison) return comparison;
    found.set(metric, comparison);
  }
  return found;
}

/** The same data, with the same test set; whether instances beside it are held out does not matter. */
export function sameTest(one: CompleteRun, other: CompleteRun): boolean {
  if (one.environment.dataset.hash !== other.environment.dataset.hash) return false;
  const { source: _, giveBack: _giveBack, ...split } = one.config.data;
  const { source: __, giveBack: __giveBack, ...otherSplit } = other.config.data;
  return JSON.stringify(split) === JSON.stringify(otherSplit);
}
