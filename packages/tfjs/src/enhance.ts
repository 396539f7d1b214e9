import type { EnhancementEncoder, FocalOptions, Labels } from '@evenhand/encoding';
import * as tf from '@tensorflow/tfjs';
import { EpochCallback } from './epoch-callback.js';
import {
  crossEntropy,
  focal,
  type LabelRowLoss,
  logitOutput,
  meanSquareError,
  probabilityOutput,
} from './label-row-losses.js';
import { checkEnding, classesOf, normalisationWarning, showShape } from './model-output.js';
import { carryEncoder, type EncoderChoice, encoderFor } from './saved-encoder.js';
import { checkValidation, inputList, type Validation, validationLabels } from './validation-set.js';

/**
 * A loss as `model.compile` takes it: one-hot labels and predictions in, one value per instance out.
 *
 * @example
 * ```ts
 * const loss: EncodedLoss = enhancement.focal({ gamma: 2 });
 * model.compile({ optimizer: 'adam', loss });
 * ```
 */
export type EncodedLoss = (labels: tf.Tensor, predictions: tf.Tensor) => tf.Tensor;

/**
 * What {@link enhance} can be told. Only `validation` is needed.
 *
 * @example
 * ```ts
 * const options: EnhanceOptions = { validation: { inputs, labels }, enhancementRate: 1, updatingRate: 0.3 };
 * ```
 */
export interface EnhanceOptions extends EncoderChoice {
  /** Examples that are not trained on, some of every class. */
  readonly validation: Validation;
  /**
   * Whether the model ends before the softmax.
   * @defaultValue false
   */
  readonly fromLogits?: boolean;
  /**
   * How many validation examples are forwarded at a time.
   * @defaultValue 32
   */
  readonly batchSize?: number;
  /**
   * Where a warning goes.
   * @defaultValue `console.warn`
   */
  readonly warn?: (message: string) => void;
}

/**
 * A model's losses and callback, and the encoder that they share.
 *
 * @example
 * ```ts
 * const enhancement: Enhancement = enhance(model, { validation });
 * model.compile({ optimizer: 'adam', loss: enhancement.crossEntropy });
 * await model.fit(inputs, oneHotLabels, { epochs: 30, callbacks: enhancement.callback });
 * enhancement.dispose();
 * ```
 */
export interface Enhancement {
  /** Cross-entropy `−Σ l_q log y_q` of encoded labels. */
  readonly crossEntropy: EncodedLoss;
  /** Mean square error `(1/N) Σ (y_q − l_q)²` of encoded labels. */
  readonly meanSquareError: EncodedLoss;
  /** Focal loss `−Σ α_q l_q (1−y_q)^γ log y_q` of encoded labels. */
  focal(options: FocalOptions): EncodedLoss;
  /** Measures the validation set and re-encodes the labels before every epoch, the first included. */
  readonly callback: tf.CustomCallback;
  /** For inspection: the generator matrix, the soft-confusion matrix, which classes the validation set lacks. */
  readonly encoder: EnhancementEncoder;
  /** Frees the one tensor that this holds. The losses cannot be used afterwards. */
  dispose(): void;
}

/**
 * Enhancement encoding for a TensorFlow.js classifier: losses that encode one-hot labels by the current generator matrix,
 * and a callback that measures the validation set and updates the matrix before every epoch.
 *
 * The state travels with the model: `model.save` writes it to model.json, and `enhance` of the loaded model goes on from
 * it. The losses encode in `evaluate` and for `validationData` too, so losses of different epochs measure against
 * different labels; compare accuracies, or the metric `categoricalCrossentropy`.
 *
 * @param model - sequential or functional, with one output `[batch, classes]`
 *
 * @example
 * ```ts
 * const enhancement = enhance(model, { validation: { inputs, labels } });
 * model.compile({ optimizer: 'adam', loss: enhancement.crossEntropy, metrics: ['accuracy'] });
 * await model.fit(trainingInputs, oneHotLabels, { epochs: 30, callbacks: enhancement.callback });
 * ```
 */
export function enhance(model: tf.LayersModel, options: EnhanceOptions): Enhancement {
  const validation = checkValidation(options?.validation);
  const { fromLogits = false, batchSize = 32, warn = console.warn } = options;
  const classes = classesOf(model);
  checkEnding(model, fromLogits);
  const labels = validationLabels(model, validation, classes);
  const encoder = encoderFor(model, classes, options);
  const warning = normalisationWarning(model, fromLogits);
  if (warning !== undefined) warn(warning);

  const shape: [number, number] = [classes, classes];
  const generator = tf.tidy(() => tf.variable(tf.tensor2d(Float32Array.from(encoder.generatorMatrix), shape), false));

  const encoded = (loss: LabelRowLoss): EncodedLoss => {
    return (oneHot, predictions) =>
      tf.tidy(() => {
        checkUse(generator, oneHot, classes);
        const labelRows = tf.matMul(tf.cast(oneHot, 'float32'), generator);
        return loss(labelRows, fromLogits ? logitOutput(predictions) : probabilityOutput(predictions));
      });
  };

  const beforeEpoch = async (): Promise<void> => {
    observe(encoder, labels, await predict(model, validation, fromLogits, batchSize));
    encoder.update();
    tf.tidy(() => generator.assign(tf.tensor2d(Float32Array.from(encoder.generatorMatrix), shape)));
    carryEncoder(model, encoder);
  };

  return {
    crossEntropy: encoded(crossEntropy),
    meanSquareError: encoded(meanSquareError),
    focal: (focalOptions) => encoded(focal(focalOptions, classes)),
    callback: new EpochCallback(model, beforeEpoch),
    encoder,
    dispose: () => generator.dispose(),
  };
}

/** Probabilities of the validation set. `model.predict` runs in inference mode, even while the model is being fitted. */
async function predict(
  model: tf.LayersModel,
  validation: Validation,
  fromLogits: boolean,
  batchSize: number,
): Promise<Float32Array> {
  if (inputList(validation).some((input) => input.isDisposed)) {
    throw new Error('validation.inputs is disposed; expected it to live until training ends: dispose it after fit()');
  }
  const probabilities = tf.tidy(() => {
    const predictions = model.predict(validation.inputs, { batchSize });
    if (Array.isArray(predictions)) throw new TypeError('internal: a model of one output predicted several');
    return fromLogits ? tf.softmax(predictions) : predictions;
  });
  try {
    return Float32Array.from(await probabilities.data());
  } finally {
    probabilities.dispose();
  }
}

function observe(encoder: EnhancementEncoder, labels: Labels, probabilities: Float32Array): void {
  try {
    encoder.observe(labels, probabilities);
  } catch (error) {
    // Labels were checked before: it is the predictions that are not distributions.
    const problem = error instanceof Error ? error.message : String(error);
    throw new RangeError(
      `the model's outputs for the validation set are not probabilities: ${problem}. After NaN, lower the learning rate or enhancementRate; otherwise end the model with tf.layers.softmax(), or pass fromLogits: true`,
      { cause: error },
    );
  }
}

function checkUse(generator: tf.Variable, oneHot: tf.Tensor, classes: number): void {
  if (generator.isDisposed) {
    throw new Error('this enhancement was disposed; enhance() the model again, or compile() it with another loss');
  }
  if (oneHot.rank !== 2 || oneHot.shape[1] !== classes) {
    throw new RangeError(
      `labels have shape ${showShape(oneHot.shape)}; expected one-hot rows [batch, ${classes}]: tf.oneHot(tf.cast(labels, 'int32').flatten(), ${classes})`,
    );
  }
}
