import type { PairedComparison } from 'evenhand/evaluation';
import { gainOver, type MetricSummary } from '../results/summarise.js';
import type { CellMethod } from '../tables/cell-methods.js';
import type { MetricName } from '../tables/tables.js';
import type { ResultRow } from './results.js';

/** A method's metric in a row over its seeds; undefined where nothing was run. */
export function metricIn({ summary }: ResultRow, method: CellMethod, metric: MetricName): MetricSummary | undefined {
  return summary?.methods.find((known) => known.method === method)?.metrics.find((known) => known.metric === metric);
}

/** A method against another in a row, on the table's own images; undefined where no seed has both. */
export function gainIn(
  { cells }: ResultRow,
  metric: MetricName,
  method: CellMethod,
  baseline: CellMethod,
): PairedComparison | undefined {
  const ofTable = cells.filter(({ subset }) => subset === 0);
  return gainOver(ofTable, metric, method, baseline);
}
