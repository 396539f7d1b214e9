import { join } from 'node:path';
import { at } from '../../../checked-access.js';
import type { Estimate } from '../../../evaluation/estimate.js';
import type { Evaluation } from '../../../evaluation/evaluate.js';
import { notableClasses } from '../../../evaluation/notable-classes.js';
import { refitText } from '../../../runs/refit-text.js';
import type { CompleteRun } from '../../../runs/run.js';
import { RUN_FILES } from '../../../runs/run-files.js';
import { verdictOn } from '../../../runs/verdict.js';
import { commandLine } from '../../../wording/command-line.js';
import { amount, count, inPercentWithInterval } from '../../../wording/numbers.js';
import { formatTable, type TableColumn } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { sayWhichClasses } from '../../terminal/which-classes.js';
import { showVerdict } from '../compare/show-verdict.js';
import { showPortfolio } from './show-portfolio.js';

/**
 * Shows what a classifier came to on some test data: every class, from most to fewest training instances, then the headline metrics.
 *
 * @param data - what it was tested on
 */
export function showResults(
  terminal: Terminal,
  { report, estimates, costs }: Evaluation,
  trainingCounts: readonly number[],
  data = 'the test set',
): void {
  const bold = (title: string) => terminal.style('bold', title);
  const columns: TableColumn[] = [
    { title: 'class', align: 'left' },
    { title: 'training' },
    { title: 'test' },
    { title: 'recall % [95 %]' },
  ];
  const shown = notableClasses(report, trainingCounts);
  const rows = shown.map((p) => {
    const { name, support } = at(report.perClass, p);
    return [name, count(at(trainingCounts, p)), count(support), inPercentWithInterval(at(estimates.recall, p))];
  });
  terminal.say(formatTable(columns, rows, bold));
  sayWhichClasses(terminal, shown.length, report.perClass.length);
  terminal.say();
  terminal.say(
    formatTable(
      [{ title: `on ${data}`, align: 'left' }, { title: '% [95 %]' }],
      headlines({ report, estimates }).map(([name, estimate]) => [name, inPercentWithInterval(estimate)]),
      bold,
    ),
  );
  if (costs === null) return;
  terminal.say();
  terminal.say(
    `mean cost per instance ${amount(costs.mean.value)}, ${amount(costs.total)} in all; always answering the likeliest class: ` +
      `${amount(costs.likeliest.mean)}, ${amount(costs.likeliest.total)} in all`,
  );
}

/** The metrics that everybody asks for, with their names. */
function headlines({ report, estimates }: Pick<Evaluation, 'report' | 'estimates'>): [string, Estimate][] {
  const { binary } = estimates;
  const rarest = report.minority.classes.length;
  return [
    ['accuracy', estimates.accuracy],
    ['balanced accuracy', estimates.balancedAccuracy],
    [`accuracy of the ${rarest === 1 ? 'rarest class' : `${rarest} rarest`}`, estimates.minorityAccuracy],
    ['macro F1', estimates.macroF1],
    ['G-mean', estimates.gMean],
    ['Matthews correlation', estimates.matthewsCorrelation],
    ...(binary === null
      ? []
      : ([
          [`ROC AUC of ${at(report.perClass, binary.positive).name}`, binary.rocAuc],
          [`average precision of ${at(report.perClass, binary.positive).name}`, binary.averagePrecision],
        ] satisfies [string, Estimate][])),
  ];
}

/** Shows a run that is complete, a verdict on it, where its files are, and what to do next. */
export function showRun(terminal: Terminal, run: CompleteRun, page: string | null): void {
  const { folder, config, evaluation } = run;
  const data = evaluation.estimated === undefined ? 'the test set' : 'the training rows, out of fold';
  showResults(terminal, evaluation, evaluation.counts.training, data);
  showPortfolio(terminal, evaluation);
  terminal.say();
  const refit = refitText(evaluation);
  if (refit !== undefined) terminal.say(`${refit}\n`);
  showVerdict(terminal, folder, verdictOn(run));
  terminal.say();
  terminal.say(`  model        ${printable(join(folder, RUN_FILES.model))}`);
  terminal.say(`  predictions  ${printable(join(folder, RUN_FILES.predictions))}`);
  if (page !== null) terminal.say(`  report       ${printable(page)}`);
  terminal.say();
  const rows = config.data.target === undefined ? 'images/' : 'new-rows.csv';
  terminal.say(`Next: ${printable(commandLine('predict', folder, rows, '--out', 'predicted.csv'))}`);
}

/** A complete run for programs. */
export function runAsJson(run: CompleteRun): object {
  const { folder, config, evaluation } = run;
  const { report, estimates, counts, costs } = evaluation;
  const classes = report.perClass.map(({ name, support }, p) => ({
    name,
    training: at(counts.training, p),
    test: support,
    recall: at(estimates.recall, p),
  }));
  const { recall: _, ...metrics } = estimates;
  const { method, data, seed } = config;
  return {
    run: folder,
    method: method.name,
    split: data.splitSeed,
    seed,
    classes,
    metrics,
    ...(costs === null ? {} : { costs }),
    verdict: verdictOn(run),
  };
}
