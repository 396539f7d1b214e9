/**
 * Gradient-boosted decision trees: trained in the thread of the caller, in Node and browsers.
 *
 * @packageDocumentation
 */
export type { CategoryColumn, Column, NumberColumn } from './bins/column.js';
export { TreesError } from './errors.js';
export { type FittedTrees, fit, type RoundListener } from './fit.js';
export type { LabelRows, LossOptions } from './losses/labels.js';
export type { Member, TreeModel } from './model/model.js';
export { gainImportance, predict, type TableValues } from './model/predict.js';
export { type OnnxNames, toONNX } from './model/to-onnx.js';
export type { Tree } from './model/tree.js';
export type { TreeOptions } from './options.js';
export { memoryOf } from './plan.js';
export type { TrainingData } from './training-data.js';
