import { type MethodName, methods } from 'evenhand/config';
import { sampleStatistics } from 'evenhand/evaluation';
import { at } from '../checked-access.js';
import { type Score, testTop1 } from '../equal-budget/comparison.js';
import { BUDGET_ROWS, METHOD_ROWS, ONE_HOT, rowOfMethod } from '../equal-budget/rows.js';
import { lineOf, type MeasuredRun, type RunLine } from '../equal-budget/run-lines.js';
import { ALL_RUNS, budgetRuns } from '../equal-budget/runs.js';
import { ComparisonTables } from '../seven-tables/comparison-tables.js';
import { variantHash } from '../seven-tables/fold-job.js';
import { type FoldResult, FoldResults } from '../seven-tables/fold-results.js';
import { COMPARED_METHODS, methodFolds, methodVariants } from '../seven-tables/methods.js';

/** What a method comes to somewhere, and which place it has among the others there; 1 is the best. */
export interface Standing {
  readonly mean: number;
  readonly rank: number;
}

/** A method, and what was measured of it. */
export interface MeasuredMethod {
  readonly name: MethodName;
  /** Mean balanced accuracy on the seven tables, a share, and the mean of its ranks there. */
  readonly tables: Standing | null;
  /** Seconds of the processor on the tables, beside those of one-hot labels. */
  readonly cost: number | null;
  /** Mean top-1 on long-tailed MNIST, in per cent. */
  readonly images: Standing | null;
}

/** All that is known of the methods. */
export interface MeasuredMethods {
  readonly methods: readonly MeasuredMethod[];
  /** How many folds of the tables the results are of, and how many there are to be. */
  readonly folds: number;
  readonly allFolds: number;
  /** Methods without results of these folds. */
  readonly withoutFolds: readonly MethodName[];
  /** How many runs on images each method has that has any, at least; how many there are to be; and methods without any. */
  readonly runs: number;
  readonly allRuns: number;
  readonly withoutRuns: readonly MethodName[];
}

/** Puts the results together. Methods are compared by folds, and by draws and seeds, that all have which have any. */
export function measureMethods(foldLines: readonly FoldResult[], runLines: readonly RunLine[]): MeasuredMethods {
  const { tables, folds } = commonFolds(foldLines);
  const ranks = folds === 0 ? new Map<string, number>() : tables.meanRanks('balancedAccuracy');
  const images = commonRuns(runLines);
  const seconds = (name: string) => (folds === 0 ? null : tables.mean(name, 'seconds'));
  const usual = seconds('one-hot');
  const measured = COMPARED_METHODS.map((name): MeasuredMethod => {
    const [mean, rank] = [folds === 0 ? null : tables.mean(name, 'balancedAccuracy'), ranks.get(name)];
    const own = seconds(name);
    return {
      name,
      tables: mean === null || rank === undefined ? null : { mean, rank },
      cost: own === null || usual === null ? null : own / usual,
      images: images.standings.get(name) ?? null,
    };
  });
  return {
    methods: measured,
    folds,
    allFolds: methodFolds().length,
    withoutFolds: measured.filter((method) => method.tables === null).map(({ name }) => name),
    runs: images.runs,
    allRuns: images.allRuns,
    withoutRuns: measured
      .filter(({ name, images: own }) => own === null && rowOfMethod(name) !== undefined)
      .map(({ name }) => name),
  };
}

/** The folds that every method has which has any; results of other configurations do not count. */
function commonFolds(lines: readonly FoldResult[]): { readonly tables: ComparisonTables; readonly folds: number } {
  const hashes = new Map([...methodVariants()].map(([name, variant]) => [name, variantHash(variant)]));
  const results = new FoldResults(lines.filter(({ learner, configuration }) => hashes.get(learner) === configuration));
  const common = methodFolds().filter((key) => results.learners.every((name) => results.of(name, [key]).length === 1));
  const keys = results.learners.length === 0 ? [] : common;
  return { tables: new ComparisonTables(results, keys), folds: keys.length };
}

/** The standings of the methods on images, by the draws and seeds that all of them have. */
function commonRuns(lines: readonly RunLine[]) {
  const runs = budgetRuns({ ...ALL_RUNS, rows: [...BUDGET_ROWS, ...METHOD_ROWS] });
  const known = new Map<MethodName, Map<string, MeasuredRun>>();
  for (const { name } of Object.values(methods)) {
    const row = rowOfMethod(name);
    const own = runs.filter((run) => run.row === row).flatMap((run) => lineOf(run, lines) ?? []);
    const measured = own.filter((line): line is MeasuredRun => 'test' in line);
    if (measured.length > 0) known.set(name, new Map(measured.map((line) => [`${line.draw} ${line.seed}`, line])));
  }
  const all = [...known.values()];
  const common = [...(known.get(ONE_HOT)?.keys() ?? [])].filter((key) => all.every((own) => own.has(key)));
  const means = [...known].map(([name, own]) => ({
    name,
    mean: sampleStatistics(common.flatMap((key) => scored(own.get(key), testTop1))).mean,
  }));
  const sorted = means.map(({ mean }) => mean).sort((a, b) => b - a);
  const standings = new Map(means.map(({ name, mean }) => [name, { mean, rank: sorted.indexOf(mean) + 1 }]));
  const allRuns = ALL_RUNS.draws * ALL_RUNS.seeds;
  return { standings: common.length === 0 ? new Map<MethodName, Standing>() : standings, runs: common.length, allRuns };
}

function scored(run: MeasuredRun | undefined, score: Score): number[] {
  return run === undefined ? [] : [score(run)];
}

/** The best of some methods by a standing; undefined if none has one. */
export function bestOf(
  measured: readonly MeasuredMethod[],
  standing: (method: MeasuredMethod) => Standing | null,
): MeasuredMethod | undefined {
  const known = measured.flatMap((method) => {
    const own = standing(method);
    return own === null ? [] : [{ method, rank: own.rank }];
  });
  return known.length === 0
    ? undefined
    : at(
        known.sort((a, b) => a.rank - b.rank),
        0,
      ).method;
}
