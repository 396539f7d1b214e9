import { at } from '../checked-access.js';
import { AVERAGED, type Averages } from './averages.js';
import type { ClassificationReport } from './classification-report.js';
import type { Metric } from './metric.js';

/** Short enough that a table of eight numbers fits a terminal. */
const HEADINGS: Readonly<Record<keyof Averages, string>> = {
  recall: 'recall',
  precision: 'precision',
  specificity: 'specificity',
  f1: 'F1',
  gMean: 'G-mean',
  indexBalancedAccuracy: 'IBA',
  rocAuc: 'ROC-AUC',
  averagePrecision: 'AP',
};
const LONGEST_NAME = 24;

/**
 * A {@link ClassificationReport} as text for people: one row per class, the averages, and the headline numbers. A dash
 * stands for what is undefined, with the reasons below.
 */
export function reportTable(report: ClassificationReport): string {
  const reasons = new Set<string>();
  const show = (item: Metric) => {
    if (item.value !== null) return item.value.toFixed(3);
    reasons.add(item.reason);
    return '–';
  };
  const numbers = (averages: Averages) => AVERAGED.map((key) => show(averages[key]));

  const table = alignColumns([
    ['class', 'support', ...AVERAGED.map((key) => HEADINGS[key])],
    ...report.perClass.map((item) => [printable(item.name), String(item.support), ...numbers(item)]),
    [],
    ['macro mean', String(report.instances), ...numbers(report.macro)],
    ['weighted mean', String(report.instances), ...numbers(report.weighted)],
  ]);
  const headline = alignColumns([
    ['accuracy', report.accuracy.toFixed(3)],
    [`top-${report.topK.k} accuracy`, report.topK.accuracy.toFixed(3)],
    ['balanced accuracy', report.balancedAccuracy.toFixed(3)],
    ['minority accuracy', show(report.minority.accuracy)],
    ['many / medium / few', [report.groups.many, report.groups.medium, report.groups.few].map(show).join(' / ')],
    ['G-mean', report.gMean.toFixed(3)],
    ['Matthews correlation', show(report.matthewsCorrelation)],
    ["Cohen's kappa", show(report.cohensKappa)],
    ['Brier score', show(report.brier)],
    [
      'calibration error',
      `${show(report.calibration.expectedError)} (at most ${show(report.calibration.maximumError)})`,
    ],
  ]);
  const notes = [...reasons].map((reason) => `– ${printable(reason, Number.POSITIVE_INFINITY)}`);
  return [...table, '', ...headline, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/** First column to the left, the others to the right, each as wide as its widest cell. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const length = (text: string) => [...text].length;
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, c) => Math.max(...rows.map((row) => length(row[c] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, c) => {
        const padding = ' '.repeat(at(widths, c) - length(cell));
        return c === 0 ? cell + padding : padding + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** A name on one line, without control characters, cut where it is too long for a table. */
function printable(name: string, longest = LONGEST_NAME): string {
  const characters = [...name.replace(/\p{C}+/gu, ' ')];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}
