import type { Shape } from '../../../src/graph/tensor.js';
import { at, build, indexOf, item, type NdArray } from './array.js';

type Inputs = readonly NdArray[];

interface Epsilon {
  readonly epsilon: number;
}

/** Elements that are normalised together: of a channel, or of a row. */
type GroupOf = (index: readonly number[], shape: Shape) => number;

const channel: GroupOf = (index) => item(index, 1);
const row: GroupOf = (index, shape) => index.slice(0, -1).reduce((flat, i, axis) => flat * item(shape, axis) + i, 0);

function meansOf(
  { shape, data }: NdArray,
  groupOf: GroupOf,
  value: (x: number, group: number, flat: number) => number,
) {
  const [sums, counts]: [number[], number[]] = [[], []];
  for (const [flat, x] of data.entries()) {
    const group = groupOf(indexOf(shape, flat), shape);
    sums[group] = (sums[group] ?? 0) + value(x, group, flat);
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return sums.map((sum, group) => sum / item(counts, group));
}

function statistics(x: NdArray, groupOf: GroupOf) {
  const mean = meansOf(x, groupOf, (value) => value);
  const variance = meansOf(x, groupOf, (value, group) => (value - item(mean, group)) ** 2);
  return { mean, variance };
}

const vector = (data: readonly number[], shape: Shape = [data.length]): NdArray => ({ shape, type: 'float32', data });

export function batchNorm(inputs: Inputs, { epsilon }: Epsilon): NdArray[] {
  const x = item(inputs, 0);
  const { mean, variance } = statistics(x, channel);
  return [
    ...batchNormInference([...inputs, vector(mean), vector(variance)], { epsilon }),
    vector(mean),
    vector(variance),
  ];
}

export function batchNormInference(inputs: Inputs, { epsilon }: Epsilon): NdArray[] {
  const [x, scale, shift] = [item(inputs, 0), item(inputs, 1), item(inputs, 2)];
  const [mean, variance] = [item(inputs, 3), item(inputs, 4)];
  return [
    build(x.shape, (index) => {
      const c = channel(index, x.shape);
      return ((at(x, ...index) - at(mean, c)) / Math.sqrt(at(variance, c) + epsilon)) * at(scale, c) + at(shift, c);
    }),
  ];
}

/** dx = scale·r·(dy − mean dy − x̂·mean(dy·x̂)), and the sums of dy·x̂ and dy over all that share a scale. */
export function batchNormGradient(inputs: Inputs, { epsilon }: Epsilon): NdArray[] {
  const [dy, x, scale] = [item(inputs, 0), item(inputs, 1), item(inputs, 2)];
  const [mean, variance] = [item(inputs, 3), item(inputs, 4)];
  const r = variance.data.map((v) => 1 / Math.sqrt(v + epsilon));
  const normalised = build(x.shape, (index) => {
    const c = channel(index, x.shape);
    return (at(x, ...index) - at(mean, c)) * item(r, c);
  });
  const slope = meansOf(dy, channel, (value) => value);
  const tilt = meansOf(dy, channel, (value, _, flat) => value * item(normalised.data, flat));
  const count = x.data.length / scale.data.length;
  const dx = build(x.shape, (index) => {
    const c = channel(index, x.shape);
    return at(scale, c) * item(r, c) * (at(dy, ...index) - item(slope, c) - at(normalised, ...index) * item(tilt, c));
  });
  return [dx, vector(tilt.map((t) => t * count)), vector(slope.map((s) => s * count))];
}

export function layerNorm(inputs: Inputs, { epsilon }: Epsilon): NdArray[] {
  const [x, scale, shift] = [item(inputs, 0), item(inputs, 1), item(inputs, 2)];
  const { mean, variance } = statistics(x, row);
  const r = variance.map((v) => 1 / Math.sqrt(v + epsilon));
  const perRow = [...x.shape.slice(0, -1), 1];
  const y = build(x.shape, (index) => {
    const [n, feature] = [row(index, x.shape), item(index, index.length - 1)];
    return (at(x, ...index) - item(mean, n)) * item(r, n) * at(scale, feature) + at(shift, feature);
  });
  return [y, vector(mean, perRow), vector(r, perRow)];
}

export function layerNormGradient(inputs: Inputs): NdArray[] {
  const [dy, x, scale, mean, r] = [0, 1, 2, 3, 4].map((i) => item(inputs, i));
  if (!dy || !x || !scale || !mean || !r) throw new RangeError('five inputs');
  const features = scale.data.length;
  const normalised = build(x.shape, (index) => {
    const n = row(index, x.shape);
    return (at(x, ...index) - item(mean.data, n)) * item(r.data, n);
  });
  const scaled = (flat: number) => item(dy.data, flat) * item(scale.data, flat % features);
  const slope = meansOf(dy, row, (_, __, flat) => scaled(flat));
  const tilt = meansOf(dy, row, (_, __, flat) => scaled(flat) * item(normalised.data, flat));
  const overRows = (value: (flat: number) => number) =>
    scale.data.map((_, feature) =>
      dy.data.reduce((sum, __, flat) => (flat % features === feature ? sum + value(flat) : sum), 0),
    );
  const dx = x.data.map((_, flat) => {
    const n = Math.floor(flat / features);
    return item(r.data, n) * (scaled(flat) - item(slope, n) - item(normalised.data, flat) * item(tilt, n));
  });
  return [
    vector(dx, x.shape),
    vector(overRows((flat) => item(dy.data, flat) * item(normalised.data, flat))),
    vector(overRows((flat) => item(dy.data, flat))),
  ];
}
