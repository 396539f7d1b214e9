import type { Target } from '../graph/emitter.js';
import { Graph } from '../graph/graph.js';
import { onnxModel } from '../onnx/model.js';
import { conv2d } from '../operations/convolution.js';
import type { OnnxRuntime } from './onnx-runtime.js';

/** Sizes that ONNX Runtime's kernels have: 16 with AVX-512 and on ARM, 8 with AVX. */
const BLOCKS = [16, 8];

/**
 * Finds out in which blocks of channels this machine's convolutions compute, by computing one: it is ONNX Runtime's own
 * layout, which depends on the processor and which not every build has. With it, residual networks train about a quarter
 * faster: `createProgram(model, { …, target: await detectTarget(runtime) })`.
 *
 * @param runtime - the module `onnxruntime-node` or `onnxruntime-web`
 */
export async function detectTarget(runtime: OnnxRuntime): Promise<Target> {
  const expected = await convolve(runtime, { channelBlock: null });
  for (const channelBlock of BLOCKS) {
    const received = await convolve(runtime, { channelBlock }).catch(() => null);
    // Small integers: sums are exact in any order, so that another layout shows and rounding does not.
    if (received?.every((value, i) => value === expected[i])) return { channelBlock };
  }
  return { channelBlock: null };
}

/** A convolution whose channels are a multiple of all blocks. */
async function convolve(runtime: OnnxRuntime, target: Target): Promise<Float32Array> {
  const graph = new Graph();
  const integers = (length: number) => Float32Array.from({ length }, (_, i) => ((i * i + 3 * i) % 11) - 5);
  const [x, weight] = [graph.input('x', [1, 32, 3, 3]), graph.input('weight', [32, 32, 3, 3])];
  const model = onnxModel(graph, { y: conv2d(x, weight, undefined, { padding: 1 }) }, { name: 'probe', target });
  const session = await runtime.InferenceSession.create(model, { intraOpNumThreads: 1, logSeverityLevel: 4 });
  try {
    const { y } = await session.run({
      x: new runtime.Tensor('float32', integers(x.size), x.shape),
      weight: new runtime.Tensor('float32', integers(weight.size), weight.shape),
    });
    const data = await y?.getData();
    return data instanceof Float32Array ? data.slice() : new Float32Array();
  } finally {
    await session.release();
  }
}
