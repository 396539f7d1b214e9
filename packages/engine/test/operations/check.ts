import { expect } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import type { Tensor } from '../../src/graph/graph.js';
import { Graph } from '../../src/graph/graph.js';
import { add, mul } from '../../src/operations/arithmetic.js';
import { sum } from '../../src/operations/reductions.js';
import { normal, randomFrom } from './random.js';
import { indexOf, item, type NdArray } from './reference/array.js';
import type { Sample } from './sample.js';
import { run } from './session.js';

/** What ONNX Runtime made of a sample. */
export interface Outcome {
  readonly inferred: readonly Tensor[];
  readonly outputs: readonly NdArray[];
  /** Random factors of the differentiable outputs: the loss is Σ factor·output. */
  readonly factors: readonly NdArray[];
  /** `∂loss/∂input`, null for inputs that are not float32. */
  readonly gradients: readonly (NdArray | null)[];
}

/** Runs samples in one session, forward and backward. */
export async function runSamples(samples: readonly Sample[]): Promise<Outcome[]> {
  const graph = new Graph();
  const feeds = new Map<Tensor, NdArray>();
  const plans = samples.map((sample, s) => {
    const inputs = sample.inputs.map((array, i) => {
      const tensor = graph.input(`sample${s}/input${i}`, array.shape, array.type);
      feeds.set(tensor, array);
      return tensor;
    });
    const inferred = graph.scope(`sample${s}`, () => sample.build(graph, inputs));
    const factors = sample.differentiable.map((o) =>
      normal(...item(inferred, o).shape)(randomFrom(`factor ${s} ${o}`)),
    );
    const targets = inputs.filter((input) => input.type === 'float32');
    const slopes =
      factors.length === 0
        ? []
        : gradients(
            factors
              .map((factor, k) => {
                const output = item(inferred, item(sample.differentiable, k));
                const product = mul(output, graph.constant(Float32Array.from(factor.data), factor.shape));
                return product.rank === 0 ? product : sum(product);
              })
              .reduce((a, b) => add(a, b)),
            targets,
          );
    return { inputs, inferred, factors, targets, slopes };
  });
  const wanted = plans.flatMap(({ inferred, slopes }) => [...inferred, ...slopes]);
  const results = new Map((await run(graph, wanted, feeds)).map((result, i) => [item(wanted, i), result]));
  const resultOf = (tensor: Tensor) => {
    const result = results.get(tensor);
    if (result === undefined) throw new Error(`no result for ${tensor.name}`);
    return result;
  };
  return plans.map(({ inputs, inferred, factors, targets, slopes }) => ({
    inferred,
    outputs: inferred.map(resultOf),
    factors,
    gradients: inputs.map((input) => {
      const slope = slopes[targets.indexOf(input)];
      return slope === undefined ? null : resultOf(slope);
    }),
  }));
}

/** Shapes, types and values are those that inference and the reference say. */
export function checkValues(operation: string, sample: Sample, { inferred, outputs }: Outcome): void {
  const references = sample.reference(sample.inputs);
  expect(outputs.length, `${operation}, ${sample.title}: outputs`).toBe(references.length);
  for (const [o, output] of outputs.entries()) {
    const { shape, type } = item(inferred, o);
    const place = `${operation}, "${sample.title}", output ${o}`;
    expect({ shape, type }, `${place}: inferred type`).toEqual({ shape: output.shape, type: output.type });
    checkClose(output, item(references, o), 1e-5, place, 'reference');
  }
}

/** Gradients are those that central differences of the reference have, or the sample itself says. */
export function checkGradients(operation: string, sample: Sample, outcome: Outcome): void {
  const expected = sample.vjp?.(sample.inputs, outcome.factors);
  for (const [i, gradient] of outcome.gradients.entries()) {
    if (gradient === null) continue;
    const place = `${operation}, "${sample.title}", gradient of argument ${i}`;
    if (expected === undefined) {
      checkClose(gradient, centralDifferences(sample, i, outcome.factors), 1e-4, place, 'central differences');
    } else {
      checkClose(gradient, item(expected, i), 1e-4, place, 'reference');
    }
  }
}

const STEP = 1e-4;

/** `∂/∂x Σ factor·output` by two evaluations for each element of an argument. */
function centralDifferences(sample: Sample, argument: number, factors: readonly NdArray[]): NdArray {
  const x = item(sample.inputs, argument);
  const loss = (data: readonly number[]) => {
    const outputs = sample.reference(sample.inputs.map((input) => (input === x ? { ...x, data } : input)));
    return factors.reduce((sum, factor, k) => {
      const output = item(outputs, item(sample.differentiable, k));
      return factor.data.reduce((inner, weight, i) => inner + weight * item(output.data, i), sum);
    }, 0);
  };
  const data = x.data.map((value, i) => {
    const [above, below] = [value + STEP, value - STEP].map((moved) =>
      loss(x.data.map((other, j) => (j === i ? moved : other))),
    );
    return ((above ?? 0) - (below ?? 0)) / (2 * STEP);
  });
  return { shape: x.shape, type: 'float32', data };
}

function checkClose(actual: NdArray, expected: NdArray, tolerance: number, place: string, against: string): void {
  expect(actual.shape, `${place}: shape`).toEqual(expected.shape);
  for (const [i, value] of actual.data.entries()) {
    const wanted = item(expected.data, i);
    // Written so that NaN is never close.
    if (value === wanted || Math.abs(value - wanted) <= tolerance * (1 + Math.abs(wanted))) continue;
    const index = indexOf(expected.shape, i).join(', ');
    expect.fail(`${place} at [${index}]: ONNX Runtime ${value}, ${against} ${wanted}`);
  }
}
