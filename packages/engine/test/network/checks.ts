import { gradients } from '../../src/differentiation/gradients.js';
import type { Tensor } from '../../src/graph/graph.js';
import { mul, sub } from '../../src/operations/arithmetic.js';
import { mean } from '../../src/operations/reductions.js';
import { type Built, compile, type InputData, noise, resultOf } from './run.js';

export interface GradientCheck {
  /** Parameters without a gradient, or with one that is not a number. */
  readonly notFinite: readonly string[];
  /** Parameters whose gradient is 0 but for rounding. */
  readonly vanishing: readonly string[];
  /** Slope of the loss along its gradient: by central differences, over that by differentiation. */
  readonly slopeRatio: number;
}

/**
 * Differentiates `mean((y − noise)²)` by the parameters, and by the input where that has floats, and walks a little way
 * along the gradient in both directions to see whether the loss changes as it says.
 */
export async function checkGradients(
  { network, x, y }: Built,
  values: InputData,
  change = 0.003,
): Promise<GradientCheck> {
  const { graph } = network;
  const target = graph.constant(noise(y.size, 'target'), y.shape);
  const error = sub(y, target);
  const loss = mean(mul(error, error));
  const targets: Tensor[] = network.parameters.map(({ tensor }) => tensor);
  if (x.type === 'float32') targets.push(x);
  const slopes = gradients(loss, targets);
  const outputs = Object.fromEntries(slopes.map((slope, i) => [`d${i}`, slope]));
  const run = await compile(graph, { loss, ...outputs });

  const results = await run(values);
  const lossOf = (result: Record<string, Float32Array>) => resultOf(result, 'loss')[0] ?? Number.NaN;
  const gradientOf = targets.map((tensor, i) => ({ name: tensor.name, values: resultOf(results, `d${i}`) }));
  const squares = gradientOf.map((gradient) => gradient.values.reduce((sum, value) => sum + value * value, 0));
  const total = squares.reduce((sum, square) => sum + square, 0);

  // Steps for which the loss should change by the given share of itself. Some of it is lost in the rounding of parameters to
  // float32, so what counts is where we arrive.
  const step = (change * lossOf(results)) / total;
  const [ahead, behind] = [moved(values, gradientOf, step), moved(values, gradientOf, -step)];
  const measured = lossOf(await run(ahead)) - lossOf(await run(behind));
  const predicted = gradientOf.reduce((sum, { name, values: slope }) => {
    const [to, from] = [floatsOf(ahead, name), floatsOf(behind, name)];
    return slope.reduce((inner, value, i) => inner + value * ((to[i] ?? Number.NaN) - (from[i] ?? Number.NaN)), sum);
  }, 0);
  return {
    notFinite: gradientOf.filter((gradient) => !gradient.values.every(Number.isFinite)).map(({ name }) => name),
    vanishing: gradientOf.filter((_, i) => !((squares[i] ?? 0) > total * 1e-12)).map(({ name }) => name),
    slopeRatio: measured / predicted,
  };
}

function moved(
  values: InputData,
  directions: readonly { readonly name: string; readonly values: Float32Array }[],
  factor: number,
): InputData {
  const result = { ...values };
  for (const { name, values: direction } of directions) {
    result[name] = floatsOf(values, name).map((value, i) => value + factor * (direction[i] ?? Number.NaN));
  }
  return result;
}

function floatsOf(values: InputData, name: string): Float32Array {
  const found = values[name];
  if (!(found instanceof Float32Array)) throw new Error(`the test has no floats for "${name}"`);
  return found;
}
