import type { Evaluation } from '../evaluation/evaluate.js';
import { comparePaired, type PairedComparison } from '../evaluation/paired-comparison.js';
import { sampleStatistics } from '../evaluation/sample-statistics.js';
import { counted } from '../wording/numbers.js';
import type { ClassCounts } from './classes-file.js';
import type { CompleteRun } from './run.js';
import { bySplit, pairsBySplit, type RunGroup } from './run-groups.js';

/** What is compared of a complete run. */
export interface ComparedRun extends Pick<CompleteRun, 'folder' | 'config'> {
  readonly evaluation: Evaluation & { readonly counts: ClassCounts };
}

/** A metric of a run; null or undefined where its test set does not define it. */
export type RunMetric = (evaluation: Evaluation) => number | null | undefined;

/** How often each method was trained. */
export interface Repetitions {
  /** Splits of the data. */
  readonly splits: number;
  /** Runs on a split; where they differ, the most. */
  readonly seeds: number;
}

/** A group against another: over the splits that both have, or over the seeds where they share only one split. */
export interface GroupComparison extends PairedComparison {
  readonly over: keyof Repetitions;
}

/** How often these groups were trained; the most, where they differ. */
export function repetitionsOf(groups: readonly RunGroup<ComparedRun>[]): Repetitions {
  const splits = groups.map(bySplit);
  const runs = splits.flatMap((ofGroup) => [...ofGroup.values()].map(({ length }) => length));
  return { splits: Math.max(...splits.map(({ size }) => size)), seeds: Math.max(...runs) };
}

/**
 * A metric's mean and sample standard deviation: over the splits, of the means over the seeds of each; over the seeds where there is
 * one split. Null if a run does not define it.
 */
export function overRepetitions(group: RunGroup<ComparedRun>, metric: RunMetric) {
  const bySplits = [...bySplit(group).values()].map((runs) =>
    runs.map(({ evaluation }) => metric(evaluation) ?? Number.NaN),
  );
  const [first = []] = bySplits;
  const values = bySplits.length > 1 ? bySplits.map(meanOf) : first;
  return values.length === 0 || values.some(Number.isNaN) ? null : sampleStatistics(values);
}

/**
 * Compares two groups, run by run with the same split and the same seed.
 *
 * @param sameTest - whether two runs were tested on the same instances
 * @returns undefined if no pair defines the metric, the reason if there are no pairs
 */
export function compareGroups<Run extends ComparedRun>(
  ours: RunGroup<Run>,
  theirs: RunGroup<Run>,
  metric: RunMetric,
  sameTest: (one: Run, other: Run) => boolean,
): GroupComparison | { readonly reason: string } | undefined {
  const splits = pairsBySplit(ours, theirs);
  if (splits.length === 0) {
    const others = bySplit(theirs);
    const shareSplit = [...bySplit(ours).keys()].some((split) => others.has(split));
    return { reason: `they have no ${shareSplit ? 'seed' : 'split'} in common` };
  }
  if (splits.flat().some(([run, other]) => !sameTest(run, other)))
    return { reason: 'they were tested with different data' };
  const defined = splits
    .map((pairs) =>
      pairs.flatMap(([run, other]) => {
        const [our, their] = [metric(run.evaluation), metric(other.evaluation)];
        return our == null || their == null ? [] : [{ our, their, testPerTraining: testPerTraining(run) }];
      }),
    )
    .filter(({ length }) => length > 0);
  const [first] = defined;
  if (first === undefined) return undefined;
  if (splits.length === 1) return { over: 'seeds', ...comparePaired(first.map(ourOf), first.map(theirOf)) };
  return {
    over: 'splits',
    ...comparePaired(
      defined.map((pairs) => meanOf(pairs.map(ourOf))),
      defined.map((pairs) => meanOf(pairs.map(theirOf))),
      { testPerTraining: meanOf(defined.flat().map((pair) => pair.testPerTraining)) },
    ),
  };
}

interface PairOfValues {
  readonly our: number;
  readonly their: number;
}

const ourOf = ({ our }: PairOfValues) => our;
const theirOf = ({ their }: PairOfValues) => their;

function testPerTraining({ evaluation: { counts } }: ComparedRun): number {
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return sum(counts.test) / (sum(counts.training) + sum(counts.validation));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** `5 splits of the data, 3 seeds each`, `5 seeds on one split`, `one seed on one split` */
export function repetitionText({ splits, seeds }: Repetitions): string {
  if (splits > 1)
    return `${counted(splits, 'split')} of the data${seeds > 1 ? `, ${counted(seeds, 'seed')} each` : ''}`;
  return `${seeds > 1 ? counted(seeds, 'seed') : 'one seed'} on one split`;
}

/** What the numbers of a comparison tell, and what they do not. */
export function measuredText({ over, pairs }: Pick<GroupComparison, 'over' | 'pairs'>): string {
  if (pairs === 1) return 'one seed on one split: this may be luck';
  if (over === 'splits') return `over ${pairs} splits of the data`;
  return `over ${pairs} seeds on one split: how much training luck matters, not how much the rows do`;
}

/** The test behind the p-value of a comparison. */
export function testName({ over }: Pick<GroupComparison, 'over'>): string {
  return over === 'splits' ? 'corrected resampled t-test' : 'paired t-test';
}
