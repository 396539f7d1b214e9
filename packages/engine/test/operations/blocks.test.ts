import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import type { Target } from '../../src/graph/emitter.js';
import { Graph } from '../../src/graph/graph.js';
import type { Shape } from '../../src/graph/tensor.js';
import { mul } from '../../src/operations/arithmetic.js';
import { type ConvolutionOptions, conv2d } from '../../src/operations/convolution.js';
import { sum } from '../../src/operations/reductions.js';
import { detectTarget } from '../../src/runtime/target.js';
import { normal, randomFrom } from './random.js';
import { run } from './session.js';

const target = await detectTarget(onnxRuntime);

/** Images convolved with weights `[K, C, h, w]`, and the gradients of the sum of squares to both. */
async function convolved(weightShape: Shape, options: ConvolutionOptions, blocks: Target) {
  const graph = new Graph();
  const x = graph.input('x', [2, weightShape[1] ?? 0, 6, 5]);
  const weight = graph.input('weight', weightShape);
  const y = conv2d(x, weight, undefined, options);
  const random = randomFrom('blocks');
  const feeds = new Map([x, weight].map((tensor) => [tensor, normal(...tensor.shape)(random)]));
  return run(graph, [y, ...gradients(sum(mul(y, y)), [x, weight])], feeds, blocks);
}

describe('a convolution in blocks of channels', () => {
  it.for([
    { title: 'as many channels out as in', weight: [16, 16, 3, 3], options: { padding: 1 } },
    { title: 'more channels out', weight: [48, 16, 3, 3], options: { padding: 1 } },
    { title: 'fewer channels out', weight: [16, 48, 3, 3], options: {} },
    { title: 'kernel 1', weight: [32, 16, 1, 1], options: {} },
    { title: 'kernel 2', weight: [16, 32, 2, 2], options: {} },
    { title: 'kernel 1 × 3', weight: [16, 32, 1, 3], options: {} },
    { title: 'stride 2', weight: [32, 16, 3, 3], options: { stride: 2, padding: 1 } },
  ])('is the plain one, and so are its gradients: $title', async ({ weight, options }, context) => {
    if (target.channelBlock === null) return context.skip('this machine computes in no blocks of channels');
    const plain = await convolved(weight, options, { channelBlock: null });
    const blocked = await convolved(weight, options, target);
    for (const [i, { shape, data }] of plain.entries()) {
      const scale = Math.max(...data.map(Math.abs));
      expect(blocked[i]?.shape).toEqual(shape);
      expect(Math.max(...data.map((value, at) => Math.abs(value - (blocked[i]?.data[at] ?? Number.NaN))))).toBeLessThan(
        1e-5 * scale,
      );
    }
  });
});
