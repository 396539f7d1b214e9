import { at } from '../../../checked-access.js';
import { notableClasses } from '../../../evaluation/notable-classes.js';
import type { CompleteRun } from '../../../runs/run.js';
import { groupRuns } from '../../../runs/run-groups.js';
import { count, inPercent, NONE, pointsOf } from '../../../wording/numbers.js';
import { formatTable } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { sayWhichClasses } from '../../terminal/which-classes.js';
import { COMPARED, type CompleteGroup, differences, overSeeds } from './comparison.js';

const TITLES = {
  accuracy: 'accuracy %',
  balancedAccuracy: 'balanced %',
  minorityAccuracy: 'rarest half %',
  macroF1: 'macro F1 %',
} as const satisfies Record<(typeof COMPARED)[number], string>;

/** Shows runs beside each other: the metrics, the recall of every class, and what differs over the seeds. */
export function showComparison(terminal: Terminal, runs: readonly CompleteRun[]): void {
  const groups = groupRuns(runs);
  const bold = (title: string) => terminal.style('bold', title);
  const rows = groups.map((group) => [
    group.name,
    String(group.runs.length),
    ...COMPARED.map((metric) => meanText(group, ({ estimates }) => estimates[metric].value)),
  ]);
  const metrics = COMPARED.map((metric) => ({ title: TITLES[metric] }));
  terminal.say(formatTable([{ title: 'method', align: 'left' }, { title: 'seeds' }, ...metrics], rows, bold));
  terminal.say();
  showRecalls(terminal, groups);
  showDifferences(terminal, groups);
}

function meanText(group: CompleteGroup, value: Parameters<typeof overSeeds>[1]): string {
  const found = overSeeds(group, value);
  if (found === null) return NONE;
  return found.deviation === null ? inPercent(found.mean) : `${inPercent(found.mean)} ± ${inPercent(found.deviation)}`;
}

/** Only where all runs have the same classes. */
function showRecalls(terminal: Terminal, groups: readonly CompleteGroup[]): void {
  const runs = groups.flatMap((group) => group.runs);
  const [first] = runs;
  const namesOf = ({ evaluation }: CompleteRun) => JSON.stringify(evaluation.report.perClass.map(({ name }) => name));
  if (first === undefined || runs.some((run) => namesOf(run) !== namesOf(first))) return;
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
  for (const { name, against, paired } of differences(groups)) {
    const title = printable(`${name} against ${against}`);
    if ('reason' in paired) {
      terminal.say(`${title}: no pairs, ${paired.reason}.`);
      continue;
    }
    const parts = [...paired].map(([metric, { meanDifference, tTest }]) => {
      const p = tTest.value === null ? '' : ` (p = ${tTest.value.toPrecision(2)})`;
      return `${TITLES[metric].replace(' %', '')} ${pointsOf(meanDifference)}${p}`;
    });
    const [pairs = 0] = [...paired.values()].map((comparison) => comparison.pairs);
    const luck = pairs > 1 ? `paired t-test over ${pairs} seeds` : 'one seed: this may be luck; try --seeds 5';
    terminal.say(`${title}, in percentage points: ${parts.join(', ')}; ${luck}.`);
  }
}

/** A comparison for programs. */
export function comparisonAsJson(runs: readonly CompleteRun[]): object {
  const groups = groupRuns(runs);
  return {
    groups: groups.map((group) => ({
      name: group.name,
      runs: group.runs.map(({ folder }) => folder),
      seeds: group.runs.map(({ config }) => config.seed),
      metrics: Object.fromEntries(
        COMPARED.map((metric) => [metric, overSeeds(group, ({ estimates }) => estimates[metric].value)]),
      ),
      classes: group.runs[0]?.evaluation.report.perClass.map(({ name }, p) => ({
        name,
        recall: overSeeds(group, ({ estimates }) => estimates.recall[p]?.value),
      })),
    })),
    differences: differences(groups).map(({ name, against, paired }) => ({
      name,
      against,
      paired: 'reason' in paired ? paired : Object.fromEntries(paired),
    })),
  };
}
