import type { InferenceSessionFactory, TensorConstructor } from 'onnxruntime-common';
import type { FeedEntry } from '../../src/index.js';

interface Runtime {
  readonly InferenceSession: InferenceSessionFactory;
  readonly Tensor: TensorConstructor;
}

/** Probabilities of the first rows, as many as the model takes at once, by ONNX Runtime and an exported file alone. */
export async function predictWithFile(
  { InferenceSession, Tensor }: Runtime,
  file: Uint8Array,
  { name, shape }: FeedEntry,
  rows: Float32Array,
): Promise<number[]> {
  const session = await InferenceSession.create(file);
  const size = shape.reduce((product, dimension) => product * dimension, 1);
  const { probabilities } = await session.run({ [name]: new Tensor('float32', rows.subarray(0, size), shape) });
  const data = await probabilities?.getData();
  await session.release();
  if (!(data instanceof Float32Array)) throw new Error('the file gives no float32 "probabilities"');
  return [...data];
}
