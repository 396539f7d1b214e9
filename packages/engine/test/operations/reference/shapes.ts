import type { Shape } from '../../../src/graph/tensor.js';
import { at, atBroadcast, build, item, type NdArray, total } from './array.js';

type Inputs = readonly NdArray[];

export function reshape(inputs: Inputs, { shape }: { readonly shape: Shape }): NdArray[] {
  return [{ ...item(inputs, 0), shape }];
}

export function transpose(inputs: Inputs, { order }: { readonly order: readonly number[] }): NdArray[] {
  const x = item(inputs, 0);
  const shape = order.map((axis) => item(x.shape, axis));
  return [build(shape, (index) => at(x, ...order.map((_, axis) => item(index, order.indexOf(axis)))), x.type)];
}

export function broadcastTo(inputs: Inputs, { shape }: { readonly shape: Shape }): NdArray[] {
  const x = item(inputs, 0);
  return [build(shape, (index) => atBroadcast(x, index), x.type)];
}

export function concat(inputs: Inputs, { axis }: { readonly axis: number }): NdArray[] {
  const first = item(inputs, 0);
  const sources = inputs.flatMap((input) =>
    Array.from({ length: item(input.shape, axis) }, (_, position) => ({ input, position })),
  );
  const shape = first.shape.map((size, a) => (a === axis ? sources.length : size));
  return [
    build(
      shape,
      (index) => {
        const { input, position } = item(sources, item(index, axis));
        return at(input, ...index.map((i, a) => (a === axis ? position : i)));
      },
      first.type,
    ),
  ];
}

export function split(inputs: Inputs, { sizes }: { readonly sizes: readonly number[] }): NdArray[] {
  let start = 0;
  return sizes.map((size) => {
    const [part] = slice(inputs, { axis: 0, start, end: start + size, step: 1 });
    start += size;
    if (part === undefined) throw new Error('a slice is there');
    return part;
  });
}

interface Slice {
  readonly axis: number;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

export function slice(inputs: Inputs, { axis, start, end, step }: Slice): NdArray[] {
  const x = item(inputs, 0);
  const taken = Array.from({ length: end }, (_, i) => i).filter((i) => i >= start && (i - start) % step === 0);
  const shape = x.shape.map((size, a) => (a === axis ? taken.length : size));
  return [build(shape, (index) => at(x, ...index.map((i, a) => (a === axis ? item(taken, i) : i))), x.type)];
}

interface Spread {
  readonly axis: number;
  readonly start: number;
  readonly step: number;
  readonly size: number;
}

export function spread(inputs: Inputs, { axis, start, step, size }: Spread): NdArray[] {
  const x = item(inputs, 0);
  return [
    build(
      x.shape.map((s, a) => (a === axis ? size : s)),
      (index) => {
        const from = (item(index, axis) - start) / step;
        const inside = Number.isInteger(from) && from >= 0 && from < item(x.shape, axis);
        return inside ? at(x, ...index.map((i, a) => (a === axis ? from : i))) : 0;
      },
    ),
  ];
}

interface Padding {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export function pad(inputs: Inputs, { before, after }: Padding): NdArray[] {
  const x = item(inputs, 0);
  const shape = x.shape.map((size, axis) => size + item(before, axis) + item(after, axis));
  return [
    build(shape, (index) => {
      const from = index.map((i, axis) => i - item(before, axis));
      return from.every((i, axis) => i >= 0 && i < item(x.shape, axis)) ? at(x, ...from) : 0;
    }),
  ];
}

export function gather(inputs: Inputs): NdArray[] {
  const [table, indices] = [item(inputs, 0), item(inputs, 1)];
  const rank = indices.shape.length;
  return [
    build([...indices.shape, ...table.shape.slice(1)], (index) =>
      at(table, at(indices, ...index.slice(0, rank)), ...index.slice(rank)),
    ),
  ];
}

export function scatterRows(inputs: Inputs, { rows }: { readonly rows: number }): NdArray[] {
  const [values, indices] = [item(inputs, 0), item(inputs, 1)];
  const width = values.data.length / indices.data.length;
  return [
    build([rows, ...values.shape.slice(indices.shape.length)], () => 0),
    // counted row by row: row r is the sum of the values whose index is r
  ].map((zeros) => ({
    ...zeros,
    data: zeros.data.map((_, flat) =>
      total(indices.data.length, (n) =>
        indices.data[n] === Math.floor(flat / width) ? item(values.data, n * width + (flat % width)) : 0,
      ),
    ),
  }));
}

interface Reduction {
  readonly axes: readonly number[];
  readonly keepAxes: boolean;
}

/** A reduction from a function of all the elements that fall together. */
export function reduction(combine: (elements: readonly number[]) => number) {
  return (inputs: Inputs, { axes, keepAxes }: Reduction): NdArray[] => {
    const x = item(inputs, 0);
    const kept = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const groups = build(kept, () => 0).data.map((): number[] => []);
    const strides = kept.map((_, axis) => kept.slice(axis + 1).reduce((a, b) => a * b, 1));
    const positions = build(x.shape, (index) =>
      total(index.length, (axis) => (axes.includes(axis) ? 0 : item(index, axis) * item(strides, axis))),
    ).data;
    for (const [flat, position] of positions.entries()) item(groups, position).push(item(x.data, flat));
    const shape = keepAxes ? kept : x.shape.filter((_, axis) => !axes.includes(axis));
    return [{ shape, type: 'float32', data: groups.map(combine) }];
  };
}
