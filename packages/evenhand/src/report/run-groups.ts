import { bySplit, groupRuns, type RunGroup } from '../runs/run-groups.js';
import { UserError } from '../user-error.js';
import { type RunData, readRunData } from './run-data.js';

/** Runs that are shown as one. */
export interface ReportedGroup extends RunGroup<RunData> {
  /** The run with the lowest seed on the first split: it stands for the others where only one can be shown. */
  readonly first: RunData;
}

/**
 * Reads runs to be compared and puts those together that differ in nothing but their split and their seed.
 *
 * @throws {@link UserError} if there is none, or they are not about the same classes
 */
export async function readRunGroups(folders: readonly string[]): Promise<ReportedGroup[]> {
  const runs = await Promise.all(folders.map(readRunData));
  const [first] = runs;
  if (first === undefined) throw new UserError('there is no run to compare; name at least one run folder');
  for (const run of runs) refuseOtherClasses(first, run);
  return groupRuns(runs).flatMap((group) => (group.runs[0] === undefined ? [] : [{ ...group, first: group.runs[0] }]));
}

function refuseOtherClasses(first: RunData, run: RunData): void {
  if (JSON.stringify(first.classNames) === JSON.stringify(run.classNames)) return;
  throw new UserError(
    `${run.folder} and ${first.folder} have different classes; expected runs on the same data. Compare them one by one`,
  );
}

/** Whether all groups have the same splits, and all runs on a split were tested on the same instances. */
export function haveSameTestSets(groups: readonly ReportedGroup[]): boolean {
  const [first, ...others] = groups;
  if (first === undefined) return true;
  const splits = bySplit(first);
  return [first, ...others].every((group) => {
    const own = bySplit(group);
    if (own.size !== splits.size) return false;
    return [...own].every(([split, runs]) => {
      const reference = splits.get(split)?.[0];
      return reference !== undefined && runs.every((run) => sameTest(run, reference));
    });
  });
}

/** Whether two runs were tested on the same instances. */
export function sameTest(one: RunData, other: RunData): boolean {
  return (
    one.environment.dataset.hash === other.environment.dataset.hash &&
    JSON.stringify(one.predictions.instances) === JSON.stringify(other.predictions.instances)
  );
}
