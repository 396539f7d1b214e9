import { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node';
import type { Tensor } from '../../src/graph/graph.js';
import { Graph } from '../../src/graph/graph.js';
import type { ElementType, Shape } from '../../src/graph/tensor.js';
import { type Mode, Network } from '../../src/network/network.js';
import { normal, seededRandom } from '../../src/network/random.js';
import { onnxModel } from '../../src/onnx/model.js';

/** What inputs are fed, by name. */
export type InputData = Record<string, Float32Array | Int32Array | BigInt64Array>;

export interface Built {
  readonly network: Network;
  readonly x: Tensor;
  readonly y: Tensor;
}

/** Builds layers on an input named `input`, in a graph of their own. */
export function buildNetwork(
  mode: Mode,
  shape: Shape,
  build: (network: Network, x: Tensor) => Tensor,
  type: ElementType = 'float32',
): Built {
  const graph = new Graph();
  const x = graph.input('input', shape, type);
  const network = new Network(graph, mode, graph.input('key', [], 'int64'));
  return { network, x, y: build(network, x) };
}

/** First values of all parameters and statistics, and a key. */
export function firstValues(
  { parameters, statistics }: Pick<Network, 'parameters' | 'statistics'>,
  seed = 1,
): InputData {
  const values: InputData = { key: BigInt64Array.of(7n) };
  for (const { name, tensor, initialise } of parameters) {
    values[name] = initialise(tensor.shape, seededRandom(seed, name));
  }
  for (const { name, tensor, initial } of statistics) values[name] = new Float32Array(tensor.size).fill(initial);
  return values;
}

/** Standard normal numbers. */
export function noise(size: number, name = 'noise'): Float32Array {
  return Float32Array.from({ length: size }, normal(seededRandom(1, name)));
}

/** A graph in ONNX Runtime, from values of its inputs to values of some of its tensors. */
export async function compile(graph: Graph, outputs: Readonly<Record<string, Tensor>>) {
  const session = await InferenceSession.create(onnxModel(graph, outputs, { name: 'test' }), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  return async (values: InputData): Promise<Record<string, Float32Array>> => {
    const feeds = graph.inputs
      .filter(({ name }) => session.inputNames.includes(name))
      .map(({ name, shape }) => [name, runtimeTensor(values[name], name, shape)] as const);
    const results = await session.run(Object.fromEntries(feeds));
    return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, floats(data, name)]));
  };
}

function runtimeTensor(data: InputData[string] | undefined, name: string, shape: Shape): RuntimeTensor {
  if (data instanceof Float32Array) return new RuntimeTensor('float32', data, shape);
  if (data instanceof Int32Array) return new RuntimeTensor('int32', data, shape);
  if (data instanceof BigInt64Array) return new RuntimeTensor('int64', data, shape);
  throw new Error(`the test has no value for input "${name}"`);
}

function floats(data: unknown, name: string): Float32Array {
  if (data instanceof Float32Array) return data;
  throw new Error(`output "${name}" is not float32`);
}

/** A value that the test knows to be there. */
export function resultOf(results: Readonly<Record<string, Float32Array>>, name: string): Float32Array {
  const value = results[name];
  if (value === undefined) throw new Error(`there is no "${name}" among ${Object.keys(results).join(', ')}`);
  return value;
}

/** The largest difference of two vectors; infinite where they cannot be compared. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return Array.from(a).reduce((largest, value, i) => {
    const difference = Math.abs(value - (b[i] ?? Number.NaN));
    return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : Math.max(largest, difference);
  }, 0);
}
