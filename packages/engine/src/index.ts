/**
 * Neural networks and training steps as ONNX models, run by ONNX Runtime. This entry runs everywhere; in Node,
 * `@evenhand/engine/node` trains in a thread of its own.
 *
 * @packageDocumentation
 */
export { gradients } from './differentiation/gradients.js';
export { exportModel, stateOfModel } from './export/trained-model.js';
export type { Attribute, Emitter, Target } from './graph/emitter.js';
export { type EmitContext, Graph, type Node, type Operation, Tensor, type VjpContext } from './graph/graph.js';
export { ShapeError } from './graph/shape.js';
export type { ElementType, Shape, TensorData, TensorType } from './graph/tensor.js';
export { parseStrictJson } from './json/strict-json.js';
export * as layers from './layers/index.js';
export { binaryCrossEntropy } from './losses/binary-cross-entropy.js';
export { crossEntropy } from './losses/cross-entropy.js';
export { type FocalOptions, focal } from './losses/focal.js';
export { hinge } from './losses/hinge.js';
export type { LabelFeed } from './losses/label-rows.js';
export type { Loss, LossContext } from './losses/loss.js';
export { meanSquareError } from './losses/mean-square-error.js';
export { squaredError } from './losses/squared-error.js';
export type { ModelOptions } from './models/define.js';
export { pack } from './models/pack.js';
export {
  createModel,
  isModelName,
  type ModelName,
  models,
  type OptionsOfModels,
} from './models/registry.js';
export * as initialisers from './network/initialisers.js';
export { type Mode, type Model, Network, type Parameter, type Statistic, seedInPack } from './network/network.js';
export { type Random, seededRandom, shuffled } from './network/random.js';
export { type ModelMetadata, readMetadata, withMetadata } from './onnx/metadata.js';
export { type MixedModel, mixModels } from './onnx/mix-models.js';
export { type OnnxOptions, onnxModel } from './onnx/model.js';
export type { NodeWriter } from './onnx/node-writer.js';
export { ModelError, readModel } from './onnx/read-model.js';
export { type ModelValue, type ModelWrapping, wrapModel } from './onnx/wrap-model.js';
export * as operations from './operations/index.js';
export { type AdamOptions, adam, adamw } from './optimizers/adam.js';
export { clipByNorm } from './optimizers/clip-by-norm.js';
export { chain, type GradientTransform, type Optimizer } from './optimizers/optimizer.js';
export { accumulateMomentum, type SgdOptions, sgd } from './optimizers/sgd.js';
export { ClosedError, DeviceError, FeedError, NonFiniteLossError, StateError, WorkerError } from './runtime/errors.js';
export { type EpochResult, type FitData, type FitOptions, fit } from './runtime/fit.js';
export type { Device, DeviceOptions, OnnxRuntime } from './runtime/onnx-runtime.js';
export { ProgramSession } from './runtime/session.js';
export { detectTarget } from './runtime/target.js';
export type { Feeds, State, StateTensor, Training } from './runtime/training.js';
export * as schedules from './schedules/index.js';
export {
  type ReadSafetensorsOptions,
  readSafetensors,
  type SafetensorsFile,
  writeSafetensors,
} from './state/safetensors.js';
export { SafetensorsError, type StoredTensors } from './state/stored-tensor.js';
export { type BatchOptions, splitIntoBatches } from './training/batches.js';
export { createProgram } from './training/create-program.js';
export type { Normalisation } from './training/input-pipeline.js';
export type { Outputs } from './training/outputs.js';
export type { FeedEntry, Program, StateEntry } from './training/program.js';
export type { ProgramOptions } from './training/program-options.js';
