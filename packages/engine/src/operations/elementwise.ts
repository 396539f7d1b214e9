import type { Attribute } from '../graph/emitter.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { broadcastShapes, ShapeError } from '../graph/shape.js';
import { describeType, type ElementType, type TensorType } from '../graph/tensor.js';
import { apply } from './apply.js';

/** Operations that compute every element by itself: how those of one and of two inputs are made. */

export function expectType(input: TensorType, ...types: readonly ElementType[]): void {
  if (!types.includes(input.type))
    throw new ShapeError(`expected ${types.join(' or ')}, received ${describeType(input)}`);
}

export type Unary = ((x: Tensor) => Tensor) & { readonly operation: Operation<[x: Tensor]> };

/** An element-wise function of float32 with ONNX's operator of the same meaning. */
export function unary(
  name: string,
  onnx: string,
  /** `∂loss/∂x` from `∂loss/∂y`, x and y. */
  derivative: (dy: Tensor, x: Tensor, y: Tensor) => Tensor,
  attributes: Readonly<Record<string, Attribute>> = {},
): Unary {
  const operation: Operation<[x: Tensor]> = {
    name,
    infer: ([x]) => {
      expectType(x, 'float32');
      return [x];
    },
    emit: ({ emitter, inputs }) => [emitter.node(onnx, inputs, attributes)],
    vjp: ({ gradient: dy, inputs: [x], outputs: [y] }) => [derivative(dy, x, y)],
  };
  return Object.assign((x: Tensor) => apply(operation, [x], {}), { operation });
}

export type Binary = ((a: Tensor, b: Tensor | number) => Tensor) & {
  readonly operation: Operation<[a: Tensor, b: Tensor]>;
};

/** An element-wise function of two tensors that broadcast; a number stands for a scalar. */
export function binary(
  name: string,
  onnx: string,
  /** `[∂loss/∂a, ∂loss/∂b]`, in the broadcast shape; null for a function without slope. */
  derivative: ((dy: Tensor, a: Tensor, b: Tensor, y: Tensor) => readonly [() => Tensor, () => Tensor]) | null,
  types: readonly ElementType[] = ['float32'],
  result?: ElementType,
): Binary {
  const operation: Operation<[a: Tensor, b: Tensor]> = {
    name,
    infer: ([a, b]) => {
      expectType(a, ...types);
      expectType(b, a.type);
      return [{ shape: broadcastShapes(a.shape, b.shape), type: result ?? a.type }];
    },
    emit: ({ emitter, inputs }) => [emitter.node(onnx, inputs)],
    vjp:
      derivative === null
        ? null
        : ({ gradient: dy, inputs: [a, b], outputs: [y], needed: [needsA, needsB] }) => {
            const [da, db] = derivative(dy, a, b, y);
            return [needsA ? da() : null, needsB ? db() : null];
          },
  };
  return Object.assign(
    (a: Tensor, b: Tensor | number) => apply(operation, [a, typeof b === 'number' ? scalarLike(a, b) : b], {}),
    { operation },
  );
}

function scalarLike({ graph, type }: Tensor, value: number): Tensor {
  if (type === 'int64') return graph.constant(BigInt64Array.of(BigInt(value)), []);
  return type === 'int32' ? graph.constant(Int32Array.of(value), []) : graph.scalar(value);
}
