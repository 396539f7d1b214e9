import type { Metric } from '@evenhand/encoding';
import { comparePaired } from 'evenhand/evaluation';
import { NONE } from 'evenhand/report';
import { at } from '../checked-access.js';
import { markdownTable, signed } from '../documents/markdown-table.js';
import { type WrittenBlock, writeBlock } from '../documents/written-block.js';
import { holmCorrected } from '../holm.js';
import { probability } from '../numbers.js';
import {
  type AblationLearner,
  LADDER,
  METHODS,
  PORTFOLIOS,
  TREE_METHODS,
  TUNING_TABLES,
  tuningFolds,
  USUAL_METHOD,
  USUAL_PORTFOLIO,
  USUAL_TREES,
} from './ablation.js';
import { ComparisonTables } from './comparison-tables.js';
import { type FoldResult, FoldResults, type MeasureName } from './fold-results.js';

/** The part of `docs/learner.md` that is written from the results. */
export const ABLATION_BLOCK: WrittenBlock = {
  name: 'ablation',
  writtenBy: '`npm run tables -- --ablation` from the lines of results/tables/tuning.jsonl',
};

/** Writes what each part of the learner brings into the page about it. */
export async function writeAblationSection(file: string, lines: readonly FoldResult[]): Promise<void> {
  await writeBlock(file, ABLATION_BLOCK, ablationSection(lines));
}

/** Tables, as Markdown. It says which results are missing. */
export function ablationSection(lines: readonly FoldResult[]): string {
  if (lines.length === 0) return 'Nothing was run yet.';
  const tables = new ComparisonTables(new FoldResults(lines), tuningFolds());
  return [
    '**Step by step.** Each step builds on the previous ones and is compared with the one before it:',
    ladder(tables),
    `**The method alone.** One pack of networks for tables, everything else equal, compared with ${USUAL_METHOD}; p is corrected for the number of methods (Holm):`,
    comparedWith(tables, METHODS, USUAL_METHOD, 'method'),
    '**What helps trees.** Boosted trees alone, everything else equal, compared with logit adjustment; p is corrected for the number of rows (Holm):',
    comparedWith(tables, TREE_METHODS, USUAL_TREES, 'method'),
    '**Which members.** Compared with the default; p is corrected for the number of rows (Holm):',
    comparedWith(tables, PORTFOLIOS, USUAL_PORTFOLIO, 'members'),
    missing(tables),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function ladder(tables: ComparisonTables): string {
  const steps = LADDER.map((step, i) => ({ step, before: LADDER[i - 1] }));
  const rows = steps
    .filter(({ step }) => isComplete(tables, step))
    .map(({ step, before }) => {
      const gain = before === undefined ? null : compareOnTables(tables, step, before);
      return [
        step.title,
        percent(tables, step, 'balancedAccuracy'),
        gain === null ? NONE : signed(100 * gain.difference),
        gain === null ? NONE : wonText(gain),
        gain === null ? NONE : probability(gain.test),
        withChange(tables, step, before, 'macroAveragePrecision'),
        withChange(tables, step, before, 'logLoss'),
      ];
    });
  return rows.length === 0 ? 'No step is complete yet.' : markdownTable(header('step', 'gain'), rows);
}

/** Learners of a list, each compared with the usual one of them. */
function comparedWith(
  tables: ComparisonTables,
  learners: readonly AblationLearner[],
  usualName: string,
  what: string,
): string {
  const usual = learners.find(({ name }) => name === usualName);
  const complete = learners.filter((method) => isComplete(tables, method));
  const gains = complete.map((method) =>
    usual === undefined || method === usual ? null : compareOnTables(tables, method, usual),
  );
  const corrected = holmCorrected(gains.map((gain) => gain?.test.value ?? null));
  const rows = complete.map((method, i) => {
    const gain = at(gains, i);
    const value = at(corrected, i);
    return [
      method.title,
      percent(tables, method, 'balancedAccuracy'),
      gain === null ? NONE : signed(100 * gain.difference),
      gain === null ? NONE : wonText(gain),
      value === null ? NONE : probability({ value }),
      withChange(tables, method, method === usual ? undefined : usual, 'macroAveragePrecision'),
      withChange(tables, method, method === usual ? undefined : usual, 'logLoss'),
    ];
  });
  return rows.length === 0 ? 'No row is complete yet.' : markdownTable(header(what, 'difference'), rows);
}

function header(first: string, change: string): string[] {
  return [
    first,
    'balanced accuracy, %',
    change,
    'tables won',
    'p',
    'macro average precision, % (change)',
    'log-loss (change)',
  ];
}

/** One learner against another, table by table, in balanced accuracy. */
interface Gain {
  readonly difference: number;
  /** Tables on which it is better, and on which worse. */
  readonly won: number;
  readonly lost: number;
  readonly test: Metric;
}

/** Null where one of them is incomplete. */
function compareOnTables(tables: ComparisonTables, ours: AblationLearner, theirs: AblationLearner): Gain | null {
  if (!isComplete(tables, ours) || !isComplete(tables, theirs)) return null;
  const [own, other] = [ours, theirs].map(({ name }) =>
    tables.tables.map((table) => tables.onTable(name, table, 'balancedAccuracy') ?? Number.NaN),
  );
  if (own === undefined || other === undefined) throw new Error('internal: two learners have two lists');
  const { meanDifference, tTest } = comparePaired(own, other);
  return {
    difference: meanDifference,
    won: own.filter((value, i) => value > at(other, i)).length,
    lost: own.filter((value, i) => value < at(other, i)).length,
    test: tTest,
  };
}

function wonText({ won, lost }: Gain): string {
  const level = TUNING_TABLES.length - won - lost;
  return `${won} of ${TUNING_TABLES.length}${level === 0 ? '' : ` (${level} ${level === 1 ? 'tie' : 'ties'})`}`;
}

/** `71.3 (+0.4)`: a mean over the tables, and how far it is from another learner's. */
function withChange(
  tables: ComparisonTables,
  ours: AblationLearner,
  theirs: AblationLearner | undefined,
  measure: 'macroAveragePrecision' | 'logLoss',
): string {
  const own = tables.mean(ours.name, measure);
  const other = theirs === undefined ? null : tables.mean(theirs.name, measure);
  if (own === null) return NONE;
  if (measure === 'logLoss') {
    return `${own.toFixed(3)}${other === null ? '' : ` (${own < other ? '−' : '+'}${Math.abs(own - other).toFixed(3)})`}`;
  }
  return `${(100 * own).toFixed(1)}${other === null ? '' : ` (${signed(100 * (own - other))})`}`;
}

function percent(tables: ComparisonTables, { name }: AblationLearner, measure: MeasureName): string {
  const mean = tables.mean(name, measure);
  return mean === null ? NONE : (100 * mean).toFixed(1);
}

function isComplete(tables: ComparisonTables, { name }: AblationLearner): boolean {
  return tables.mean(name, 'balancedAccuracy') !== null;
}

/** What the reader has to know of results that are not there. */
function missing(tables: ComparisonTables): string {
  const begun = new Map(tables.incomplete.map(({ learner, folds }) => [learner, folds]));
  const all = [...LADDER, ...METHODS, ...TREE_METHODS, ...PORTFOLIOS];
  const names = new Set(all.filter((own) => !isComplete(tables, own)).map(({ name }) => name));
  if (names.size === 0) return '';
  const folds = tuningFolds().length;
  const texts = [...names].map((name) => `${name} (${begun.get(name) ?? 0} of ${folds} folds)`);
  return `**Preliminary:** not in these tables, because folds are missing: ${texts.join(', ')}.`;
}
