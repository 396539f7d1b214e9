import type { NoAttributes, Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { applyForAll } from './apply.js';
import { expectType } from './elementwise.js';

interface Epsilon {
  readonly epsilon: number;
}

/** Outputs y and, for the gradient, every row's mean and `1/√(variance + ε)`. */
export const layerNormOperation: Operation<
  [x: Tensor, scale: Tensor, shift: Tensor],
  Epsilon,
  [y: Tensor, mean: Tensor, deviation: Tensor]
> = {
  name: 'layerNorm',
  infer: (inputs) => {
    for (const input of inputs) expectType(input, 'float32');
    const [x, ...vectors] = inputs;
    const { shape } = x;
    if (shape.length === 0) throw new ShapeError('expected an axis to normalise, received a scalar');
    const features = axisSize(shape, -1);
    for (const vector of vectors) {
      if (vector.shape.length !== 1 || vector.shape[0] !== features) {
        throw new ShapeError(`expected vectors of shape [${features}], received [${vector.shape.join(', ')}]`);
      }
    }
    const perRow = { shape: [...shape.slice(0, -1), 1], type: 'float32' } as const;
    return [x, perRow, perRow];
  },
  emit: ({ emitter, inputs, attributes }) =>
    emitter.nodeOfSeveral('LayerNormalization', inputs, ['y', 'mean', 'deviation'], {
      axis: -1,
      epsilon: { float: attributes.epsilon },
    }),
  vjp: ({ gradient: dy, inputs: [x, scale], outputs: [, mean, deviation] }) =>
    applyForAll(layerNormGradientOperation, [dy, x, scale, mean, deviation], {}),
};

/** Takes of every row its mean and `1/√(variance + ε)`. */
export const layerNormGradientOperation: Operation<
  [dy: Tensor, x: Tensor, scale: Tensor, mean: Tensor, deviation: Tensor],
  NoAttributes,
  [dx: Tensor, dscale: Tensor, dshift: Tensor]
> = {
  name: 'layerNormGradient',
  infer: ([, x, scale]) => [x, scale, scale],
  // With x̂ = (x − m)·r and n features: dshift = Σ dy, dscale = Σ dy·x̂ over the rows, and
  // dx = r·(scale·dy − (dy·scale)/n − x̂·((dy∘x̂)·scale)/n), where the products with scale are sums over a row.
  emit: ({ emitter, inputs: [dy, x, scale, mean, r], inputTypes: [{ shape }] }) => {
    const features = axisSize(shape, -1);
    const mul = (a: string, b: string) => emitter.node('Mul', [a, b]);
    const sub = (a: string, b: string) => emitter.node('Sub', [a, b]);
    const leading = shape.slice(0, -1).map((_, axis) => axis);
    const overRows = (value: string) =>
      leading.length === 0
        ? emitter.node('Identity', [value])
        : emitter.node('ReduceSum', [value, emitter.integers(...leading)], { keepdims: 0 });
    const column = emitter.node('Reshape', [mul(scale, emitter.float(1 / features)), emitter.integers(features, 1)]);
    // A vector times a column is a vector without the axis that the other rows have.
    const alongRow = (value: string) => emitter.node('MatMul', [value, column]);

    const normalised = mul(sub(x, mean), r);
    const product = mul(dy, normalised);
    const inner = sub(sub(mul(dy, scale), alongRow(dy)), mul(normalised, alongRow(product)));
    return [mul(inner, r), overRows(product), overRows(dy)];
  },
  vjp: null,
};

/**
 * Normalises every row, along the last axis, by its own mean and variance: `(x − m)/√(v + ε)·scale + shift`.
 *
 * @param scale - as long as the last axis, as is `shift`
 */
export function layerNorm(x: Tensor, scale: Tensor, shift: Tensor, epsilon: number): Tensor {
  const [y] = applyForAll(layerNormOperation, [x, scale, shift], { epsilon });
  return y;
}
