import type { Target } from '../graph/emitter.js';
import { axisSize } from '../graph/shape.js';
import type { LabelFeed } from '../losses/label-rows.js';
import type { Loss } from '../losses/loss.js';
import type { Model } from '../network/network.js';
import type { Optimizer } from '../optimizers/optimizer.js';
import type { InputOptions } from './input-pipeline.js';
import { type Outputs, outputLayers } from './outputs.js';

/** How a model is trained. */
export interface ProgramOptions extends InputOptions {
  /** Instances in a training step; in a pack, of each network. */
  readonly batchSize: number;
  /** Instances in a call of the inference model; in a pack, of each network. @defaultValue 256 */
  readonly evaluationBatch?: number;
  readonly loss: Loss;
  readonly optimizer: Optimizer;
  /**
   * What is fed as labels. `indices`: the feed `labels`, an Int32Array with the class of each instance, from 0.
   * `indices-with-generator`: besides `labels` the feed `generator`, a Float32Array `[classes, classes]` whose rows the classes
   * stand for. `rows`: the feed `labelRows`, a Float32Array `[batchSize, classes]` with a row of targets for each instance.
   */
  readonly labels: LabelFeed;
  /**
   * What an instance's loss is multiplied by, for each class; `fed`: at every step, as the feed `classWeights`. Only with
   * labels as indices.
   */
  readonly classWeights?: readonly number[] | 'fed';
  /**
   * `fed`: at every step the feed `instanceWeights`, a Float32Array with what the loss of each instance is multiplied by, beside its class's weight.
   * The mean still divides by the number of instances. @defaultValue all 1
   */
  readonly instanceWeights?: 'fed';
  /**
   * `fed`: at every step the feed `logitOffsets`, a Float32Array `[classes, classes]`. Row p is added to the network's outputs for an instance of
   * class p before the loss takes them; inference knows nothing of it. Only with labels as indices. @defaultValue none
   */
  readonly logitOffsets?: 'fed';
  /**
   * `fed`: at every step the feed `lossBlend`, a number that the loss is told; it goes from one form of a loss to another while training goes on.
   * @defaultValue none
   */
  readonly lossBlend?: 'fed';
  /**
   * `fed`: at every step the feed `bodyRate`, a number that the learning rate of all layers before the classifier is multiplied by. With 0 they are
   * frozen; running statistics of batch norms go on. @defaultValue 1
   */
  readonly bodyRate?: 'fed';
  /** What inference makes of the network's outputs. The loss takes them as they are. @defaultValue `probabilities` */
  readonly outputs?: Outputs;
  /** Decides the parameters' first values and all that is random in training. */
  readonly seed: number;
  /** The machine that the models are for, as `detectTarget` finds it. @defaultValue any */
  readonly target?: Target;
}

/** Checks all that `createProgram` is told, once; what is behind it trusts the types. */
export function checkProgramOptions({ input, classes }: Model, options: ProgramOptions): void {
  const { batchSize, evaluationBatch, labels, classWeights, logitOffsets, normalisation, seed } = options;
  const { outputs = 'probabilities' } = options;
  checkPositiveInteger('batchSize', batchSize);
  if (evaluationBatch !== undefined) checkPositiveInteger('evaluationBatch', evaluationBatch);
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed is ${seed}; expected an integer`);
  if (!Object.hasOwn(outputLayers, outputs)) {
    throw new RangeError(`outputs is "${outputs}"; expected one of ${Object.keys(outputLayers).join(', ')}`);
  }
  if (outputs === 'probabilities' && classes === 1) {
    throw new RangeError(
      "a softmax of one output is always 1; expected outputs: 'sigmoid' for yes or no, 'raw' for a number, or 2 classes",
    );
  }
  for (const [name, option] of Object.entries({ classWeights, logitOffsets })) {
    if (option === undefined || labels !== 'rows') continue;
    throw new RangeError(`${name} need an instance's class, which labels: 'rows' does not say; feed indices instead`);
  }
  if (classWeights !== undefined && classWeights !== 'fed') {
    checkNumbers('classWeights', classWeights, classes, 'class', (weight) => weight >= 0, 'a number from 0');
  }
  if (normalisation !== undefined) {
    const channels = axisSize(input, 0);
    checkNumbers('normalisation.mean', normalisation.mean, channels, 'channel', () => true, 'a number');
    checkNumbers('normalisation.std', normalisation.std, channels, 'channel', (std) => std > 0, 'a number above 0');
  }
}

function checkPositiveInteger(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`${name} is ${value}; expected a positive integer`);
}

function checkNumbers(
  name: string,
  values: readonly number[],
  length: number,
  unit: string,
  holds: (value: number) => boolean,
  expected: string,
): void {
  if (values.length !== length) {
    throw new RangeError(`${name} has ${values.length} numbers; expected ${length}, one for each ${unit}`);
  }
  const wrong = values.findIndex((value) => !Number.isFinite(value) || !holds(value));
  if (wrong !== -1) throw new RangeError(`${name}[${wrong}] is ${values[wrong]}; expected ${expected}`);
}
