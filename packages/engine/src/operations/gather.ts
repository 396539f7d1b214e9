import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { apply, type NoAttributes, the } from './apply.js';
import { expectType } from './elementwise.js';

export const gatherOperation: Operation<NoAttributes> = {
  name: 'gather',
  infer: (inputs) => {
    const [table, indices] = [the(inputs), the(inputs, 1)];
    expectType(table, 'float32');
    expectType(indices, 'int64', 'int32');
    if (table.shape.length === 0) throw new ShapeError('expected a table with rows, received a scalar');
    return [{ shape: [...indices.shape, ...table.shape.slice(1)], type: table.type }];
  },
  emit: ({ emitter, inputs }) => [emitter.node('Gather', inputs, { axis: 0 })],
  vjp: ({ gradients, inputs, needed }) => {
    const [table, indices] = [the(inputs), the(inputs, 1)];
    return [needed[0] === true ? scatterRows(the(gradients), indices, axisSize(table.shape, 0)) : null, null];
  },
};

/** Rows of a table by their indices. */
export function gather(table: Tensor, indices: Tensor): Tensor {
  return apply(gatherOperation, [table, indices], {});
}

export const scatterRowsOperation: Operation<{ readonly rows: number }> = {
  name: 'scatterRows',
  infer: (inputs, { rows }) => {
    const [values, indices] = [the(inputs), the(inputs, 1)];
    return [{ shape: [rows, ...values.shape.slice(indices.shape.length)], type: values.type }];
  },
  // A product with the one-hot indices: rows that occur several times add up, in an order that never changes.
  emit: ({ emitter, inputs, inputTypes, outputTypes, attributes: { rows } }) => {
    const [values, indices] = inputs;
    const [valuesType, indicesType] = [the(inputTypes), the(inputTypes, 1)];
    const count = indicesType.shape.reduce((a, b) => a * b, 1);
    const width = valuesType.shape.reduce((a, b) => a * b, 1) / count;
    const flat = emitter.node('Reshape', [indices ?? '', emitter.integers(count)]);
    // ONNX Runtime has no OneHot of int32 with a depth of int64.
    const wide = indicesType.type === 'int64' ? flat : emitter.cast(flat, 'int64');
    const oneHot = emitter.node('OneHot', [wide, emitter.integers(rows), emitter.constant(Float32Array.of(0, 1))]);
    const matrix = emitter.node('Reshape', [values ?? '', emitter.integers(count, width)]);
    const summed = emitter.node('Gemm', [oneHot, matrix], { transA: 1 });
    return [emitter.node('Reshape', [summed, emitter.integers(...the(outputTypes).shape)])];
  },
  vjp: ({ gradients, inputs }) => [gather(the(gradients), the(inputs, 1)), null],
};

/** Adds rows to a table of zeros, each at its index. */
function scatterRows(values: Tensor, indices: Tensor, rows: number): Tensor {
  return apply(scatterRowsOperation, [values, indices], { rows });
}
