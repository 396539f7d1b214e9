import { join } from 'node:path';
import type { Estimate } from '../evaluation/estimate.js';
import { RUN_FILES } from '../runs/run-folder.js';
import { count, percentWithInterval } from './numbers.js';
import type { CompleteRun, Results } from './read-run.js';
import { commandLine } from './shell.js';
import { formatTable, type TableColumn } from './table.js';
import type { Terminal } from './terminal.js';
import { printable } from './text.js';

/**
 * Shows what a classifier came to on some test data: every class, then the headline metrics.
 *
 * @param data - what it was tested on
 */
export function showResults(
  terminal: Terminal,
  results: Results,
  trainingCounts: readonly number[],
  data = 'the test set',
): void {
  const { report, estimates } = results;
  const bold = (title: string) => terminal.style('bold', title);
  const columns: TableColumn[] = [
    { title: 'class', align: 'left' },
    { title: 'training' },
    { title: 'test' },
    { title: 'recall % [95 %]' },
  ];
  const rows = report.perClass.map(({ name, support }, p) => {
    const recall = estimates.recall[p];
    return [
      name,
      count(trainingCounts[p] ?? 0),
      count(support),
      recall === undefined ? '–' : percentWithInterval(recall),
    ];
  });
  terminal.say(formatTable(columns, rows, bold));
  terminal.say();
  terminal.say(
    formatTable(
      [{ title: `on ${data}`, align: 'left' }, { title: '% [95 %]' }],
      headlines(results).map(([name, estimate]) => [name, percentWithInterval(estimate)]),
      bold,
    ),
  );
}

/** The metrics that everybody asks for, with their names. */
function headlines({ report, estimates }: Results): [string, Estimate][] {
  const { binary } = estimates;
  const positive = report.perClass[binary?.positive ?? -1]?.name ?? '';
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
          [`ROC AUC of ${positive}`, binary.rocAuc],
          [`average precision of ${positive}`, binary.averagePrecision],
        ] satisfies [string, Estimate][])),
  ];
}

/** Shows a run that is complete, where its files are, and what to do next. */
export function showRun(terminal: Terminal, run: CompleteRun, page: string | null): void {
  const { folder, config, trainingCounts, results } = run;
  showResults(terminal, results, trainingCounts);
  terminal.say();
  terminal.say(`  model        ${printable(join(folder, RUN_FILES.model))}`);
  terminal.say(`  predictions  ${printable(join(folder, RUN_FILES.predictions))}`);
  if (page !== null) terminal.say(`  report       ${printable(page)}`);
  terminal.say();
  const data = config.data.target === undefined ? 'images/' : 'new-rows.csv';
  terminal.say(`Next: ${printable(commandLine('predict', folder, data, '--out', 'predicted.csv'))}`);
}

/** A complete run for programs. */
export function runAsJson({ folder, config, trainingCounts, results }: CompleteRun): object {
  const { report, estimates } = results;
  const classes = report.perClass.map(({ name, support }, p) => ({
    name,
    training: trainingCounts[p] ?? 0,
    test: support,
    recall: estimates.recall[p] ?? null,
  }));
  const { recall: _, ...metrics } = estimates;
  return { run: folder, method: config.method.name, seed: config.seed, classes, metrics };
}
