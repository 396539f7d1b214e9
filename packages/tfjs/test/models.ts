import * as tf from '@tensorflow/tfjs';

export interface ClassifierShape {
  readonly features: number;
  readonly classes: number;
  readonly hidden?: number;
  readonly seed?: number;
  /** Without softmax, that is, ending in its logits. */
  readonly logits?: boolean;
}

/** dense relu → dense → batch normalisation → softmax, with the initial weights that the seed gives. */
export function classifier({
  features,
  classes,
  hidden = 8,
  seed = 1,
  logits = false,
}: ClassifierShape): tf.Sequential {
  const model = tf.sequential();
  const initial = (layer: number) => tf.initializers.glorotUniform({ seed: 10 * seed + layer });
  model.add(
    tf.layers.dense({ units: hidden, activation: 'relu', inputShape: [features], kernelInitializer: initial(1) }),
  );
  model.add(tf.layers.dense({ units: classes, kernelInitializer: initial(2) }));
  // The running statistics follow within a few steps: these tests take few.
  model.add(tf.layers.batchNormalization({ momentum: 0.9 }));
  if (!logits) model.add(tf.layers.softmax());
  return model;
}

/** Every weight of a model, batch normalisation's running statistics included. */
export function weightsOf(model: tf.LayersModel): number[][] {
  return model.getWeights().map((weight) => Array.from(weight.dataSync()));
}
