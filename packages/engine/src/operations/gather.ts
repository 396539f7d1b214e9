import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { sizeOf } from '../graph/tensor.js';
import { apply } from './apply.js';
import { expectType } from './elementwise.js';

export const gatherOperation: Operation<[table: Tensor, indices: Tensor]> = {
  name: 'gather',
  infer: ([table, indices]) => {
    expectType(table, 'float32');
    expectType(indices, 'int64', 'int32');
    if (table.shape.length === 0) throw new ShapeError('expected a table with rows, received a scalar');
    return [{ shape: [...indices.shape, ...table.shape.slice(1)], type: table.type }];
  },
  emit: ({ emitter, inputs }) => [emitter.node('Gather', inputs, { axis: 0 })],
  vjp: ({ gradient: dy, inputs: [table, indices], needed: [needsTable] }) => [
    needsTable ? scatterRows(dy, indices, axisSize(table.shape, 0)) : null,
    null,
  ],
};

/** Rows of a table by their indices. */
export function gather(table: Tensor, indices: Tensor): Tensor {
  return apply(gatherOperation, [table, indices], {});
}

export const scatterRowsOperation: Operation<[values: Tensor, indices: Tensor], { readonly rows: number }> = {
  name: 'scatterRows',
  infer: ([values, indices], { rows }) => [
    { shape: [rows, ...values.shape.slice(indices.shape.length)], type: values.type },
  ],
  // A product with the one-hot indices: rows that occur several times add up, in an order that never changes.
  emit: ({ emitter, inputs: [values, indices], inputTypes, outputTypes: [{ shape }], attributes: { rows } }) => {
    const [valuesType, indicesType] = inputTypes;
    const count = sizeOf(indicesType.shape);
    const width = sizeOf(valuesType.shape) / count;
    const flat = emitter.node('Reshape', [indices, emitter.integers(count)]);
    // ONNX Runtime has no OneHot of int32 with a depth of int64.
    const wide = indicesType.type === 'int64' ? flat : emitter.cast(flat, 'int64');
    const oneHot = emitter.node('OneHot', [wide, emitter.integers(rows), emitter.constant(Float32Array.of(0, 1))]);
    const matrix = emitter.node('Reshape', [values, emitter.integers(count, width)]);
    const summed = emitter.node('Gemm', [oneHot, matrix], { transA: 1 });
    return [emitter.node('Reshape', [summed, emitter.integers(...shape)])];
  },
  vjp: ({ gradient: dy, inputs: [, indices] }) => [gather(dy, indices), null],
};

/** Adds rows to a table of zeros, each at its index. */
function scatterRows(values: Tensor, indices: Tensor, rows: number): Tensor {
  return apply(scatterRowsOperation, [values, indices], { rows });
}
