import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { applyForAll, type NoAttributes, the } from './apply.js';
import { expectType } from './elementwise.js';

interface Epsilon {
  readonly epsilon: number;
}

/** Inputs x, scale, shift; outputs y and, for the gradient, every row's mean and `1/√(variance + ε)`. */
export const layerNormOperation: Operation<Epsilon> = {
  name: 'layerNorm',
  infer: (inputs) => {
    for (const input of inputs) expectType(input, 'float32');
    const { shape } = the(inputs);
    if (shape.length === 0) throw new ShapeError('expected an axis to normalise, received a scalar');
    const features = axisSize(shape, -1);
    for (const vector of inputs.slice(1)) {
      if (vector.shape.length !== 1 || vector.shape[0] !== features) {
        throw new ShapeError(`expected vectors of shape [${features}], received [${vector.shape.join(', ')}]`);
      }
    }
    const perRow = { shape: [...shape.slice(0, -1), 1], type: 'float32' } as const;
    return [the(inputs), perRow, perRow];
  },
  emit: ({ emitter, inputs, attributes }) =>
    emitter.nodeOfSeveral('LayerNormalization', inputs, 3, { axis: -1, epsilon: { float: attributes.epsilon } }),
  vjp: ({ gradients, inputs, outputs }) => {
    const [x, scale, mean, deviation] = [the(inputs), the(inputs, 1), the(outputs, 1), the(outputs, 2)];
    return applyForAll(layerNormGradientOperation, [the(gradients), x, scale, mean, deviation], {});
  },
};

/** Inputs dy, x, scale, and of every row its mean and `1/√(variance + ε)`; outputs dx, dscale, dshift. */
export const layerNormGradientOperation: Operation<NoAttributes> = {
  name: 'layerNormGradient',
  infer: (inputs) => [the(inputs, 1), the(inputs, 2), the(inputs, 2)],
  // With x̂ = (x − m)·r and n features: dshift = Σ dy, dscale = Σ dy·x̂ over the rows, and
  // dx = r·(scale·dy − (dy·scale)/n − x̂·((dy∘x̂)·scale)/n), where the products with scale are sums over a row.
  emit: ({ emitter, inputs: [dy = '', x = '', scale = '', mean = '', r = ''], inputTypes }) => {
    const { shape } = the(inputTypes);
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
  return the(applyForAll(layerNormOperation, [x, scale, shift], { epsilon }));
}
