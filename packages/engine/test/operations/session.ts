import { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node';
import type { Target } from '../../src/graph/emitter.js';
import type { Graph, Tensor } from '../../src/graph/graph.js';
import { type ElementType, sizeOf } from '../../src/graph/tensor.js';
import { onnxModel } from '../../src/onnx/model.js';
import type { NdArray } from './reference/array.js';

/** Runs a graph with ONNX Runtime: values of the outputs, in their order. */
export async function run(
  graph: Graph,
  outputs: readonly Tensor[],
  feeds: ReadonlyMap<Tensor, NdArray>,
  target: Target = { channelBlock: null },
): Promise<NdArray[]> {
  const named = Object.fromEntries(outputs.map((tensor, i) => [`output${i}`, tensor]));
  const session = await InferenceSession.create(onnxModel(graph, named, { name: 'test', target }), {
    intraOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  try {
    const fed = [...feeds].filter(([tensor]) => session.inputNames.includes(tensor.name));
    const results = await session.run(
      Object.fromEntries(fed.map(([tensor, array]) => [tensor.name, runtimeTensor(array)])),
    );
    return outputs.map((_, i) => {
      const result = results[`output${i}`];
      if (result === undefined) throw new Error(`no output ${i}`);
      const data = Array.from<string | number | bigint, number>(result.data, Number);
      if (data.length !== sizeOf(result.dims)) throw new Error(`output ${i} has ${data.length} values`);
      return { shape: result.dims, type: elementType(result.type), data };
    });
  } finally {
    await session.release();
  }
}

function runtimeTensor({ type, shape, data }: NdArray): RuntimeTensor {
  switch (type) {
    case 'float32':
      return new RuntimeTensor(type, Float32Array.from(data), shape);
    case 'int64':
      return new RuntimeTensor(type, BigInt64Array.from(data, BigInt), shape);
    case 'int32':
      return new RuntimeTensor(type, Int32Array.from(data), shape);
    default:
      return new RuntimeTensor(type, Uint8Array.from(data), shape);
  }
}

function elementType(type: string): ElementType {
  if (type === 'float32' || type === 'int64' || type === 'int32' || type === 'uint8' || type === 'bool') return type;
  throw new TypeError(`ONNX Runtime returned ${type}`);
}
