import {
  adam,
  adamw,
  chain,
  clipByNorm,
  createModel,
  createProgram,
  crossEntropy,
  focal,
  hinge,
  type Loss,
  type Model,
  meanSquareError,
  type Optimizer,
  type Program,
  pack,
  ShapeError,
  sgd,
} from '@evenhand/engine';
import { detectTarget } from '@evenhand/engine/node';
import type { NetworkConfig } from '../config/schema.js';
import type { PreparedMethod } from '../methods/method.js';
import { UserError } from '../user-error.js';
import { evaluationBatchSize } from './batch-size.js';
import type { Instances } from './instances.js';
import { checkMemory } from './memory-estimate.js';

/** What a program is made for, beside its configuration. */
export interface ProgramContext {
  readonly instances: Instances;
  readonly classes: number;
  readonly method: PreparedMethod;
  /** Instances of a step, guides among them, of each network. */
  readonly batchSize: number;
  /** Networks side by side. */
  readonly folds: number;
  readonly validationInstances: number;
}

/** The engine's program of a configuration. Labels are class indices with a generator matrix, class weights are fed. */
export async function programOf(config: NetworkConfig, context: ProgramContext): Promise<Program> {
  const { instances, method, batchSize, folds, validationInstances } = context;
  const isImages = instances.kind === 'images';
  const single = modelOf(config.model, context);
  const model = folds === 1 ? single : packOf(single, folds);
  checkMemory(model, { batchSize, optimizer: config.optimizer.name });
  return createProgram(model, {
    batchSize,
    // Of each network of a pack.
    evaluationBatch: evaluationBatchSize(
      validationInstances,
      instances.shape.reduce((a, b) => a * b, 1),
    ),
    loss: method.loss,
    optimizer: optimizerOf(config.optimizer),
    ...(method.mixing === undefined
      ? { labels: 'indices-with-generator' as const, classWeights: 'fed' as const }
      : { labels: 'rows' as const }),
    ...methodFeeds(method),
    seed: config.seed,
    ...(isImages ? { inputType: 'uint8' as const, normalisation: instances.normalisation } : {}),
    // Blocks of channels are of convolutions, and of the CPU.
    ...(isImages && config.device === 'cpu' ? { target: await detectTarget() } : {}),
  });
}

/** What a method feeds beside labels and class weights. */
export function methodFeeds({ offsetsLogits, blendsLoss, retrainingEpochs }: PreparedMethod) {
  return {
    ...(offsetsLogits === true ? { logitOffsets: 'fed' as const } : {}),
    ...(blendsLoss === true ? { lossBlend: 'fed' as const } : {}),
    ...(retrainingEpochs === undefined ? {} : { bodyRate: 'fed' as const }),
  };
}

function modelOf(model: NetworkConfig['model'], { instances, classes, method }: ProgramContext): Model {
  const { classifier = 'linear', logitNorm = true } = method;
  // Cosines are bounded: the engine has no norm behind them.
  const given = {
    input: instances.shape,
    classes,
    classifier,
    logitNorm: model.logitNorm && logitNorm && classifier === 'linear',
  };
  try {
    if (model.name === 'mlp' || model.name === 'tabular') {
      const categories = instances.kind === 'table' ? instances.categories : [];
      if (model.name === 'tabular') return createModel('tabular', { ...model, ...given, categories });
      return createModel('mlp', { ...model, ...given, categories });
    }
    if (instances.kind === 'table') {
      throw new UserError(
        `model.name is "${model.name}", which takes images; expected "mlp" or "tabular" for a table`,
        {
          options: ['model.name'],
        },
      );
    }
    if (model.name === 'eanet') return createModel('eanet', { ...model, ...given });
    return createModel(model.name, { ...model, ...given });
  } catch (error) {
    // The engine's words are for people too: sizes of images and layers that do not go together.
    if (error instanceof RangeError || error instanceof ShapeError)
      throw new UserError(`model: ${error.message}`, { options: ['model.name'] });
    throw error;
  }
}

function packOf(model: Model, networks: number): Model {
  if (model.input.length === 1) return pack(model, networks);
  throw new UserError(`folds is ${networks}, but only tables can be trained in folds; expected 1 for images`, {
    options: ['folds'],
  });
}

function optimizerOf({ clipNorm, ...optimizer }: NetworkConfig['optimizer']): Optimizer {
  const plain = plainOptimizer(optimizer);
  return clipNorm === undefined ? plain : chain([clipByNorm(clipNorm)], plain);
}

type OptimizerConfig = NetworkConfig['optimizer'];

function plainOptimizer(
  optimizer: Omit<OptimizerConfig, 'clipNorm'> & { momentum?: number; beta2?: number },
): Optimizer {
  const { weightDecay, momentum = 0, beta2 = 0.999 } = optimizer;
  switch (optimizer.name) {
    case 'sgd':
      return sgd({ momentum, weightDecay });
    case 'adam':
      return adam({ weightDecay, beta2 });
    case 'adamw':
      return adamw({ weightDecay, beta2 });
  }
}

/** The loss that a configuration asks for; a method may wrap it. */
export function lossOf(loss: NetworkConfig['loss']): Loss {
  switch (loss.name) {
    case 'cross-entropy':
      return crossEntropy;
    case 'mean-square-error':
      return meanSquareError;
    case 'hinge':
      return hinge;
    case 'focal':
      return focal({ gamma: loss.gamma });
  }
}
