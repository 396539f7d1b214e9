import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { exportModel } from '../../src/export/trained-model.js';
import { Graph } from '../../src/graph/graph.js';
import { sizeOf } from '../../src/graph/tensor.js';
import { layerNorm, linear } from '../../src/layers/index.js';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import { lenet5 } from '../../src/models/lenet.js';
import { mlp } from '../../src/models/mlp.js';
import { pack } from '../../src/models/pack.js';
import { tabular } from '../../src/models/tabular.js';
import { type Model, Network, seedInPack } from '../../src/network/network.js';
import { adamw } from '../../src/optimizers/adam.js';
import { clipByNorm } from '../../src/optimizers/clip-by-norm.js';
import { chain, type Optimizer } from '../../src/optimizers/optimizer.js';
import { sgd } from '../../src/optimizers/sgd.js';
import { createProgram } from '../../src/training/create-program.js';
import { largestDifference, noise } from '../network/run.js';
import { known, trainer } from '../training/run.js';

const PACK = 3;
const BATCH = 16;
const EVALUATION = 5;
const STEPS = 4;
const FEATURES = 4;
const CLASSES = 3;

/** Two numbers, a category of 3 and one of 12. */
const table = { input: [FEATURES], classes: CLASSES, categories: [3, 12] };

const kinds: Readonly<Record<string, () => Model>> = {
  'an mlp with a norm of its logits': () => mlp({ ...table, hidden: [7, 5] }),
  'an mlp without': () => mlp({ ...table, hidden: [7], logitNorm: false }),
  'a logistic regression': () => mlp({ input: [FEATURES], classes: CLASSES, hidden: [] }),
  cosines: () => mlp({ ...table, hidden: [7], classifier: 'cosine' }),
  'a tabular network': () => tabular({ ...table, hidden: [7, 5], dropout: 0 }),
};

const optimizers: Readonly<Record<string, () => Optimizer>> = {
  // Before a batch norm the gradient of a bias is nothing but rounding: a large ε keeps Adam from making steps of it.
  adamw: () => adamw({ beta2: 0.95, epsilon: 0.1, weightDecay: 0.02 }),
  'sgd with clipped gradients': () => chain([clipByNorm(0.3)], sgd({ momentum: 0.9 })),
};

/** Rows of a network, different for each. */
function rowsOf(count: number, name: string): Float32Array {
  const rows = noise(count * FEATURES, name);
  for (let i = 0; i < count; i++) {
    rows[i * FEATURES + 2] = (i * 7 + name.length) % 3;
    rows[i * FEATURES + 3] = (i * 5 + name.length) % 12;
  }
  return rows;
}

const joined = (parts: readonly Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));
const labelsOf = (network: number, step: number) =>
  Int32Array.from({ length: BATCH }, (_, i) => (i * 2 + step + network) % CLASSES);

function programOf(model: Model, optimizer: Optimizer, seed: number) {
  return createProgram(model, {
    batchSize: BATCH,
    evaluationBatch: EVALUATION,
    loss: crossEntropy,
    optimizer,
    labels: 'indices',
    classWeights: [1, 2, 0.5],
    seed,
  });
}

/** Trains a pack, and as many networks apart, on the same rows. */
async function trainBoth(model: () => Model, optimizer: () => Optimizer) {
  const program = programOf(pack(model(), PACK), optimizer(), 5);
  const together = await trainer(program);
  const apart = await Promise.all(
    Array.from({ length: PACK }, (_, k) => trainer(programOf(model(), optimizer(), seedInPack(5, k)))),
  );
  const losses: [together: number, apart: number][] = [];
  for (let step = 0; step < STEPS; step++) {
    const inputs = apart.map((_, k) => rowsOf(BATCH, `${step}/${'x'.repeat(k)}`));
    const labels = apart.map((_, k) => labelsOf(k, step));
    const learningRate = [0.05];
    const loss = await together.step({
      input: joined(inputs),
      labels: Int32Array.from(labels.flatMap((part) => [...part])),
      learningRate,
    });
    let sum = 0;
    for (const [k, one] of apart.entries()) {
      sum += await one.step({ input: known(inputs[k]), labels: known(labels[k]), learningRate });
    }
    losses.push([loss, sum / PACK]);
  }
  return { program, together, apart, losses };
}

describe.each(Object.entries(kinds))('a pack of %s', (_, model) => {
  it.each(Object.entries(optimizers))(
    'is the networks, trained apart with the same seeds (%s)',
    async (_, optimizer) => {
      const { together, apart, losses } = await trainBoth(model, optimizer);
      for (const [ofPack, mean] of losses) expect(ofPack).toBeCloseTo(mean, 5);
      for (const [name, values] of Object.entries(together.state)) {
        const expected = joined(apart.map(({ state }) => known(state[name], name)));
        expect([name, largestDifference(values, expected) < 1e-5]).toEqual([name, true]);
      }
    },
  );

  it('predicts rows of each network by that network', async () => {
    const { together, apart } = await trainBoth(model, known(optimizers.adamw));
    const rows = apart.map((_, k) => rowsOf(EVALUATION, `own ${k}`));
    const expected = await Promise.all(apart.map((one, k) => one.probabilities(known(rows[k]))));
    expect(largestDifference(await together.probabilities(joined(rows)), joined(expected))).toBeLessThan(1e-5);
  });

  it('is exported as one model that answers with the mean of its networks, for any number of rows', async () => {
    const { program, together, apart } = await trainBoth(model, known(optimizers.adamw));
    const state = new Map(
      program.state.map(({ name, shape }) => [
        name,
        { shape, data: Float32Array.from(known(together.state[name], name)) },
      ]),
    );
    const session = await InferenceSession.create(exportModel(program, state));
    for (const count of [1, 2, PACK, EVALUATION, 11]) {
      const rows = rowsOf(count, 'shared');
      const outputs = await session.run({ input: new Tensor('float32', rows, [count, FEATURES]) });
      const sums = new Float32Array(count * CLASSES);
      for (const one of apart) {
        for (let from = 0; from < count; from += EVALUATION) {
          const part = new Float32Array(EVALUATION * FEATURES);
          part.set(rows.subarray(from * FEATURES, (from + EVALUATION) * FEATURES));
          const answers = await one.probabilities(part);
          const rest = Math.min(EVALUATION, count - from) * CLASSES;
          for (let i = 0; i < rest; i++)
            sums[from * CLASSES + i] = (sums[from * CLASSES + i] ?? 0) + (answers[i] ?? 0) / PACK;
        }
      }
      const { probabilities } = outputs;
      expect(probabilities?.dims).toEqual([count, CLASSES]);
      if (!(probabilities?.data instanceof Float32Array)) throw new Error('expected float32');
      expect(largestDifference(probabilities.data, sums)).toBeLessThan(1e-5);
    }
  });
});

describe('pack', () => {
  it('drops other units in every network', async () => {
    const model = mlp({ input: [FEATURES], classes: CLASSES, hidden: [64], dropout: 0.5, logitNorm: false });
    const program = programOf(pack(model, 2), sgd(), 1);
    const together = await trainer(program);
    const twice = (values: Float32Array) => joined([values, values]);
    // The same weights and rows in both networks: what differs after a step is what was dropped.
    const rows = rowsOf(BATCH, 'same');
    const same = programOf(model, sgd(), 1).state.filter(({ kind }) => kind === 'parameter');
    expect(known(together.state['hidden1/weight']).length).toBe(2 * sizeOf([FEATURES, 64]));
    for (const { name, initial } of same) known(together.state[name]).set(twice(initial));
    const labels = labelsOf(0, 0);
    await together.step({ input: twice(rows), labels: Int32Array.of(...labels, ...labels), learningRate: [0.1] });
    const after = known(together.state['hidden1/weight']);
    expect([...after.subarray(0, after.length / 2)]).not.toEqual([...after.subarray(after.length / 2)]);
  });

  it('refuses what cannot be one', () => {
    const single = mlp({ input: [2], classes: 2 });
    expect(() => pack(single, 0)).toThrow('pack: networks is 0; expected an integer of at least 1');
    expect(() => pack(pack(single, 2), 2)).toThrow('pack: pack of 2 mlp is a pack already; expected a single network');
    expect(() => pack(lenet5({ input: [1, 28, 28], classes: 2 }), 2)).toThrow(
      'pack: the inputs of lenet5 have the shape [1, 28, 28]; expected rows [features]',
    );
  });

  it('names a layer that it cannot have', () => {
    const graph = new Graph();
    const network = new Network(graph, 'inference', null, undefined, 2);
    const x = linear(network, graph.input('input', [5, 3]), { name: 'fc', units: 4 });
    expect(x.shape).toEqual([2, 5, 4]);
    expect(() => layerNorm(network, x, { name: 'norm' })).toThrow(
      'norm/layerNorm: a pack of 2 networks cannot have it; expected linear layers, batch norms, dropout and embeddings',
    );
  });
});
