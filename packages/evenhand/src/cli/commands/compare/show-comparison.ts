import { at } from '../../../checked-access.js';
import { notableClasses } from '../../../evaluation/notable-classes.js';
import {
  type GroupComparison,
  measuredText,
  overRepetitions,
  type Repetitions,
  type RunMetric,
  repetitionsOf,
  testName,
} from '../../../runs/compare-groups.js';
import type { CompleteRun } from '../../../runs/run.js';
import { groupRuns } from '../../../runs/run-groups.js';
import { verdictOnGroups } from '../../../runs/verdict.js';
import { keepsTestSet } from '../../../sources/open-source.js';
import { count, inPercent, NONE, pointsOf } from '../../../wording/numbers.js';
import { formatTable } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { sayWhichClasses } from '../../terminal/which-classes.js';
import { COMPARED, type CompleteGroup, differences, sameTest } from './comparison.js';
import { showComparisonVerdict } from './show-verdict.js';

const TITLES = {
  accuracy: 'accuracy %',
  balancedAccuracy: 'balanced %',
  minorityAccuracy: 'rarest half %',
  macroF1: 'macro F1 %',
} as const satisfies Record<(typeof COMPARED)[number], string>;

/** Shows runs beside each other: the metrics, the recall of every class, and what differs over the splits or seeds. */
export function showComparison(terminal: Terminal, runs: readonly CompleteRun[]): void {
  const groups = groupRuns(runs);
  const bold = (title: string) => terminal.style('bold', title);
  const repeated = (repetitionsOf(groups).splits > 1 ? ['splits', 'seeds'] : ['seeds']) satisfies (keyof Repetitions)[];
  const rows = groups.map((group) => [
    group.name,
    ...repeated.map((key) => String(repetitionsOf([group])[key])),
    ...COMPARED.map((metric) => meanText(group, ({ estimates }) => estimates[metric].value)),
  ]);
  const metrics = COMPARED.map((metric) => ({ title: TITLES[metric] }));
  const repetitions = repeated.map((title) => ({ title }));
  terminal.say(formatTable([{ title: 'method', align: 'left' }, ...repetitions, ...metrics], rows, bold));
  terminal.say();
  showRecalls(terminal, groups);
  showDifferences(terminal, groups);
  if (groups.length > 1) terminal.say();
  if (haveSameClasses(groups)) showComparisonVerdict(terminal, verdictOnGroups(groups, sameTest));
}

/** The folder of the run with the highest balanced accuracy, of the method that is best by it. */
export function bestOf(runs: readonly CompleteRun[]): string {
  return verdictOnGroups(groupRuns(runs), sameTest).run;
}

function haveSameClasses(groups: readonly CompleteGroup[]): boolean {
  const namesOf = ({ evaluation }: CompleteRun) => JSON.stringify(evaluation.report.perClass.map(({ name }) => name));
  return new Set(groups.flatMap(({ runs }) => runs.map(namesOf))).size === 1;
}

function meanText(group: CompleteGroup, metric: RunMetric): string {
  const found = overRepetitions(group, metric);
  if (found === null) return NONE;
  return found.deviation === null ? inPercent(found.mean) : `${inPercent(found.mean)} ± ${inPercent(found.deviation)}`;
}

/** Only where all runs have the same classes. */
function showRecalls(terminal: Terminal, groups: readonly CompleteGroup[]): void {
  const first = groups[0]?.runs[0];
  if (first === undefined || !haveSameClasses(groups)) return;
  const { report, counts } = first.evaluation;
  const shown = notableClasses(report, counts.training);
  const rows = shown.map((p) => [
    at(report.perClass, p).name,
    count(at(counts.training, p)),
    count(at(report.perClass, p).support),
    ...groups.map((group) => meanText(group, ({ estimates }) => estimates.recall[p]?.value)),
  ]);
  const columns = groups.map(({ name }) => ({ title: `${name} %` }));
  const bold = (title: string) => terminal.style('bold', title);
  terminal.say('Recall');
  terminal.say(
    formatTable([{ title: 'class', align: 'left' }, { title: 'training' }, { title: 'test' }, ...columns], rows, bold),
  );
  sayWhichClasses(terminal, shown.length, report.perClass.length);
  terminal.say();
}

function showDifferences(terminal: Terminal, groups: readonly CompleteGroup[]): void {
  const data = groups[0]?.runs[0]?.config.data;
  // A data set with a test set of its own is not split anew.
  const repeat = data !== undefined && keepsTestSet(data) ? '--seeds 5' : '--splits 5';
  for (const { name, against, paired } of differences(groups)) {
    const title = printable(`${name} against ${against}`);
    if ('reason' in paired) {
      terminal.say(`${title}: no pairs, ${paired.reason}.`);
      continue;
    }
    const parts = [...paired].map(
      ([metric, comparison]) => `${TITLES[metric].replace(' %', '')} ${differenceText(comparison)}`,
    );
    terminal.say(
      `${title}, in percentage points [95 %]: ${parts.join(', ')}; ${measured([...paired.values()], repeat)}.`,
    );
  }
}

/** `+1.2 [0.3, 2.1] (p = 0.02)` */
function differenceText({ meanDifference, interval, tTest }: GroupComparison): string {
  const ends = interval === null ? '' : ` [${pointsOf(interval.low)}, ${pointsOf(interval.high)}]`;
  return `${pointsOf(meanDifference)}${ends}${tTest.value === null ? '' : ` (p = ${tTest.value.toPrecision(2)})`}`;
}

/** Where a metric is undefined in some runs, the others say what was measured. */
function measured(comparisons: readonly GroupComparison[], repeat: string): string {
  const [most] = [...comparisons].sort((a, b) => b.pairs - a.pairs);
  if (most === undefined) return 'no metric is defined in both';
  if (most.pairs === 1) return `${measuredText(most)}; try ${repeat}`;
  return `${testName(most)} ${measuredText(most)}`;
}

/** A comparison for programs. */
export function comparisonAsJson(runs: readonly CompleteRun[]): object {
  const groups = groupRuns(runs);
  return {
    repetitions: repetitionsOf(groups),
    groups: groups.map((group) => ({
      name: group.name,
      runs: group.runs.map(({ folder }) => folder),
      splits: group.runs.map(({ config }) => config.data.splitSeed),
      seeds: group.runs.map(({ config }) => config.seed),
      metrics: Object.fromEntries(
        COMPARED.map((metric) => [metric, overRepetitions(group, ({ estimates }) => estimates[metric].value)]),
      ),
      classes: group.runs[0]?.evaluation.report.perClass.map(({ name }, p) => ({
        name,
        recall: overRepetitions(group, ({ estimates }) => estimates.recall[p]?.value),
      })),
    })),
    differences: differences(groups).map(({ name, against, paired }) => ({
      name,
      against,
      paired: 'reason' in paired ? paired : Object.fromEntries(paired),
    })),
    verdict: haveSameClasses(groups) ? verdictOnGroups(groups, sameTest) : null,
  };
}
