import { findBins, type SharedTable, writeBins } from '../bins/bin-table.js';
import type { Column } from '../bins/column.js';
import { Workspace } from '../growth/workspace.js';
import type { LabelRows } from '../losses/labels.js';
import { layOut, type Sizes } from '../memory/layout.js';
import type { Team } from '../team.js';
import { createKernels } from '../wasm/kernels.js';
import { Boosting, type BoostingOptions } from './boosting.js';

/** All that a thread needs to know to take part, apart from the memory. Can be sent to a thread. */
export interface SessionSetting {
  readonly sizes: Sizes;
  readonly classes: number;
  readonly options: BoostingOptions;
  readonly labels: LabelRows;
  /** Scores of the classes before the first tree, if not those of the labels. */
  readonly baseline: Float32Array | undefined;
  readonly table: SharedTable;
  readonly shared: boolean;
  /** Bins that were found before; rows that are binned with them go through trees that were trained with them. */
  readonly columns?: readonly Column[];
}

/** Bits that the count of all rows needs. */
function countBitsOf(rows: number): number {
  return Math.ceil(Math.log2(rows + 1));
}

/** Takes the memory for a session. */
export function createMemory(sizes: Sizes, shared: boolean): WebAssembly.Memory {
  const { pages } = layOut(sizes);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
}

/** Writes what is known of every row. */
export function writeRows(
  memory: WebAssembly.Memory,
  sizes: Sizes,
  {
    labels,
    weights,
    folds,
  }: { readonly labels: Int32Array; readonly weights?: Float32Array; readonly folds?: Int32Array },
): void {
  const layout = layOut(sizes);
  new Int32Array(memory.buffer, layout.labels, sizes.rows).set(labels);
  const weightOf = new Float32Array(memory.buffer, layout.weights, sizes.rows);
  if (weights === undefined) weightOf.fill(1);
  else weightOf.set(weights);
  const foldOf = new Int32Array(memory.buffer, layout.folds, sizes.rows);
  if (folds === undefined) foldOf.fill(-1);
  else foldOf.set(folds);
}

/** Begins boosting: bins the table, together with the other threads. */
export function startBoosting(memory: WebAssembly.Memory, setting: SessionSetting, team: Team): Boosting {
  const layout = layOut(setting.sizes);
  const countBits = countBitsOf(layout.rows);
  const { minimalLeafRows } = setting.options;
  const { pages } = layout;
  const kernels = createKernels(memory, { pages, shared: setting.shared, countBits, minimalLeafRows });
  const columns = setting.columns ?? findBins(memory, layout, team, setting.table);
  writeBins(memory, layout, team, setting.table, columns);
  const space = new Workspace(memory, layout, kernels, team, columns, countBits);
  return new Boosting(space, setting.options, setting.classes, setting.labels, setting.baseline);
}
