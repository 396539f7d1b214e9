import type { Operation, Tensor } from '../graph/graph.js';
import { apply } from './apply.js';
import { add, div, mul, neg } from './arithmetic.js';
import { greater, where } from './comparison.js';
import { expectType, type Unary, unary } from './elementwise.js';

// d eˣ = eˣ dx
export const exp = unary('exp', 'Exp', (dy, _, y) => mul(dy, y));

// d log x = dx / x
export const log = unary('log', 'Log', (dy, x) => div(dy, x));

// d √x = dx / 2√x
export const sqrt = unary('sqrt', 'Sqrt', (dy, _, y) => div(mul(dy, 0.5), y));

// d σ = σ(1−σ) dx
export const sigmoid = unary('sigmoid', 'Sigmoid', (dy, _, y) => mul(dy, mul(y, oneMinus(y))));

// d log(1 + eˣ) = σ dx, with σ = e^(−log(1 + e⁻ˣ)): ONNX Runtime's Sigmoid is exact to 1e-7, and no digit is right where σ is smaller
export const softplus: Unary = unary('softplus', 'Softplus', (dy, x) => mul(dy, exp(neg(softplus(neg(x))))));

// d tanh = (1 − tanh²) dx
export const tanh = unary('tanh', 'Tanh', (dy, _, y) => mul(dy, oneMinus(mul(y, y))));

// d erf = 2/√π · e^(−x²) dx
export const erf = unary('erf', 'Erf', (dy, x) => mul(dy, mul(exp(neg(mul(x, x))), 2 / Math.sqrt(Math.PI))));

// d cos x = −sin x dx
export const cos: Unary = unary('cos', 'Cos', (dy, x) => neg(mul(dy, sin(x))));

// d sin x = cos x dx
export const sin: Unary = unary('sin', 'Sin', (dy, x) => mul(dy, cos(x)));

/** λ and α of {@link selu} (Klambauer et al. 2017). */
const SELU_SCALE = 1.0507009873554805;
const SELU_ALPHA = 1.6732632423543772;

// y = λx above 0, λα(eˣ − 1) below, where dy/dx = λα·eˣ = y + λα
export const selu = unary(
  'selu',
  'Selu',
  (dy, _, y) => mul(dy, where(greater(y, 0), y.graph.scalar(SELU_SCALE), add(y, SELU_SCALE * SELU_ALPHA))),
  { alpha: { float: SELU_ALPHA }, gamma: { float: SELU_SCALE } },
);

/** `1 − x` */
function oneMinus(x: Tensor): Tensor {
  return add(neg(x), 1);
}

export const powOperation: Operation<[x: Tensor], { readonly exponent: number }> = {
  name: 'pow',
  infer: ([x]) => {
    expectType(x, 'float32');
    return [x];
  },
  emit: ({ emitter, inputs: [x], attributes }) => [emitter.node('Pow', [x, emitter.float(attributes.exponent)])],
  // d xᵖ = p·xᵖ⁻¹ dx
  vjp: ({ gradient: dy, inputs: [x], attributes: { exponent } }) => [mul(dy, mul(pow(x, exponent - 1), exponent))],
};

/** `x` to a constant power. */
export function pow(x: Tensor, exponent: number): Tensor {
  return apply(powOperation, [x], { exponent });
}

/** `x·σ(x)` */
export function silu(x: Tensor): Tensor {
  return x.graph.scope('silu', () => mul(x, sigmoid(x)));
}

/** `x·Φ(x)` with the normal distribution's Φ, exactly and not by tanh. */
export function gelu(x: Tensor): Tensor {
  return x.graph.scope('gelu', () => mul(mul(x, 0.5), add(erf(mul(x, Math.SQRT1_2)), 1)));
}
