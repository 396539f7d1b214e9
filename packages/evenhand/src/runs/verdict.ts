import { at } from '../checked-access.js';
import { bySize } from '../dataset/class-order.js';
import { judge, type NeglectedClasses, neglectedOf, type Verdict } from '../evaluation/verdict.js';
import { pointsOf } from '../wording/numbers.js';
import { type Advice, adviceFor } from './advice.js';
import {
  type ComparedRun,
  compareGroups,
  type GroupComparison,
  measuredText,
  overRepetitions,
  type RunMetric,
  repetitionsOf,
} from './compare-groups.js';
import type { RunGroup } from './run-groups.js';

/** A verdict on a run, and what to try next. */
export interface RunVerdict extends Verdict {
  readonly advice: readonly Advice[];
}

/** Which of several groups of runs is best, whether that may be luck, and what to try next. */
export interface ComparisonVerdict extends NeglectedClasses {
  /** The name of the group with the highest balanced accuracy. */
  readonly best: string;
  readonly balancedAccuracy: number | null;
  /** Its run with the highest balanced accuracy: the folder. */
  readonly run: string;
  /** The best against the first group; against the second best if it is the first itself. Null if there is only one. */
  readonly against: { readonly name: string; readonly comparison: GroupComparison | null } | null;
  /** Whether that difference is more than the luck that was measured: p < 0.05. */
  readonly isClear: boolean;
  readonly advice: readonly Advice[];
}

const SIGNIFICANT = 0.05;

const balancedAccuracy: RunMetric = ({ estimates }) => estimates.balancedAccuracy.value;

/** Judges a run by its test set. */
export function verdictOn({ config, evaluation }: Pick<ComparedRun, 'config' | 'evaluation'>): RunVerdict {
  const verdict = judge(evaluation);
  return {
    ...verdict,
    advice: adviceFor(verdict, {
      config,
      methods: [config.method.name],
      commonest: verdict.commonest,
      splits: 1,
    }),
  };
}

/**
 * Judges groups of runs on the same classes.
 *
 * @param groups - at least one; the first is what the others are measured against
 * @param sameTest - whether two runs were tested on the same instances
 */
export function verdictOnGroups<Run extends ComparedRun>(
  groups: readonly RunGroup<Run>[],
  sameTest: (one: Run, other: Run) => boolean,
): ComparisonVerdict {
  const mean = (group: RunGroup<Run>) => overRepetitions(group, balancedAccuracy)?.mean ?? null;
  const ranked = [...groups].sort((a, b) => (mean(b) ?? -1) - (mean(a) ?? -1));
  const best = at(ranked, 0);
  const first = at(groups, 0);
  const other = best === first ? ranked[1] : first;
  const found = other === undefined ? undefined : compareGroups(best, other, balancedAccuracy, sameTest);
  const comparison = found === undefined || 'reason' in found ? null : found;
  const run = [...best.runs].sort((a, b) => valueOfRun(b) - valueOfRun(a))[0] ?? at(best.runs, 0);
  const neglected = neglectedOf(recallsOf(best));
  const { commonest } = judge(run.evaluation);
  return {
    best: best.name,
    balancedAccuracy: mean(best),
    run: run.folder,
    against: other === undefined ? null : { name: other.name, comparison },
    isClear: (comparison?.tTest.value ?? 1) < SIGNIFICANT,
    ...neglected,
    advice: adviceFor(neglected, {
      config: run.config,
      methods: groups.flatMap(({ runs }) => runs.map(({ config }) => config.method.name)),
      commonest,
      splits: repetitionsOf(groups).splits,
    }),
  };
}

function valueOfRun({ evaluation }: ComparedRun): number {
  return balancedAccuracy(evaluation) ?? -1;
}

/** Of every class, the mean recall of the runs that tested it; the numbers of instances are those of the first run. */
function recallsOf({ runs }: RunGroup<ComparedRun>) {
  const { counts, report } = at(runs, 0).evaluation;
  return bySize(counts.training).flatMap((p) => {
    const values = runs.flatMap(({ evaluation }) => evaluation.estimates.recall[p]?.value ?? []);
    if (values.length === 0) return [];
    const recall = values.reduce((a, b) => a + b, 0) / values.length;
    return [{ name: at(report.perClass, p).name, recall, test: at(counts.test, p) }];
  });
}

/** By how much the best leads, and whether that may be luck; goes on behind what it finds. Empty where there are no pairs. */
export function leadText({ against, isClear }: Pick<ComparisonVerdict, 'against' | 'isClear'>): string {
  if (against === null || against.comparison === null) return '';
  const { name, comparison } = against;
  if (comparison.meanDifference === 0) return `, as ${name} does`;
  const points = `, ${pointsOf(comparison.meanDifference)} percentage points against ${name}`;
  if (comparison.pairs === 1) return `${points}; ${measuredText(comparison)}`;
  return `${points}: ${isClear ? 'more than luck' : 'this may be luck'}, measured ${measuredText(comparison)}`;
}
