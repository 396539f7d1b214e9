import { at } from '../checked-access.js';
import { readTable, sevenTablesFolder } from '../seven-tables/tables.js';
import { GENERATORS, type Instance, randomNumbers } from './generators.js';
import { type ComparedStream, drawStream } from './streams.js';

/** A stream with all its rows. */
export interface StreamRows {
  readonly columns: readonly string[];
  readonly instances: readonly Instance[];
}

/**
 * The rows of a stream for a seed: what is drawn, or the order of a table's rows.
 *
 * @throws {@link UserError} if a table is not there
 */
export async function rowsOf(stream: ComparedStream, seed: number): Promise<StreamRows> {
  if (stream.kind === 'made') {
    return { columns: GENERATORS[stream.generator].columns, instances: drawStream(stream, seed) };
  }
  const { columns, labels } = await readTable(sevenTablesFolder(), stream.name);
  const cells = columns.map((column) => ('values' in column ? column.values : column.codes));
  const instances = Array.from(labels, (label, row) => ({
    label,
    values: cells.map((values) => at<number>(values, row)),
  }));
  return { columns: columns.map(({ name }) => name), instances: inRandomOrder(instances, randomNumbers(seed)) };
}

/** Fisher and Yates's shuffle. */
function inRandomOrder<Item extends object>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [at(order, j), at(order, i)];
  }
  return order;
}
