import { comparePaired, type PairedComparison, sampleStatistics } from 'evenhand/evaluation';
import type { CellMethod } from '../tables/cell-methods.js';
import {
  LOSS_NAMES,
  type LossName,
  type MetricName,
  PAPER_METHODS,
  type PaperNumber,
  paperNumber,
  type Setting,
  TABLES,
  type TableName,
} from '../tables/tables.js';
import type { CellResult } from './cell-result.js';

/** A metric over the seeds, in per cent. */
export interface MetricSummary {
  readonly metric: MetricName;
  readonly mean: number;
  /** Sample standard deviation; null for one seed. */
  readonly deviation: number | null;
  /** Null where the paper has none: for methods that it does not have. */
  readonly paper: PaperNumber | null;
}

/** A method in a row. */
interface MethodSummary {
  readonly method: CellMethod;
  readonly seeds: readonly number[];
  readonly metrics: readonly MetricSummary[];
  /** Mean recall of every class, in per cent; null for a class without test instances. */
  readonly recall: readonly (number | null)[];
}

/** Enhancement against one-hot, over the seeds that both have; differences in points. */
interface Gain extends PairedComparison {
  readonly metric: MetricName;
}

/** A row of a table. */
export interface RowSummary {
  readonly setting: Setting;
  readonly loss: LossName;
  /** The paper's methods in its order, others after them; those of which something was run. */
  readonly methods: readonly MethodSummary[];
  readonly gains: readonly Gain[];
  /** Of each method, over other draws of the data, the table's own among them; empty if only that was run. */
  readonly overSubsets: readonly (Pick<MethodSummary, 'method' | 'metrics'> & {
    readonly subsets: readonly number[];
  })[];
}

/** What a table came to: its rows of which something was run. */
export function summarise(table: TableName, results: readonly CellResult[]): RowSummary[] {
  return TABLES[table].settings.flatMap((setting) =>
    LOSS_NAMES.flatMap((loss) => {
      const own = results.filter((result) => result.setting === setting.name && result.loss === loss);
      return own.length === 0 ? [] : [summariseRow(table, setting, loss, own)];
    }),
  );
}

function summariseRow(table: TableName, setting: Setting, loss: LossName, results: readonly CellResult[]): RowSummary {
  const { metrics } = TABLES[table];
  const ofTable = results.filter(({ subset }) => subset === 0).sort((a, b) => a.seed - b.seed);
  const overDraws = results.filter(({ seed }) => seed === 0).sort((a, b) => a.subset - b.subset);
  const metricsOf = (method: CellMethod, own: readonly CellResult[]) =>
    metrics.map((metric) => ({
      metric,
      ...sampleStatistics(percents(own, metric)),
      paper: paperNumber({ setting, loss }, method, metric),
    }));
  return {
    setting,
    loss,
    methods: byMethod(ofTable).map(([method, own]) => ({
      method,
      seeds: own.map(({ seed }) => seed),
      metrics: metricsOf(method, own),
      recall: meanRecall(own),
    })),
    gains: gainsOf(ofTable, metrics),
    overSubsets: overDraws.every(({ subset }) => subset === 0)
      ? []
      : byMethod(overDraws).map(([method, own]) => ({
          method,
          subsets: own.map(({ subset }) => subset),
          metrics: metricsOf(method, own),
        })),
  };
}

/** The paper's methods first. */
function byMethod(results: readonly CellResult[]): [CellMethod, CellResult[]][] {
  const names = new Set<CellMethod>([...PAPER_METHODS, ...results.map(({ method }) => method)]);
  return [...names]
    .map((name): [CellMethod, CellResult[]] => [name, results.filter(({ method }) => method === name)])
    .filter(([, own]) => own.length > 0);
}

function gainsOf(results: readonly CellResult[], metrics: readonly MetricName[]): Gain[] {
  return metrics.flatMap((metric) => {
    const gain = gainOver(results, metric, 'enhancement', 'one-hot');
    return gain === undefined ? [] : [{ metric, ...gain }];
  });
}

/** A method against another over the seeds that both have; undefined if there is none. Differences in points. */
export function gainOver(
  results: readonly CellResult[],
  metric: MetricName,
  method: CellMethod,
  baseline: CellMethod,
): PairedComparison | undefined {
  const pairs = results.flatMap((ours) => {
    const theirs = results.find((other) => other.method === baseline && other.seed === ours.seed);
    return ours.method === method && theirs !== undefined ? [{ ours, theirs }] : [];
  });
  if (pairs.length === 0) return undefined;
  const [ours, theirs] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.theirs)];
  return comparePaired(percents(ours, metric), percents(theirs, metric));
}

function percents(results: readonly CellResult[], metric: MetricName): number[] {
  return results.map((result) => {
    const share = result[metric];
    if (share === null) throw new Error(`internal: a result of ${result.table} has no ${metric}`);
    return 100 * share;
  });
}

function meanRecall(results: readonly CellResult[]): (number | null)[] {
  return (results[0]?.recall ?? []).map((_, p) => {
    const recalls = results.map(({ recall }) => recall[p] ?? null).filter((recall) => recall !== null);
    return recalls.length === 0 ? null : 100 * sampleStatistics(recalls).mean;
  });
}
