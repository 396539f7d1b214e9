import type { Emitter } from '../graph/emitter.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import { apply } from './apply.js';
import { emitConvolution } from './emit-convolution.js';
import type { Convolution, ConvolutionGradient } from './window.js';

/** The fastest way depends on the shapes: the choice was measured with ONNX Runtime's CPU kernels. */
export const inputGradientOperation: Operation<[dy: Tensor, weight: Tensor], ConvolutionGradient> = {
  name: 'convInputGradient',
  infer: (_, { shape }) => [{ shape, type: 'float32' }],
  emit: ({ emitter, inputs: [dy, weight], inputTypes, attributes }) => {
    const [{ shape: dyShape }, { shape: weightShape }] = inputTypes;
    const [kernel, { stride, padding, groups }] = [axisSize(weightShape, 2), attributes];
    const square = kernel === axisSize(weightShape, 3);
    // A convolution with few output channels leaves most of its kernel idle; ConvTranspose does not mind.
    const fewChannels = axisSize(weightShape, 1) < FEW_CHANNELS;
    return stride === 1 && groups === 1 && square && padding < kernel && !fewChannels
      ? // dy convolved with the kernels turned by 180° and with inputs and outputs exchanged
        [
          emitConvolution(emitter, {
            x: dy,
            weight,
            weightShape,
            flipped: true,
            stride,
            padding: kernel - 1 - padding,
            groups,
          }),
        ]
      : [emitTransposedConvolution(emitter, [dy, weight], [dyShape, weightShape], attributes)];
  },
  vjp: null,
};

const FEW_CHANNELS = 16;

function emitTransposedConvolution(
  emitter: Emitter,
  inputs: readonly [dy: string, weight: string],
  [dy, weight]: readonly [dy: Shape, weight: Shape],
  { stride, padding, groups, shape }: ConvolutionGradient,
) {
  // Rows and columns at the end that no window reached have the gradient 0.
  const missed = (axis: number) =>
    axisSize(shape, axis) - ((axisSize(dy, axis) - 1) * stride - 2 * padding + axisSize(weight, axis));
  return emitter.node('ConvTranspose', inputs, {
    kernel_shape: weight.slice(2),
    strides: [stride, stride],
    pads: [padding, padding, padding, padding],
    output_padding: [missed(2), missed(3)],
    group: groups,
  });
}

/** `∂loss/∂x` of a convolution whose input has the given shape. */
export function convolutionInputGradient(dy: Tensor, weight: Tensor, shape: Shape, convolution: Convolution): Tensor {
  return apply(inputGradientOperation, [dy, weight], { ...convolution, shape });
}
