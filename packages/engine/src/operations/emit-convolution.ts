import type { Emitter } from '../graph/emitter.js';
import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';

/** ONNX Runtime's own operators on images in blocks of channels, `[N, C/B, H, W, B]`. */
const BLOCKED = 'com.microsoft.nchwc';

/** A convolution of images `[N, C, H, W]`, all inputs by name. */
interface EmittedConvolution {
  readonly x: string;
  readonly weight: string;
  readonly bias?: string | undefined;
  /** `[K, C, h, w]` as it is used, or with inputs and outputs exchanged if `flipped`. */
  readonly weightShape: Shape;
  /** Kernels turned by 180°, inputs and outputs exchanged: the gradient to the input of a convolution. */
  readonly flipped?: boolean;
  readonly stride: number;
  readonly padding: number;
  readonly groups: number;
}

/** Writes a convolution, in blocks of channels where the target has them and they fit. */
export function emitConvolution(emitter: Emitter, convolution: EmittedConvolution): string {
  const { x, weight, bias, weightShape, flipped = false, stride, padding, groups } = convolution;
  const sizes = sizesOf(weightShape);
  const [outputs, channels] = flipped ? [sizes.channels, sizes.outputs] : [sizes.outputs, sizes.channels];
  const attributes = {
    kernel_shape: weightShape.slice(2),
    strides: [stride, stride],
    pads: [padding, padding, padding, padding],
    group: groups,
  };
  const others = bias === undefined ? [] : [bias];
  const block = emitter.target.channelBlock;
  if (block === null || groups > 1 || outputs % block !== 0 || channels % block !== 0) {
    const arranged = flipped ? emitExchanged(emitter, weight, weightShape, null) : weight;
    return emitter.node('Conv', [x, arranged, ...others], attributes);
  }
  const reordered = emitter.node('ReorderInput', [x], {}, BLOCKED);
  const arranged = (flipped ? emitExchanged : emitBlocks)(emitter, weight, weightShape, block);
  const y = emitter.node('Conv', [reordered, arranged, ...others], attributes, BLOCKED);
  return emitter.node('ReorderOutput', [y], { channels: outputs }, BLOCKED);
}

// The other orders of weights. The shapes say `[K, C, h, w]` all the same. To transpose rows of channels, then whole rows and blocks,
// takes ONNX Runtime a third of the time of one Gather that moves every number to its place.

/** In blocks, `[K/B, C/B, h, w, B of C, B of K]`. */
function emitBlocks(emitter: Emitter, weight: string, shape: Shape, block: number): string {
  const { outputs, channels, area } = sizesOf(shape);
  const lanes = emitTransposed(emitter, emitByPixel(emitter, weight, shape), {
    from: [outputs / block, block, area * channels],
    perm: [0, 2, 1],
  });
  const blocks = emitTransposed(emitter, lanes, {
    from: [outputs / block, area, channels / block, block * block],
    perm: [0, 2, 1, 3],
  });
  return emitter.node('Reshape', [blocks, emitter.integers(...shape)]);
}

/** Kernels turned by 180°, inputs and outputs exchanged; in blocks, unless that is null. */
function emitExchanged(emitter: Emitter, weight: string, shape: Shape, block: number | null): string {
  const { outputs, channels, area } = sizesOf(shape);
  const backwards = Int32Array.from({ length: area }, (_, pixel) => area - 1 - pixel);
  const turned = emitter.node('Gather', [emitByPixel(emitter, weight, shape), emitter.constant(backwards, [area])], {
    axis: 1,
  });
  const exchanged = emitTransposed(
    emitter,
    turned,
    block === null
      ? { from: [outputs, area, channels], perm: [2, 0, 1] }
      : { from: [outputs / block, block, area, channels / block, block], perm: [3, 0, 2, 1, 4] },
  );
  return emitter.node('Reshape', [exchanged, emitter.integers(channels, outputs, ...shape.slice(2))]);
}

/** `[K, h·w, C]` */
function emitByPixel(emitter: Emitter, weight: string, shape: Shape): string {
  const { outputs, channels, area } = sizesOf(shape);
  return emitTransposed(emitter, weight, { from: [outputs, channels, area], perm: [0, 2, 1] });
}

function emitTransposed(
  emitter: Emitter,
  x: string,
  { from, perm }: { readonly from: Shape; readonly perm: readonly number[] },
): string {
  return emitter.node('Transpose', [emitter.node('Reshape', [x, emitter.integers(...from)])], { perm });
}

function sizesOf(shape: Shape) {
  return {
    outputs: axisSize(shape, 0),
    channels: axisSize(shape, 1),
    area: axisSize(shape, 2) * axisSize(shape, 3),
  };
}
