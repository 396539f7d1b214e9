import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import type { Emitter } from '../onnx/emitter.js';

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
  const [first, second] = [axisSize(weightShape, 0), axisSize(weightShape, 1)];
  const [outputs, channels] = flipped ? [second, first] : [first, second];
  const block = emitter.target.channelBlock;
  const attributes = {
    kernel_shape: weightShape.slice(2),
    strides: [stride, stride],
    pads: [padding, padding, padding, padding],
    group: groups,
  };
  const others = bias === undefined ? [] : [bias];
  if (block === null || groups > 1 || outputs % block !== 0 || channels % block !== 0) {
    const arranged = flipped ? emitArranged(emitter, weight, weightShape, flipped, null) : weight;
    return emitter.node('Conv', [x, arranged, ...others], attributes);
  }
  const reordered = emitter.node('ReorderInput', [x], {}, BLOCKED);
  const arranged = emitArranged(emitter, weight, weightShape, flipped, block);
  const y = emitter.node('Conv', [reordered, arranged, ...others], attributes, BLOCKED);
  return emitter.node('ReorderOutput', [y], { channels: outputs }, BLOCKED);
}

/**
 * Weights in another order, by one Gather: flipped and exchanged, or in blocks `[K/B, C/B, h, w, B of C, B of K]`, or both. The
 * shape says `[K, C, h, w]` all the same.
 */
function emitArranged(emitter: Emitter, weight: string, shape: Shape, flipped: boolean, block: number | null): string {
  const [rows, columns] = [axisSize(shape, 0), axisSize(shape, 1)];
  const [outputs, channels] = flipped ? [columns, rows] : [rows, columns];
  const area = axisSize(shape, 2) * axisSize(shape, 3);
  const placeOf = (output: number, channel: number, pixel: number) =>
    flipped ? (channel * columns + output) * area + (area - 1 - pixel) : (output * columns + channel) * area + pixel;
  const places =
    block === null
      ? plainOrder(outputs, channels, area, placeOf)
      : blockedOrder(outputs, channels, area, block, placeOf);
  const flat = emitter.node('Reshape', [weight, emitter.integers(-1)]);
  const indices = emitter.constant(Int32Array.from(places), [outputs, channels, ...shape.slice(2)]);
  return emitter.node('Gather', [flat, indices], { axis: 0 });
}

type PlaceOf = (output: number, channel: number, pixel: number) => number;

function* plainOrder(outputs: number, channels: number, area: number, placeOf: PlaceOf) {
  for (let k = 0; k < outputs; k++) {
    for (let c = 0; c < channels; c++) for (let pixel = 0; pixel < area; pixel++) yield placeOf(k, c, pixel);
  }
}

function* blockedOrder(outputs: number, channels: number, area: number, block: number, placeOf: PlaceOf) {
  for (let k = 0; k < outputs; k += block) {
    for (let c = 0; c < channels; c += block) {
      for (let pixel = 0; pixel < area; pixel++) {
        for (let row = 0; row < block; row++) {
          for (let lane = 0; lane < block; lane++) yield placeOf(k + lane, c + row, pixel);
        }
      }
    }
  }
}
