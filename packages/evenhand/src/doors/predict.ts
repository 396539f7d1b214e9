/**
 * Predicting with a trained model, and nothing else: `evenhand/predict`.
 *
 * @packageDocumentation
 */
export type { Column, ColumnType } from '../dataset/column.js';
export { classIndices } from '../prediction/class-indices.js';
export {
  type FilePrediction,
  type OpenModelOptions,
  openModel,
  type Prediction,
  type Predictor,
} from '../prediction/predictor.js';
export type { CellValue, ReadColumns, ReadColumnsOptions, TableRow } from '../sources/table-columns.js';
export { UserError, type UserErrorDetails } from '../user-error.js';
