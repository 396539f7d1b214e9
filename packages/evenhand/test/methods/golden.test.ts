import { crossEntropy, focal, Graph, gradients, type Loss, meanSquareError, onnxModel } from '@evenhand/engine';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { isMethodName, methods } from '../../src/methods/registry.js';
import golden from '../golden/methods.json' with { type: 'json' };

const { counts, labels, cases } = golden;
const classes = counts.length;
const shape = [labels.length, classes];
const NOTHING_OBSERVED = { labels: new Int32Array(0), probabilities: new Float32Array(0) };
const LOSSES = new Map<string, Loss>([
  ['crossEntropy', crossEntropy],
  ['meanSquareError', meanSquareError],
  ['focal', focal({ gamma: golden.focalGamma })],
]);

/** A method's loss, with the labels and weights of an epoch, and its gradient at the logits. */
async function compute({ method, options, loss: lossName, epoch, logits }: (typeof cases)[number]) {
  const loss = LOSSES.get(lossName);
  if (!isMethodName(method) || loss === undefined) throw new Error(`no ${method} or no ${lossName}`);
  const context = {
    classNames: counts.map(String),
    trainingCounts: counts,
    loss,
    epochs: 10,
    learningRateShare: () => 1,
  };
  const prepared = methods[method].prepare(context, options);
  const { generator, classWeights } = prepared.beforeEpoch(epoch, NOTHING_OBSERVED);
  const graph = new Graph();
  const z = graph.input('z', shape);
  const rows = labels.flatMap((label) => Array.from(generator.subarray(label * classes, (label + 1) * classes)));
  const weights = Float32Array.from(labels, (label) => classWeights[label] ?? Number.NaN);
  const value = prepared.loss(z, graph.constant(Float32Array.from(rows), shape), graph.constant(weights));
  const [gradient] = gradients(value, [z]);
  if (gradient === undefined) throw new Error('there is no gradient');
  const session = await InferenceSession.create(onnxModel(graph, { value, gradient }, { name: 'test' }), {
    intraOpNumThreads: 1,
  });
  const results = await session.run({ z: new Tensor('float32', Float32Array.from(logits), shape) });
  return [results.value, results.gradient].map((result) => Array.from(result?.data ?? [], Number));
}

describe.each(cases)('$method with $loss and $options in epoch $epoch', (golden) => {
  it('has the loss, and the gradient at the logits, that PyTorch finds from the formulas', async () => {
    const [value, gradient] = await compute(golden);
    const expected = [golden.value, ...golden.gradient];
    const received = [...(value ?? []), ...(gradient ?? [])];
    expect(received).toHaveLength(expected.length);
    const scale = Math.max(...golden.gradient.map(Math.abs), golden.value);
    expected.forEach((number, i) => {
      expect(Math.abs((received[i] ?? Number.NaN) - number)).toBeLessThan(2e-6 * scale);
    });
  });
});
