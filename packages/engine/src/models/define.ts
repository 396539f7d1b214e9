import type { Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { describeType, type Shape, sameShape } from '../graph/tensor.js';
import { cosineLinear } from '../layers/cosine-linear.js';
import { type LinearOptions, linear } from '../layers/linear.js';
import { batchNorm } from '../layers/normalisation.js';
import { CLASSIFIER, type Model, type Network } from '../network/network.js';

/** What every model needs to know. */
export interface ModelOptions {
  /** Shape of one input, without the batch: `[1, 28, 28]`. */
  readonly input: Shape;
  /** How many outputs there are; for a regression as many as numbers are predicted. */
  readonly classes: number;
  /**
   * `linear`: logits are `x·W + b`. `cosine`: they are cosines of angles, from −1 to 1, and a loss has to scale them.
   * @defaultValue `linear`
   */
  readonly classifier?: 'linear' | 'cosine';
  /**
   * A batch norm named `logitNorm` on the logits, as the last layer. It keeps them bounded where labels above 1 would make
   * them grow for ever. Cosines are bounded, and go without. @defaultValue true for a linear classifier
   */
  readonly logitNorm?: boolean;
}

/**
 * A model out of the layers before its classifier. The classifier, `classifier/weight` and, if linear, `classifier/bias`,
 * and the norm of the logits are the same in all models.
 *
 * @param features - builds the layers before the classifier and returns `[batch, features]`
 * @param weights - how a linear classifier is set, from the number of features
 */
export function defineModel(
  name: string,
  { input, classes, classifier = 'linear', logitNorm = classifier === 'linear' }: ModelOptions,
  features: (network: Network, x: Tensor) => Tensor,
  weights: (features: number) => Omit<LinearOptions, 'name' | 'units'> = () => ({}),
): Model {
  checkSize(name, 'classes', classes);
  if (input.length === 0 || !input.every((size) => Number.isSafeInteger(size) && size > 0)) {
    throw new RangeError(
      `${name}: input is [${input.join(', ')}]; expected the shape of one input, in positive integers`,
    );
  }
  if (classifier === 'cosine' && logitNorm) {
    throw new RangeError(
      `${name}: logitNorm is true; expected false with a cosine classifier, whose logits are bounded`,
    );
  }
  return {
    name,
    input,
    classes,
    build: (network, x) => {
      // Rows of a pack may be those of one network or of all.
      const mostAxes = input.length + (network.pack === null ? 1 : 2);
      const fits = x.rank > input.length && x.rank <= mostAxes && sameShape(x.shape.slice(-input.length), input);
      if (x.type !== 'float32' || !fits) {
        throw new ShapeError(`${name}: expected float32[batch, ${input.join(', ')}], received ${describeType(x)}`);
      }
      const inner = features(network, x);
      network.features = inner;
      const layer = { name: CLASSIFIER, units: classes };
      const logits =
        classifier === 'cosine'
          ? cosineLinear(network, inner, layer)
          : linear(network, inner, { ...layer, ...weights(axisSize(inner.shape, -1)) });
      return logitNorm ? batchNorm(network, logits, { name: 'logitNorm' }) : logits;
    },
  };
}

/** A number of layers, units or heads among a model's options. */
export function checkSize(model: string, option: string, value: number, least = 1): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${model}: ${option} is ${value}; expected an integer of at least ${least}`);
  }
}

/** Inputs that are images, large enough for all layers that make them smaller. */
export function checkImages(model: string, input: Shape, least: number): void {
  const [, height = 0, width = 0] = input;
  if (input.length !== 3 || height < least || width < least) {
    throw new RangeError(
      `${model}: input is [${input.join(', ')}]; expected images [channels, height, width] of at least ${least}×${least}`,
    );
  }
}
