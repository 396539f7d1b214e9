import { type TrainingData, toONNX } from '@evenhand/trees';
import { fit as trainTrees } from '@evenhand/trees/node';
import type { InferenceSession } from 'onnxruntime-node';
import type { TreesWork } from '../trees.js';
import { answer } from './answer.js';
import { peakMemory } from './peak-memory.js';

const THREADS = 2;

let drawn: { readonly key: string; readonly data: TrainingData; session?: InferenceSession } | undefined;

/** Our time to train, or of ONNX Runtime to predict, in ms; or the most memory that training took, in MB. */
await answer(async (request: TreesWork) => {
  const key = JSON.stringify(request);
  if (drawn?.key !== key) drawn = { key, data: draw(request) };
  const { data } = drawn;
  const options = { rounds: request.rounds, threads: THREADS };
  if (request.work === 'predict') {
    // Not before: training does without it, and so should its memory.
    const { InferenceSession, Tensor } = await import('onnxruntime-node');
    drawn.session ??= await InferenceSession.create(toONNX((await trainTrees(data, options)).model), {
      intraOpNumThreads: THREADS,
    });
    const input = new Tensor('float32', data.values, [request.rows, request.columns]);
    const start = performance.now();
    await drawn.session.run({ input });
    return { Evenhand: performance.now() - start };
  }
  const start = performance.now();
  await trainTrees(data, options);
  return { Evenhand: request.work === 'train' ? performance.now() - start : peakMemory() };
});

/** As draw() in sklearn_trees.py: numbers from 0 to 1, and classes by a threshold, a product and a wave of the first four, with noise. */
function draw({ rows, columns, classes }: TreesWork): TrainingData {
  let state = 1;
  // Park and Miller's generator: a generator of the engine would bring the engine's memory with it.
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const values = Float32Array.from({ length: rows * columns }, random);
  const labels = Int32Array.from({ length: rows }, (_, row) => {
    const [a = 0, b = 0, c = 0, d = 0] = values.subarray(row * columns, row * columns + 4);
    const score = (a > 0.6 ? 0.4 : 0) + 0.8 * b * c + 0.2 * Math.sin(6 * d) + 0.3 * random();
    return Math.min(classes - 1, Math.max(0, Math.floor((score / 1.3) * classes)));
  });
  return { values, columns, classes, labels };
}
