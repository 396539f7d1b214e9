/**
 * Classifiers for imbalanced data: sources, splits, training runs, evaluation and prediction.
 *
 * @packageDocumentation
 */
export type { Column, ColumnType } from './dataset/column.js';
export type { Dataset, ImageDataset, TableDataset } from './dataset/dataset.js';
export { InputError } from './input-error.js';
