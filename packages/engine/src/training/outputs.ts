import type { Tensor } from '../graph/graph.js';
import { sigmoid } from '../operations/functions.js';
import { softmax } from '../operations/softmax.js';

/**
 * What a program predicts: `probabilities` of classes that exclude each other (softmax); by `sigmoid` a probability for each output by
 * itself; the `logits` before either; or `raw` numbers, as a regression has them. The last two are the network's outputs as
 * they are. The word is also the name of the output in the ONNX model.
 */
export type Outputs = 'probabilities' | 'sigmoid' | 'logits' | 'raw';

/** The last layer of inference, for each kind of outputs. */
export const outputLayers: Readonly<Record<Outputs, (logits: Tensor) => Tensor>> = {
  probabilities: softmax,
  sigmoid,
  logits: (logits) => logits,
  raw: (logits) => logits,
};
