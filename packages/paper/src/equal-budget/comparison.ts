import { comparePaired, type PairedComparison, sampleStatistics } from 'evenhand/evaluation';
import type { BudgetRow } from './rows.js';
import { lineOf, type MeasuredRun, type RunLine } from './run-lines.js';
import type { BudgetRun } from './runs.js';

/** What there is of a row. */
export interface RowResults {
  readonly row: BudgetRow;
  readonly runs: readonly MeasuredRun[];
  /** Runs that there should be, those that diverged among them. */
  readonly expected: number;
  readonly diverged: number;
}

/** A number of a run, in per cent. */
export type Score = (run: MeasuredRun) => number;

export const testTop1: Score = ({ test }) => 100 * test.top1;
export const reservedTop1: Score = ({ reserved }) => 100 * reserved.top1;

/** The classes with the fewest images in the long tail. */
export const RAREST = [7, 8, 9];

/** Mean recall of the rarest classes on the test images. */
export const rarestRecall: Score = ({ test }) =>
  100 * sampleStatistics(RAREST.map((p) => test.recall[p] ?? Number.NaN)).mean;

/** The results of rows as they are configured now, in the order of the rows. */
export function resultsOf(
  rows: readonly BudgetRow[],
  runs: readonly BudgetRun[],
  lines: readonly RunLine[],
): RowResults[] {
  return rows.map((row) => {
    const expected = runs.filter((run) => run.row === row.name);
    const found = expected.flatMap((run) => lineOf(run, lines) ?? []);
    const measured = found.filter((line): line is MeasuredRun => 'test' in line);
    return { row, runs: measured, expected: expected.length, diverged: found.length - measured.length };
  });
}

/** Whether every run is there. */
export function isComplete({ runs, expected }: RowResults): boolean {
  return runs.length === expected;
}

/** Mean of a score; null without runs. */
export function meanOf(runs: readonly MeasuredRun[], score: Score): number | null {
  return runs.length === 0 ? null : sampleStatistics(runs.map(score)).mean;
}

/** A row against another over the draws and seeds that both have; null if there are none. */
export function compareRuns(ours: RowResults, theirs: RowResults, score: Score): PairedComparison | null {
  return compared(pairsOf(ours, theirs, score));
}

/** The same by the means of the draws: runs of one draw share their images, and are not independent of each other. */
export function compareDraws(ours: RowResults, theirs: RowResults, score: Score): PairedComparison | null {
  const pairs = pairsOf(ours, theirs, score);
  const ofDraws = drawsOf(ours).map((draw) => pairs.filter((pair) => pair.draw === draw));
  return compared(
    ofDraws
      .filter((own) => own.length > 0)
      .map((own) => ({
        own: sampleStatistics(own.map((pair) => pair.own)).mean,
        other: sampleStatistics(own.map((pair) => pair.other)).mean,
      })),
  );
}

interface Pair {
  readonly own: number;
  readonly other: number;
}

function pairsOf(ours: RowResults, theirs: RowResults, score: Score): (Pair & { readonly draw: number })[] {
  return ours.runs.flatMap((run) => {
    const other = theirs.runs.find(({ draw, seed }) => draw === run.draw && seed === run.seed);
    return other === undefined ? [] : [{ draw: run.draw, own: score(run), other: score(other) }];
  });
}

function compared(pairs: readonly Pair[]): PairedComparison | null {
  if (pairs.length === 0) return null;
  return comparePaired(
    pairs.map(({ own }) => own),
    pairs.map(({ other }) => other),
  );
}

/** Which draws of the images a row has runs of, ascending. */
export function drawsOf({ runs }: RowResults): number[] {
  return [...new Set(runs.map(({ draw }) => draw))].sort((a, b) => a - b);
}

export function runsOfDraw({ runs }: RowResults, draw: number): MeasuredRun[] {
  return runs.filter((run) => run.draw === draw);
}
