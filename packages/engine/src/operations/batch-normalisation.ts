import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import { sizeOf, type TensorType } from '../graph/tensor.js';
import { apply, applyForAll } from './apply.js';
import { expectType } from './elementwise.js';

interface Epsilon {
  readonly epsilon: number;
}

/** `[N, C, …]`, and vectors over channels. */
function checkChannels(...inputs: readonly [x: TensorType, ...vectors: TensorType[]]): void {
  for (const input of inputs) expectType(input, 'float32');
  const [{ shape }, ...vectors] = inputs;
  if (shape.length < 2) throw new ShapeError(`expected [N, C, …], received [${shape.join(', ')}]`);
  for (const vector of vectors) {
    if (vector.shape.length !== 1 || vector.shape[0] !== shape[1]) {
      throw new ShapeError(`expected vectors of shape [${shape[1]}], received [${vector.shape.join(', ')}]`);
    }
  }
}

/** Outputs y and the batch's mean and (biased) variance. */
export const batchNormOperation: Operation<
  [x: Tensor, scale: Tensor, shift: Tensor],
  Epsilon,
  [y: Tensor, mean: Tensor, variance: Tensor]
> = {
  name: 'batchNorm',
  infer: ([x, scale, shift]) => {
    checkChannels(x, scale, shift);
    return [x, scale, scale];
  },
  emit: ({ emitter, inputs: [x, scale, shift], attributes }) => {
    // ONNX Runtime may write the running statistics in place over these inputs. So every node computes a mean and a variance
    // of its own, by factors that no other has, lest they be merged; momentum 0 replaces them by the batch's.
    const factor = emitter.nodeCount;
    const mean = emitter.node('Mul', [scale, emitter.float(factor + 0.25)]);
    const variance = emitter.node('Mul', [scale, emitter.float(factor + 0.75)]);
    return emitter.nodeOfSeveral('BatchNormalization', [x, scale, shift, mean, variance], ['y', 'mean', 'variance'], {
      training_mode: 1,
      momentum: { float: 0 },
      epsilon: { float: attributes.epsilon },
    });
  },
  vjp: ({ gradient: dy, gradients, inputs: [x, scale], outputs, attributes }) => {
    const reached = outputs.find((_, i) => i > 0 && gradients[i] !== null);
    if (reached !== undefined) {
      throw new TypeError(
        `${reached.name}: no gradient flows through the batch's statistics, but the loss depends on one`,
      );
    }
    const [, mean, variance] = outputs;
    return applyForAll(batchNormGradientOperation, [dy, x, scale, mean, variance], attributes);
  },
};

export const batchNormGradientOperation: Operation<
  [dy: Tensor, x: Tensor, scale: Tensor, mean: Tensor, variance: Tensor],
  Epsilon,
  [dx: Tensor, dscale: Tensor, dshift: Tensor]
> = {
  name: 'batchNormGradient',
  infer: ([, x, scale]) => [x, scale, scale],
  // With x̂ = (x − m)·r, r = 1/√(v + ε): dshift = Σdy, dscale = Σdy·x̂ = r·(Σdy·x − m·Σdy), and
  // dx = scale·r·(dy − dshift/n − x̂·dscale/n) = A·dy + B·x + C with A, B, C per channel.
  emit: ({ emitter, inputs: [dy, x, scale, mean, variance], inputTypes: [{ shape }], attributes }) => {
    const channels = axisSize(shape, 1);
    const count = sizeOf(shape) / channels;
    const axes = emitter.integers(...shape.map((_, axis) => axis).filter((axis) => axis !== 1));
    const sum = (value: string) => emitter.node('ReduceSum', [value, axes], { keepdims: 0 });
    const mul = (a: string, b: string) => emitter.node('Mul', [a, b]);

    const dshift = sum(dy);
    const root = emitter.node('Sqrt', [emitter.node('Add', [variance, emitter.float(attributes.epsilon)])]);
    const r = emitter.node('Reciprocal', [root]);
    const dscale = mul(r, emitter.node('Sub', [sum(mul(dy, x)), mul(mean, dshift)]));
    const a = mul(scale, r);
    const b = mul(mul(a, r), mul(dscale, emitter.float(-1 / count)));
    const c = emitter.node('Sub', [mul(mul(a, dshift), emitter.float(-1 / count)), mul(b, mean)]);
    // Inference-mode BatchNormalization is a fused a·t + c per channel.
    const filled = (value: number) => emitter.constant(new Float32Array(channels).fill(value));
    const scaled = emitter.node('BatchNormalization', [dy, a, c, filled(0), filled(1)], { epsilon: { float: 0 } });
    const stretched = emitter.node('Reshape', [
      b,
      emitter.integers(...shape.map((_, axis) => (axis === 1 ? channels : 1))),
    ]);
    return [emitter.node('Add', [scaled, mul(x, stretched)]), dscale, dshift];
  },
  vjp: null,
};

/** Normalises every channel by the batch's own statistics. Returns those too, for running averages. */
export function batchNorm(x: Tensor, scale: Tensor, shift: Tensor, epsilon: number) {
  const [y, mean, variance] = applyForAll(batchNormOperation, [x, scale, shift], { epsilon });
  return { y, mean, variance };
}

export const batchNormInferenceOperation: Operation<
  [x: Tensor, scale: Tensor, shift: Tensor, mean: Tensor, variance: Tensor],
  Epsilon
> = {
  name: 'batchNormInference',
  infer: ([x, ...vectors]) => {
    checkChannels(x, ...vectors);
    return [x];
  },
  emit: ({ emitter, inputs, attributes }) => [
    emitter.node('BatchNormalization', inputs, { epsilon: { float: attributes.epsilon } }),
  ],
  vjp: null,
};

/** Normalises every channel by given statistics. */
export function batchNormInference(
  x: Tensor,
  scale: Tensor,
  shift: Tensor,
  mean: Tensor,
  variance: Tensor,
  epsilon: number,
): Tensor {
  return apply(batchNormInferenceOperation, [x, scale, shift, mean, variance], { epsilon });
}
