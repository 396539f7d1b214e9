/**
 * The paper's experiments: what it did and found, and how to do it again with evenhand.
 *
 * @packageDocumentation
 */
export {
  type ReproductionPage,
  type ReproductionPageOptions,
  writeReproductionPage,
} from './page/write-reproduction-page.js';
export {
  type CellLines,
  type CellResult,
  type DivergedCell,
  readCellLines,
} from './results/cell-result.js';
export { type MetricSummary, type RowSummary, summarise } from './results/summarise.js';
export { type CellEvent, type RunCellsOptions, type RunCellsOutcome, runCells } from './runner/run-cells.js';
export { type Cell, type CellKey, type CellOptions, type CellSelection, cellOf, cellsOf } from './tables/cells.js';
export type { Scale } from './tables/recipes.js';
export {
  type LossName,
  type MetricName,
  PAPER_METHODS,
  type PaperMethod,
  type PaperNumber,
  paperGain,
  paperNumber,
  type Setting,
  type SettingName,
  TABLES,
  type Table,
  type TableName,
} from './tables/tables.js';
