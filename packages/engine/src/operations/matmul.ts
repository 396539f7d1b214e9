import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, broadcastShapes, ShapeError } from '../graph/shape.js';
import type { TensorType } from '../graph/tensor.js';
import { apply } from './apply.js';
import { expectType } from './elementwise.js';
import { sum } from './reductions.js';
import { transpose } from './transpose.js';

export const matmulOperation: Operation<[a: Tensor, b: Tensor]> = {
  name: 'matmul',
  infer: ([a, b]) => {
    expectType(a, 'float32');
    expectType(b, 'float32');
    if (a.shape.length < 2 || b.shape.length < 2 || axisSize(a.shape, -1) !== axisSize(b.shape, -2)) {
      throw new ShapeError('expected […, m, k] and […, k, n]');
    }
    const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
    return [{ shape: [...batch, axisSize(a.shape, -2), axisSize(b.shape, -1)], type: 'float32' }];
  },
  emit: ({ emitter, inputs }) => [emitter.node('MatMul', inputs)],
  // dA = dY·Bᵀ, dB = Aᵀ·dY; batch axes that were broadcast are summed by the differentiator
  vjp: ({ gradient: dy, inputs: [a, b], needed: [needsA, needsB] }) => [
    needsA ? matmul(dy, swapLastAxes(b)) : null,
    needsB ? matmul(swapLastAxes(a), dy) : null,
  ],
};

/** Matrix product over the last two axes; the axes before broadcast. */
export function matmul(a: Tensor, b: Tensor): Tensor {
  return apply(matmulOperation, [a, b], {});
}

export function swapLastAxes(x: Tensor): Tensor {
  const axes = x.shape.map((_, axis) => axis);
  return transpose(x, [...axes.slice(0, -2), x.rank - 1, x.rank - 2]);
}

interface GemmAttributes {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

/** Rows and columns of a matrix that may be used transposed. */
function sides({ shape }: TensorType, transposed: boolean): [rows: number, columns: number] {
  if (shape.length !== 2) throw new ShapeError(`expected matrices, received [${shape.join(', ')}]`);
  const [rows, columns] = [axisSize(shape, 0), axisSize(shape, 1)];
  return transposed ? [columns, rows] : [rows, columns];
}

export const gemmOperation: Operation<[a: Tensor, b: Tensor, bias?: Tensor], GemmAttributes> = {
  name: 'gemm',
  infer: (inputs, { transposeA, transposeB }) => {
    for (const input of inputs) if (input !== undefined) expectType(input, 'float32');
    const [a, b, bias] = inputs;
    const [rows, inner] = sides(a, transposeA);
    const [innerB, columns] = sides(b, transposeB);
    if (inner !== innerB) throw new ShapeError(`expected equal inner sizes, received ${inner} and ${innerB}`);
    if (bias !== undefined && (bias.shape.length !== 1 || bias.shape[0] !== columns)) {
      throw new ShapeError(`expected a bias of shape [${columns}], received [${bias.shape.join(', ')}]`);
    }
    return [{ shape: [rows, columns], type: 'float32' }];
  },
  emit: ({ emitter, inputs: [a, b, bias], attributes: { transposeA, transposeB } }) => [
    emitter.node('Gemm', bias === undefined ? [a, b] : [a, b, bias], {
      transA: transposeA ? 1 : 0,
      transB: transposeB ? 1 : 0,
    }),
  ],
  // Y = op(A)·op(B) + c: dA = dY·op(B)ᵀ, dB = op(A)ᵀ·dY, each transposed back where it was; dc = Σ rows of dY
  vjp: ({ gradient: dy, inputs: [a, b], needed: [needsA, needsB, needsBias = false], attributes }) => {
    const { transposeA, transposeB } = attributes;
    const product = (x: Tensor, y: Tensor, left: boolean, right: boolean) =>
      apply(gemmOperation, [x, y], { transposeA: left, transposeB: right });
    const dA = () => (transposeA ? product(b, dy, transposeB, true) : product(dy, b, false, !transposeB));
    const dB = () => (transposeB ? product(dy, a, true, transposeA) : product(a, dy, !transposeA, false));
    return [needsA ? dA() : null, needsB ? dB() : null, needsBias ? sum(dy, { axes: [0] }) : null];
  },
};

/** `x·W + b` of matrices, in one pass. */
export function linear(x: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  return apply(gemmOperation, bias === undefined ? [x, weight] : [x, weight, bias], {
    transposeA: false,
    transposeB: false,
  });
}
