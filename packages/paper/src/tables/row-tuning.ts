import type { SweepDefinition } from 'evenhand';
import { oneOf } from 'evenhand/command-line';
import { parseSweep } from 'evenhand/config';
import type { CellMethod } from './cell-methods.js';
import { type Cell, cellOf } from './cells.js';
import { type Scale, scaleOf } from './recipes.js';
import { TABLE_NAMES, TABLES } from './tables.js';

/** What is searched for a row. */
interface RowTuningOptions {
  readonly method: CellMethod;
  readonly scale: Scale;
  /** By the path of an option: a list of values or a range. */
  readonly search: Readonly<Record<string, unknown>>;
  /** Validation sets and seeds that every trial is trained with. */
  readonly draws: number;
  /**
   * Held-out training images of every class that trials are compared by. The row's own few are for the method to measure by; to choose a
   * recipe takes more.
   */
  readonly validationPerClass?: number;
}

const ROWS = TABLE_NAMES.flatMap((table) =>
  TABLES[table].settings.flatMap((setting) =>
    TABLES[table].losses.map((loss) => ({ name: `${setting.name}/${loss}`, table, setting: setting.name, loss })),
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
  { method, scale, search, draws, validationPerClass }: RowTuningOptions,
): { readonly cell: Cell; readonly definition: SweepDefinition } {
  const names = ROWS.map(({ name }) => name);
  const found = ROWS[names.indexOf(oneOf('the row', row, names))];
  if (found === undefined) throw new Error(`internal: no row ${row}`);
  const { table, setting, loss } = found;
  const cell = cellOf({ table, scale: scaleOf(table, scale), setting, loss, method, seed: 0, subset: 0 });
  // All trials are trained to their end: rows are compared by what the whole recipe comes to.
  const { config } = cell;
  const data = { ...config.data, ...(validationPerClass === undefined ? {} : { validationPerClass }) };
  return { cell, definition: parseSweep({ config: { ...config, data }, search, draws, pruning: false }) };
}
