import { classCounts, type Labels } from '@evenhand/encoding';
import * as tf from '@tensorflow/tfjs';
import { showShape } from './model-output.js';

/**
 * The examples on which confusion is measured before every epoch: a handful per class, which are not trained on.
 *
 * The tensors stay yours: keep them until training ends, and dispose them then.
 *
 * @example
 * ```ts
 * const validation: Validation = { inputs: tf.tensor2d(rows), labels: [0, 0, 1, 1, 2, 2] };
 * ```
 */
export interface Validation {
  /** One row per example; an array for a model with several inputs. */
  readonly inputs: tf.Tensor | tf.Tensor[];
  /** Class indices, or a tensor of class indices, or a tensor of one-hot rows. */
  readonly labels: Labels | tf.Tensor;
}

/** The validation set of a caller who may not have TypeScript to say that it is missing. */
export function checkValidation(validation: Partial<Validation> | null | undefined): Validation {
  const { inputs, labels } = validation ?? {};
  if (inputs === undefined || labels === undefined) {
    const problem = validation ? `has no ${inputs === undefined ? 'inputs' : 'labels'}` : `is ${validation}`;
    throw new TypeError(
      `validation ${problem}; expected { inputs, labels }: a tensor of examples that are not trained on, some of every class, and the class of each`,
    );
  }
  if ([inputs].flat().some((input) => !(input instanceof tf.Tensor))) {
    throw new TypeError(
      'validation.inputs is not a tensor; expected one, for instance tf.tensor2d(rows), or an array of them for a model with several inputs',
    );
  }
  return { inputs, labels };
}

/** The class of every validation example, checked together with the inputs they belong to. */
export function validationLabels(model: tf.LayersModel, validation: Validation, classes: number): Labels {
  const inputs = inputList(validation);
  if (inputs.length !== model.inputs.length) {
    throw new RangeError(
      `validation.inputs holds ${inputs.length} tensors; expected ${model.inputs.length}, one for each input of model "${model.name}"`,
    );
  }
  const labels = validation.labels instanceof tf.Tensor ? readLabels(validation.labels, classes) : validation.labels;
  classCounts(labels, classes); // checks every label
  if (labels.length === 0) {
    throw new RangeError(
      'validation is empty; expected some examples of every class, 5 per class are enough to start with',
    );
  }
  inputs.forEach((input, i) => {
    if (input.shape[0] !== labels.length) {
      throw new RangeError(
        `validation.inputs[${i}] has shape ${showShape(input.shape)} and validation.labels has ${labels.length} labels; expected as many rows as labels`,
      );
    }
  });
  return labels;
}

/** Validation inputs one by one, whether or not there are several. */
export function inputList(validation: Validation): tf.Tensor[] {
  return validation.inputs instanceof tf.Tensor ? [validation.inputs] : validation.inputs;
}

function readLabels(tensor: tf.Tensor, classes: number): number[] {
  const columns = tensor.shape[1];
  if (tensor.rank === 1 || (tensor.rank === 2 && columns === 1)) return Array.from(tensor.dataSync());
  if (tensor.rank !== 2 || columns !== classes) {
    throw new RangeError(
      `validation.labels has shape ${showShape(tensor.shape)}; expected [examples] of class indices or [examples, ${classes}] of one-hot rows`,
    );
  }
  const values = tensor.dataSync();
  return Array.from({ length: values.length / classes }, (_, i) => {
    const row = Array.from(values.slice(i * classes, (i + 1) * classes));
    const label = row.indexOf(1);
    if (label < 0 || row.some((value, q) => q !== label && value !== 0)) {
      throw new RangeError(
        `validation.labels row ${i} is [${row.join(', ')}]; expected a one-hot row: a single 1, and 0 elsewhere`,
      );
    }
    return label;
  });
}
