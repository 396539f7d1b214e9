import type { Emitter } from '../graph/emitter.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { type Shape, sizeOf, type TensorType } from '../graph/tensor.js';
import { apply } from './apply.js';
import { expectType } from './elementwise.js';
import { imagesOf, type Window, windowCount } from './window.js';

export interface PoolingOptions {
  /** Height and width of a window. */
  readonly size: number;
  /** Pixels from one window to the next. @defaultValue the size */
  readonly stride?: number;
  /** Pixels around the image; they never win and never count. @defaultValue 0 */
  readonly padding?: number;
}

interface Pooling extends Window {
  readonly size: number;
}

function pooledType(x: TensorType, pooling: Pooling): TensorType {
  expectType(x, 'float32');
  const { batch, channels, height, width } = imagesOf(x.shape);
  if (pooling.padding >= pooling.size) {
    throw new ShapeError(`expected a padding below the size ${pooling.size}, received ${pooling.padding}`);
  }
  const windows = (size: number) => windowCount(size, pooling.size, pooling);
  return { shape: [batch, channels, windows(height), windows(width)], type: 'float32' };
}

function poolAttributes({ size, stride, padding }: Pooling) {
  return { kernel_shape: [size, size], strides: [stride, stride], pads: [padding, padding, padding, padding] };
}

export const maxPoolOperation: Operation<[x: Tensor], Pooling> = {
  name: 'maxPool',
  infer: ([x], attributes) => [pooledType(x, attributes)],
  emit: ({ emitter, inputs, attributes }) => [emitter.node('MaxPool', inputs, poolAttributes(attributes))],
  vjp: ({ gradient: dy, inputs: [x], attributes }) => [apply(maxPoolGradientOperation, [dy, x], attributes)],
};

/** To the largest pixel of every window; where several are equal, to the first in reading order. */
export const maxPoolGradientOperation: Operation<[dy: Tensor, x: Tensor], Pooling> = {
  name: 'maxPoolGradient',
  infer: ([, x]) => [x],
  emit: ({ emitter, inputs: [dy, x], inputTypes: [, { shape }], attributes }) => {
    // The forward pass's own node, with a second output.
    const [, indices] = emitter.nodeOfSeveral('MaxPool', [x], ['y', 'indices'], poolAttributes(attributes));
    const disjoint = attributes.stride >= attributes.size && attributes.padding === 0;
    return [disjoint ? emitUnpool(emitter, dy, indices, shape, attributes) : emitScatter(emitter, dy, indices, shape)];
  },
  vjp: null,
};

/** Windows that do not overlap: every pixel is the largest of one window at most. */
function emitUnpool(emitter: Emitter, dy: string, indices: string, shape: Shape, pooling: Pooling): string {
  return emitter.node('MaxUnpool', [dy, indices, emitter.integers(...shape)], poolAttributes(pooling));
}

/** Windows that overlap: a pixel may win several times, and its gradients add up. */
function emitScatter(emitter: Emitter, dy: string, indices: string, shape: Shape): string {
  const zeros = emitter.node('Expand', [emitter.float(0), emitter.integers(sizeOf(shape))]);
  const flat = (value: string) => emitter.node('Reshape', [value, emitter.integers(-1)]);
  const summed = emitter.node('ScatterElements', [zeros, flat(indices), flat(dy)], { axis: 0, reduction: 'add' });
  return emitter.node('Reshape', [summed, emitter.integers(...shape)]);
}

export const averagePoolOperation: Operation<[x: Tensor], Pooling> = {
  name: 'averagePool',
  infer: ([x], attributes) => [pooledType(x, attributes)],
  emit: ({ emitter, inputs, attributes }) => [
    emitter.node('AveragePool', inputs, { ...poolAttributes(attributes), count_include_pad: 0 }),
  ],
  vjp: ({ gradient: dy, inputs: [{ shape }], attributes }) => [
    apply(averagePoolGradientOperation, [dy], { ...attributes, shape }),
  ],
};

/** Every pixel gets its share from each window that it is in. */
export const averagePoolGradientOperation: Operation<[dy: Tensor], Pooling & { readonly shape: Shape }> = {
  name: 'averagePoolGradient',
  infer: (_, { shape }) => [{ shape, type: 'float32' }],
  // A window over `count` pixels that are inside the image gives each of them dy/count: dy, divided, through a transposed
  // convolution with ones, channel by channel.
  emit: ({ emitter, inputs: [dy], inputTypes: [dyType], attributes }) => {
    const { size, stride, padding, shape } = attributes;
    const { batch, channels, height, width } = imagesOf(shape);
    const pooled = imagesOf(dyType.shape);
    if (padding === 0 && stride >= size && height === pooled.height * stride && width === pooled.width * stride) {
      return [emitStretched(emitter, dy, shape, attributes)];
    }
    const inside = (index: number, extent: number) =>
      Math.min(index * stride - padding + size, extent) - Math.max(index * stride - padding, 0);
    const shares = Float32Array.from(
      { length: pooled.height * pooled.width },
      (_, n) => 1 / (inside(Math.floor(n / pooled.width), height) * inside(n % pooled.width, width)),
    );
    const divided = emitter.node('Mul', [dy, emitter.constant(shares, [1, 1, pooled.height, pooled.width])]);
    const single = emitter.node('Reshape', [
      divided,
      emitter.integers(batch * channels, 1, pooled.height, pooled.width),
    ]);
    const missed = (extent: number, windows: number) => extent - ((windows - 1) * stride - 2 * padding + size);
    const spread = emitter.node(
      'ConvTranspose',
      [single, emitter.constant(new Float32Array(size * size).fill(1), [1, 1, size, size])],
      {
        ...poolAttributes(attributes),
        output_padding: [missed(height, pooled.height), missed(width, pooled.width)],
      },
    );
    return [emitter.node('Reshape', [spread, emitter.integers(...shape)])];
  },
  vjp: null,
};

/** Windows side by side: every pixel of dy becomes a square of `stride`², of which `size`² have their share and the rest 0. */
function emitStretched(emitter: Emitter, dy: string, shape: Shape, { size, stride }: Pooling): string {
  const { height, width } = imagesOf(shape);
  const squares = emitter.node('Resize', [dy, '', emitter.constant(Float32Array.of(1, 1, stride, stride))], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
  const shares = Float32Array.from({ length: height * width }, (_, n) =>
    Math.floor(n / width) % stride < size && n % stride < size ? 1 / (size * size) : 0,
  );
  return emitter.node('Mul', [squares, emitter.constant(shares, [height, width])]);
}

function pool(operation: Operation<[x: Tensor], Pooling>) {
  return (x: Tensor, { size, stride = size, padding = 0 }: PoolingOptions): Tensor =>
    apply(operation, [x], { size, stride, padding });
}

/** The largest pixel of every window. */
export const maxPool = pool(maxPoolOperation);

/** The mean of every window, over the pixels inside the image. */
export const averagePool = pool(averagePoolOperation);
