import type { Shape } from '../../../src/graph/tensor.js';
import { at, build, item, type NdArray } from './array.js';

type Inputs = readonly NdArray[];

interface Pooling {
  readonly size: number;
  readonly stride: number;
  readonly padding: number;
}

/** The pixels of an image that a window covers, in reading order. */
function pixels(shape: Shape, row: number, column: number, { size, stride, padding }: Pooling): [number, number][] {
  const [, , height = 0, width = 0] = shape;
  const places: [number, number][] = [];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const [r, s] = [row * stride + i - padding, column * stride + j - padding];
      if (r >= 0 && r < height && s >= 0 && s < width) places.push([r, s]);
    }
  return places;
}

function pooledShape([n = 0, c = 0, height = 0, width = 0]: Shape, { size, stride, padding }: Pooling): number[] {
  const windows = (extent: number) => Math.floor((extent + 2 * padding - size) / stride) + 1;
  return [n, c, windows(height), windows(width)];
}

function pool(combine: (values: readonly number[]) => number) {
  return (inputs: Inputs, pooling: Pooling): NdArray[] => {
    const x = item(inputs, 0);
    return [
      build(pooledShape(x.shape, pooling), ([n = 0, c = 0, row = 0, column = 0]) =>
        combine(pixels(x.shape, row, column, pooling).map(([r, s]) => at(x, n, c, r, s))),
      ),
    ];
  };
}

export const maxPool = pool((values) => Math.max(...values));
export const averagePool = pool((values) => values.reduce((a, b) => a + b, 0) / values.length);

/** Adds to every pixel the share that each window over it has for it. */
function spread(
  dy: NdArray,
  shape: Shape,
  pooling: Pooling,
  share: (n: number, c: number, window: readonly [number, number][], place: number) => number,
): NdArray {
  const [, channels = 0, height = 0, width = 0] = shape;
  const data = [...build(shape, () => 0).data];
  build(dy.shape, ([n = 0, c = 0, row = 0, column = 0]) => {
    const window = pixels(shape, row, column, pooling);
    for (const [place, [r, s]] of window.entries()) {
      const flat = ((n * channels + c) * height + r) * width + s;
      data[flat] = item(data, flat) + at(dy, n, c, row, column) * share(n, c, window, place);
    }
    return 0;
  });
  return { shape, type: 'float32', data };
}

/** All to the first of the largest. */
export function maxPoolGradient(inputs: Inputs, pooling: Pooling): NdArray[] {
  const [dy, x] = [item(inputs, 0), item(inputs, 1)];
  return [
    spread(dy, x.shape, pooling, (n, c, window, place) => {
      const values = window.map(([r, s]) => at(x, n, c, r, s));
      return values.indexOf(Math.max(...values)) === place ? 1 : 0;
    }),
  ];
}

export function averagePoolGradient(inputs: Inputs, attributes: Pooling & { readonly shape: Shape }): NdArray[] {
  return [spread(item(inputs, 0), attributes.shape, attributes, (_n, _c, window) => 1 / window.length)];
}
