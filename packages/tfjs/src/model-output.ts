import * as tf from '@tensorflow/tfjs';

/** How many classes a model tells apart, or an error that says why it is no classifier. */
export function classesOf(model: tf.LayersModel): number {
  const [output] = model.outputs;
  if (output === undefined) {
    throw new TypeError(
      `model "${model.name}" has no output yet; expected a built model: give its first layer an inputShape`,
    );
  }
  if (model.outputs.length > 1) {
    throw new TypeError(
      `model "${model.name}" has ${model.outputs.length} outputs; expected one: enhance a tf.model() of the output that classifies`,
    );
  }
  const classes = output.shape[1];
  if (output.shape.length !== 2 || typeof classes !== 'number' || classes < 2) {
    throw new RangeError(
      `the output of model "${model.name}" has shape ${showShape(output.shape)}; expected [batch, classes] with at least 2 classes` +
        (classes === 1 ? ': give the last layer 2 units and a softmax instead of 1 unit and a sigmoid' : ''),
    );
  }
  return classes;
}

/** Refuses a model whose last layer visibly contradicts `fromLogits`. */
export function checkEnding(model: tf.LayersModel, fromLogits: boolean): void {
  const layer = lastLayer(model);
  const activation = layer === undefined ? undefined : activationOf(layer);
  if (layer === undefined || activation === undefined) return;
  const ending = `model "${model.name}" ends in layer "${layer.name}" (${layer.getClassName()}, activation ${activation})`;
  if (fromLogits && activation === 'softmax') {
    throw new RangeError(
      `${ending} and fromLogits is true; expected logits: leave fromLogits out, or drop the softmax`,
    );
  }
  if (!fromLogits && activation !== 'softmax') {
    throw new RangeError(
      `${ending}; expected probabilities: end it with tf.layers.softmax(), or pass fromLogits: true if it gives logits`,
    );
  }
}

/** What to tell the owner of a model without batch normalisation where it should be; nothing if it is there. */
export function normalisationWarning(model: tf.LayersModel, fromLogits: boolean): string | undefined {
  const output = model.outputs[0] && innermost(model.outputs[0]);
  if (output !== undefined) {
    const layer = output.sourceLayer;
    if (isNormalisation(layer)) return undefined;
    // A layer with weights, such as Dense with activation softmax, computes the logits itself: nothing can stand between.
    const before = layer.weights.length === 0 ? output.inputs[0] : undefined;
    if (!fromLogits && before !== undefined && isNormalisation(innermost(before).sourceLayer)) return undefined;
  }
  const last = fromLogits ? '' : '  model.add(tf.layers.softmax());\n';
  return (
    `model "${model.name}" has no batch normalisation directly before its softmax. ` +
    'Encoded labels are above 1 for the true class, so the gradient at the logits never vanishes: ' +
    'without batch normalisation the logits grow without bound, and a large enhancementRate diverges. ' +
    `End the model like this, or lower enhancementRate:\n` +
    `  model.add(tf.layers.dense({ units: ${String(output?.shape[1])} }));\n` +
    `  model.add(tf.layers.batchNormalization());\n${last}`
  );
}

function lastLayer(model: tf.LayersModel): tf.layers.Layer | undefined {
  const [output] = model.outputs;
  return output && innermost(output).sourceLayer;
}

/** The same tensor inside the model that computes it, where a model is used as a layer. */
function innermost(tensor: tf.SymbolicTensor): tf.SymbolicTensor {
  // TensorFlow.js gives no index to the output of a layer that has only one.
  const { sourceLayer: layer, outputTensorIndex: index = 0 } = tensor;
  if (!(layer instanceof tf.LayersModel)) return tensor;
  const inner = layer.outputs[index];
  if (inner === undefined) throw new Error(`internal: model "${layer.name}" has no output ${index}`);
  return innermost(inner);
}

/** What a layer does to its output last; unknown for layers that have no say about it, such as a layer of the user's. */
function activationOf(layer: tf.layers.Layer): string | undefined {
  if (layer.getClassName() === 'Softmax') return 'softmax';
  if (isNormalisation(layer)) return 'linear';
  const { activation } = layer.getConfig();
  return typeof activation === 'string' ? activation : undefined;
}

function isNormalisation(layer: tf.layers.Layer): boolean {
  return layer.getClassName() === 'BatchNormalization';
}

/** A shape as TensorFlow.js users write it. */
export function showShape(shape: readonly (number | null)[]): string {
  return `[${shape.map((size) => size ?? 'batch').join(', ')}]`;
}
