import type { SweepDefinition } from 'evenhand';
import { oneOf } from 'evenhand/command-line';
import { type MethodName, parseSweep } from 'evenhand/config';
import { type Cell, cellOf } from './cells.js';
import { type Scale, scaleOf } from './recipes.js';
import { LOSS_NAMES, TABLE_NAMES, TABLES } from './tables.js';

/** What is searched for a row. */
interface RowTuningOptions {
  readonly method: MethodName;
  readonly scale: Scale;
  /** By the path of an option: a list of values or a range. */
  readonly search: Readonly<Record<string, unknown>>;
  /** Validation sets and seeds that every trial is trained with. */
  readonly draws: number;
}

const ROWS = TABLE_NAMES.flatMap((table) =>
  TABLES[table].settings.flatMap((setting) =>
    LOSS_NAMES.map((loss) => ({ name: `${setting.name}/${loss}`, table, setting: setting.name, loss })),
  ),
);

/**
 * A sweep over the recipe of a table's row: its data, network and all that is not searched stay.
 *
 * @param row - such as `long-tail/ce`
 * @throws {@link UserError} if there is no such row, or something cannot be searched
 */
export function rowTuning(
  row: string,
  { method, scale, search, draws }: RowTuningOptions,
): { readonly cell: Cell; readonly definition: SweepDefinition } {
  const names = ROWS.map(({ name }) => name);
  const found = ROWS[names.indexOf(oneOf('the row', row, names))];
  if (found === undefined) throw new Error(`internal: no row ${row}`);
  const { table, setting, loss } = found;
  const cell = cellOf({ table, scale: scaleOf(table, scale), setting, loss, method, seed: 0, subset: 0 });
  // All trials are trained to their end: rows are compared by what the whole recipe comes to.
  return { cell, definition: parseSweep({ config: cell.config, search, draws, pruning: false }) };
}
