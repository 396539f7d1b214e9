import type { RunSummary } from 'evenhand/studio';
import { NONE, percent } from '../../parts/format.js';
import type { CellValue, Column } from './columns.js';

/** A row of the table: a run, or several that differ only in split and seed. */
export interface Row {
  readonly id: string;
  /** The run that stands for it. */
  readonly first: RunSummary;
  readonly runs: readonly RunSummary[];
}

/** Rows of runs, each for itself or with those that differ from it in nothing but split and seed. */
export function rowsOf(runs: readonly RunSummary[], grouped: boolean): Row[] {
  if (!grouped) return runs.map((run) => ({ id: run.id, first: run, runs: [run] }));
  const groups = new Map<string, [RunSummary, ...RunSummary[]]>();
  for (const run of runs) {
    const own = groups.get(run.group);
    if (own === undefined) groups.set(run.group, [run]);
    else own.push(run);
  }
  return [...groups].map(([group, members]) => ({ id: group, first: members[0], runs: members }));
}

/** Mean and sample standard deviation of the values that there are. */
export function meanOf(
  { runs }: Row,
  { value }: Pick<Column, 'value'>,
): { readonly mean: number; readonly deviation: number | null } | null {
  const values = runs.map(value).filter((one): one is number => typeof one === 'number');
  if (values.length === 0) return null;
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? null : Math.sqrt(squares / (values.length - 1)) };
}

/** What a row has in a column, for sorting. */
function rowValue(row: Row, column: Column): CellValue {
  return column.isAveraged === true ? (meanOf(row, column)?.mean ?? null) : column.value(row.first);
}

/** What a row has in a column, for people. */
export function rowText(row: Row, column: Column): string {
  if (row.runs.length === 1) return column.text(row.first);
  if (column.isAveraged === true) {
    const found = meanOf(row, column);
    if (found === null) return NONE;
    if (column.key === 'logLoss') return found.mean.toFixed(3);
    return found.deviation === null
      ? percent(found.mean)
      : `${(100 * found.mean).toFixed(1)} ± ${(100 * found.deviation).toFixed(1)}`;
  }
  const texts = [...new Set(row.runs.map((run) => column.text(run)))];
  return texts.length <= 2 ? texts.join(', ') : `${texts.length} values`;
}

/** Sorts by a column; where two are equal, by name. What has no value comes last, whichever way. */
export function sorted(rows: readonly Row[], column: Column, descending: boolean): Row[] {
  const keyed = rows.map((row) => ({ row, value: rowValue(row, column) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) {
      if (a.value === b.value) return byName(a.row, b.row);
      return a.value === null ? 1 : -1;
    }
    const order =
      typeof a.value === 'number' && typeof b.value === 'number'
        ? a.value - b.value
        : String(a.value).localeCompare(String(b.value), 'en', { numeric: true });
    return (descending ? -order : order) || byName(a.row, b.row);
  });
  return keyed.map(({ row }) => row);
}

function byName(a: Row, b: Row): number {
  return a.first.name.localeCompare(b.first.name, 'en', { numeric: true });
}
