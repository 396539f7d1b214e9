import type { InferenceSession, Tensor } from 'onnxruntime-common';
import type { TableValues } from '../src/index.js';

/** What is used of ONNX Runtime, for Node or browsers. */
export interface Runtime {
  readonly InferenceSession: { create(file: Uint8Array): Promise<InferenceSession> };
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => Tensor;
}

/** The probabilities that ONNX Runtime computes with an exported model. */
export async function runOnnx(runtime: Runtime, file: Uint8Array, { values, columns }: TableValues): Promise<number[]> {
  const session = await runtime.InferenceSession.create(file);
  const input = new runtime.Tensor('float32', values, [values.length / columns, columns]);
  const { probabilities } = await session.run({ input });
  if (!(probabilities?.data instanceof Float32Array)) throw new Error('the model has no probabilities');
  return [...probabilities.data];
}
