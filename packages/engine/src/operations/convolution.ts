import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import { apply } from './apply.js';
import { convolutionInputGradient } from './convolution-input-gradient.js';
import { convolutionWeightGradient } from './convolution-weight-gradient.js';
import { expectType } from './elementwise.js';
import { emitConvolution } from './emit-convolution.js';
import { sum } from './reductions.js';
import { type Convolution, imagesOf, windowCount } from './window.js';

export interface ConvolutionOptions {
  /** Pixels from one window to the next, in both directions. @defaultValue 1 */
  readonly stride?: number;
  /** Zeros around the image. @defaultValue 0 */
  readonly padding?: number;
  /** Groups of channels that do not see each other. @defaultValue 1 */
  readonly groups?: number;
}

export const convolutionOperation: Operation<[x: Tensor, weight: Tensor, bias?: Tensor], Convolution> = {
  name: 'conv2d',
  infer: (inputs, attributes) => {
    for (const input of inputs) if (input !== undefined) expectType(input, 'float32');
    const [x, weight, bias] = inputs;
    const shape = convolvedShape(x.shape, weight.shape, attributes);
    if (bias !== undefined && (bias.shape.length !== 1 || bias.shape[0] !== shape[1])) {
      throw new ShapeError(`expected a bias of shape [${shape[1]}], received [${bias.shape.join(', ')}]`);
    }
    return [{ shape, type: 'float32' }];
  },
  emit: ({ emitter, inputs: [x, weight, bias], inputTypes: [, { shape: weightShape }], attributes }) => [
    emitConvolution(emitter, { x, weight, bias, weightShape, ...attributes }),
  ],
  vjp: ({ gradient: dy, inputs: [x, weight], needed: [needsX, needsWeight, needsBias = false], attributes }) => [
    needsX ? convolutionInputGradient(dy, weight, x.shape, attributes) : null,
    needsWeight ? convolutionWeightGradient(x, dy, weight.shape, attributes) : null,
    needsBias ? sum(dy, { axes: [0, 2, 3] }) : null,
  ],
};

/** `[N, C, H, W]` and `[K, C/groups, h, w]` give `[N, K, H′, W′]`. */
function convolvedShape(x: Shape, weight: Shape, convolution: Convolution): Shape {
  const { batch, channels, height, width } = imagesOf(x);
  if (weight.length !== 4) throw new ShapeError(`expected weights [K, C, h, w], received [${weight.join(', ')}]`);
  const outputs = axisSize(weight, 0);
  if (channels !== axisSize(weight, 1) * convolution.groups || outputs % convolution.groups !== 0) {
    throw new ShapeError(
      `expected weights for ${channels} channels in ${convolution.groups} groups, received [${weight.join(', ')}]`,
    );
  }
  return [
    batch,
    outputs,
    windowCount(height, axisSize(weight, 2), convolution),
    windowCount(width, axisSize(weight, 3), convolution),
  ];
}

/**
 * Convolution of images `[N, C, H, W]` with kernels `[K, C/groups, h, w]`.
 *
 * @param bias - `[K]`
 */
export function conv2d(x: Tensor, weight: Tensor, bias?: Tensor, options: ConvolutionOptions = {}): Tensor {
  const { stride = 1, padding = 0, groups = 1 } = options;
  return apply(convolutionOperation, bias === undefined ? [x, weight] : [x, weight, bias], { stride, padding, groups });
}
