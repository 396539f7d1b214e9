import type { Operation, Tensor } from '../graph/graph.js';
import { axisSize, ShapeError } from '../graph/shape.js';
import type { TensorType } from '../graph/tensor.js';
import { apply, applyForAll, the } from './apply.js';
import { expectType } from './elementwise.js';

interface Epsilon {
  readonly epsilon: number;
}

/** `[N, C, …]`, and vectors over channels. */
function checkChannels(inputs: readonly TensorType[]): void {
  for (const input of inputs) expectType(input, 'float32');
  const { shape } = the(inputs);
  if (shape.length < 2) throw new ShapeError(`expected [N, C, …], received [${shape.join(', ')}]`);
  for (const vector of inputs.slice(1)) {
    if (vector.shape.length !== 1 || vector.shape[0] !== shape[1]) {
      throw new ShapeError(`expected vectors of shape [${shape[1]}], received [${vector.shape.join(', ')}]`);
    }
  }
}

/** Inputs x, scale, shift; outputs y and the batch's mean and (biased) variance. */
export const batchNormOperation: Operation<Epsilon> = {
  name: 'batchNorm',
  infer: (inputs) => {
    checkChannels(inputs);
    const [x, scale] = [the(inputs), the(inputs, 1)];
    return [x, scale, scale];
  },
  emit: ({ emitter, inputs: [x = '', scale = '', shift = ''], attributes }) => {
    // ONNX Runtime may write the running statistics in place over these inputs. So every node computes a mean and a variance
    // of its own, by factors that no other has, lest they be merged; momentum 0 replaces them by the batch's.
    const factor = emitter.nodeCount;
    const mean = emitter.node('Mul', [scale, emitter.float(factor + 0.25)]);
    const variance = emitter.node('Mul', [scale, emitter.float(factor + 0.75)]);
    return emitter.nodeOfSeveral('BatchNormalization', [x, scale, shift, mean, variance], 3, {
      training_mode: 1,
      momentum: { float: 0 },
      epsilon: { float: attributes.epsilon },
    });
  },
  vjp: ({ gradients, inputs, outputs, attributes }) => {
    const reached = outputs.find((_, i) => i > 0 && gradients[i] !== null);
    if (reached !== undefined) {
      throw new TypeError(
        `${reached.name}: no gradient flows through the batch's statistics, but the loss depends on one`,
      );
    }
    const [x, scale] = [the(inputs), the(inputs, 1)];
    const [, mean, variance] = outputs;
    return applyForAll(
      batchNormGradientOperation,
      [the(gradients), x, scale, the([mean]), the([variance])],
      attributes,
    );
  },
};

/** Inputs dy, x, scale, mean, variance; outputs dx, dscale, dshift. */
export const batchNormGradientOperation: Operation<Epsilon> = {
  name: 'batchNormGradient',
  infer: (inputs) => [the(inputs, 1), the(inputs, 2), the(inputs, 2)],
  // With x̂ = (x − m)·r, r = 1/√(v + ε): dshift = Σdy, dscale = Σdy·x̂ = r·(Σdy·x − m·Σdy), and
  // dx = scale·r·(dy − dshift/n − x̂·dscale/n) = A·dy + B·x + C with A, B, C per channel.
  emit: ({ emitter, inputs: [dy = '', x = '', scale = '', mean = '', variance = ''], inputTypes, attributes }) => {
    const { shape } = the(inputTypes);
    const channels = axisSize(shape, 1);
    const count = shape.reduce((a, b) => a * b, 1) / channels;
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
    const [zeros, ones] = [0, 1].map((value) => emitter.constant(new Float32Array(channels).fill(value)));
    const scaled = emitter.node('BatchNormalization', [dy, a, c, zeros ?? '', ones ?? ''], { epsilon: { float: 0 } });
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
  return { y: the([y]), mean: the([mean]), variance: the([variance]) };
}

/** Inputs x, scale, shift, mean, variance. */
export const batchNormInferenceOperation: Operation<Epsilon> = {
  name: 'batchNormInference',
  infer: (inputs) => {
    checkChannels(inputs);
    return [the(inputs)];
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
