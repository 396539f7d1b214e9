import { crossEntropy, Graph, onnxModel, type Tensor } from '@evenhand/engine';
import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { influenceBalanced } from '../../src/methods/influence-balanced.js';
import { learningToReweight } from '../../src/methods/learning-to-reweight.js';
import type { PreparedMethod } from '../../src/methods/method.js';

const context = {
  classNames: ['a', 'b', 'c'],
  trainingCounts: [60, 30, 10],
  loss: crossEntropy,
  epochs: 10,
  learningRateShare: () => 1,
};

/** Two networks of four instances with two features: what the last layer takes and gives, and the classes. */
const FEATURES = [1, -2, 0.5, 3, -1, 0.25, 2, 2, 0.1, 0.2, -0.3, 4, 1.5, -1, 0, -2];
const LOGITS = [...[2, 0, -1, 0.5, 0.25, 0, -1, 1, 3, 0, 0, 0], ...[0, 1, 2, 1, -1, 0.5, 0.2, 0.1, -0.4, -2, 1, 0]];
const LABELS = [0, 1, 2, 0, 2, 1, 0, 1];

const chunks = (values: readonly number[], size: number) =>
  Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));
const softmax = (row: readonly number[]) => {
  const powers = row.map(Math.exp);
  return powers.map((power) => power / powers.reduce((a, b) => a + b, 0));
};
const [features, logits] = [chunks(FEATURES, 2), chunks(LOGITS, 3)];
const rows = LABELS.map((label) => [0, 1, 2].map((q) => Number(q === label)));
const lossOf = (i: number) => -Math.log(softmax(logits[i] ?? [])[LABELS[i] ?? 0] ?? 0);
const dot = (a: readonly number[] = [], b: readonly number[] = []) =>
  a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const errors = logits.map((row, i) => softmax(row).map((p, q) => p - (rows[i]?.[q] ?? 0)));

/** The loss that a method trains the two networks with. */
async function computed({ loss }: PreparedMethod, blend?: number): Promise<number> {
  const graph = new Graph();
  const given = graph.constant(Float32Array.from(FEATURES), [2, 4, 2]);
  const value = loss(graph.input('logits', [8, 3]), graph.constant(Float32Array.from(rows.flat()), [8, 3]), undefined, {
    features: given,
    ...(blend === undefined ? {} : { blend: graph.scalar(blend) }),
  });
  return runGraph(graph, value);
}

async function runGraph(graph: Graph, value: Tensor): Promise<number> {
  const session = await onnxRuntime.InferenceSession.create(onnxModel(graph, { value }, { name: 'test' }));
  const fed = new onnxRuntime.Tensor('float32', Float32Array.from(LOGITS), [8, 3]);
  const { value: found } = await session.run({ logits: fed });
  await session.release();
  return Number(found?.data[0]);
}

describe('influence-balanced', () => {
  const prepared = influenceBalanced.prepare(context);
  const length = (values: readonly number[] = []) => values.reduce((sum, value) => sum + Math.abs(value), 0);

  it('divides the loss of each instance by its influence, ‖p − y‖₁·‖h‖₁, which is 1 on average in its network', async () => {
    const influences = errors.map((error, i) => length(error) * length(features[i]));
    const means = [meanOf(influences.slice(0, 4)), meanOf(influences.slice(4))];
    const weighted = influences.map((own, i) => ((means[i < 4 ? 0 : 1] ?? 0) / (own + 1e-3)) * lossOf(i));
    expect(await computed(prepared, 1)).toBeCloseTo(meanOf(weighted), 5);
  });

  it('is plain training in its first half: all weights are 1', async () => {
    expect(await computed(prepared, 0)).toBeCloseTo(meanOf(LABELS.map((_, i) => lossOf(i))), 5);
    const at = (epoch: number, options = {}) => influenceBalanced.prepare(context, options).currentLabels(epoch);
    expect(at(4)).toMatchObject({ lossBlend: 0, classWeights: Float32Array.of(1, 1, 1) });
    // n/(N·n_c): 100/(3·60), 100/(3·30), 100/(3·10)
    const weights = Float32Array.of(100 / 180, 100 / 90, 100 / 30);
    expect(at(5)).toMatchObject({ lossBlend: 1, classWeights: weights });
    expect(at(2, { balanceFrom: 2 })).toMatchObject({ lossBlend: 1, classWeights: weights });
  });
});

describe('learning-to-reweight', () => {
  /** The loss of the guides of a network, its last two instances, after a step of the last layer on one of the others. */
  const guidesLoss = (network: number, instance: number, size: number) => {
    const inputs = (i: number) => [...(features[i] ?? []), 1]; // the last is the bias's
    const guides = [4 * network + 2, 4 * network + 3];
    const moved = (i: number) => {
      // W − size·(h, 1)⊗(p − y) moves the logits of i by −size·(h_i·h + 1)·(p − y).
      const near = dot(inputs(i), inputs(instance));
      return (logits[i] ?? []).map((logit, q) => logit - size * near * (errors[instance]?.[q] ?? 0));
    };
    return meanOf(guides.map((i) => -Math.log(softmax(moved(i))[LABELS[i] ?? 0] ?? 0)));
  };

  it('weighs an instance by how much a small step on it lowers the loss of the guides, and by 0 where it raises it', async () => {
    const total = [0, 1].flatMap((network) => {
      const own = [4 * network, 4 * network + 1];
      const gains = own.map((i) => (guidesLoss(network, i, -1e-5) - guidesLoss(network, i, 1e-5)) / 2e-5);
      const weights = gains.map((gain) => Math.max(0, gain));
      expect(Math.min(...gains)).toBeLessThan(0); // one of each network would do harm
      return own.map((i, k) => ((weights[k] ?? 0) / (meanOf(weights) || 1)) * lossOf(i));
    });
    expect(await computed(learningToReweight.prepare(context))).toBeCloseTo(meanOf(total), 4);
  });
});
