import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { exportModel } from '../../src/export/trained-model.js';
import { linear } from '../../src/layers/linear.js';
import { binaryCrossEntropy } from '../../src/losses/binary-cross-entropy.js';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import { squaredError } from '../../src/losses/squared-error.js';
import { createModel } from '../../src/models/registry.js';
import type { Model } from '../../src/network/network.js';
import { adam } from '../../src/optimizers/adam.js';
import { sgd } from '../../src/optimizers/sgd.js';
import { ProgramSession } from '../../src/runtime/session.js';
import { createProgram } from '../../src/training/create-program.js';
import type { Outputs } from '../../src/training/outputs.js';
import type { ProgramOptions } from '../../src/training/program-options.js';

/** `x·W + b` and nothing else. */
const oneLayer = (features: number, outputs: number): Model => ({
  name: 'oneLayer',
  input: [features],
  classes: outputs,
  build: (network, x) => linear(network, x, { name: 'layer', units: outputs }),
});

const OPTIONS: ProgramOptions = {
  batchSize: 4,
  evaluationBatch: 4,
  loss: crossEntropy,
  optimizer: sgd(),
  labels: 'rows',
  seed: 1,
};

const session = (model: Model, options: Partial<ProgramOptions>) =>
  ProgramSession.create(onnxRuntime, createProgram(model, { ...OPTIONS, ...options }), { threads: 1 });

/** What a program of these outputs predicts with weights that are given: z = (x, 2x, 1 − x). */
async function predicted(outputs: Outputs | undefined, x: readonly number[]): Promise<number[]> {
  const training = await session(oneLayer(1, 3), outputs === undefined ? {} : { outputs });
  await training.load(
    new Map([
      ['layer/weight', { shape: [1, 3], data: Float32Array.of(1, 2, -1) }],
      ['layer/bias', { shape: [3], data: Float32Array.of(0, 0, 1) }],
    ]),
  );
  const values = await training.predict(Float32Array.from(x));
  await training.close();
  return [...values];
}

describe('outputs', () => {
  const x = [0.5, -2, 3, 0, 1];
  const z = x.map((value) => [value, 2 * value, 1 - value]);
  const softmax = (row: readonly number[]) =>
    row.map((value) => 1 / row.reduce((sum, other) => sum + Math.exp(other - value), 0));
  const expectClose = (received: readonly number[], expected: readonly number[]) => {
    expect(received).toHaveLength(expected.length);
    received.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 6);
    });
  };

  it.each([
    [undefined, z.flatMap(softmax)],
    ['probabilities', z.flatMap(softmax)],
    ['sigmoid', z.flat().map((value) => 1 / (1 + Math.exp(-value)))],
    ['logits', z.flat()],
    ['raw', z.flat()],
  ] as const)('%s of five rows, in batches of four', async (outputs, expected) => {
    expectClose(await predicted(outputs, x), expected);
  });

  it('are named so in the exported model, for any number of rows', async () => {
    const program = createProgram(oneLayer(1, 3), { ...OPTIONS, outputs: 'raw' });
    const training = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
    const model = await onnxRuntime.InferenceSession.create(exportModel(program, await training.state()));
    const { raw } = await model.run({ input: new onnxRuntime.Tensor('float32', Float32Array.from(x), [5, 1]) });
    expect(raw?.dims).toEqual([5, 3]);
    expect(raw?.data).toEqual(await training.predict(Float32Array.from(x)));
    await training.close();
  });

  it('change nothing else: the training model and the default are the same bytes', () => {
    const [plain, named, raw] = ([undefined, 'probabilities', 'raw'] as const).map((outputs) =>
      createProgram(oneLayer(1, 3), { ...OPTIONS, ...(outputs === undefined ? {} : { outputs }) }),
    );
    expect(named).toEqual(plain);
    expect(raw?.training).toEqual(plain?.training);
  });

  it('refuse a softmax of one output, which would answer 1 whatever it has learned, and unknown words', () => {
    expect(() => createProgram(oneLayer(1, 1), OPTIONS)).toThrow(
      "a softmax of one output is always 1; expected outputs: 'sigmoid' for yes or no, 'raw' for a number, or 2 classes",
    );
    const unknown: Outputs = JSON.parse('"regression"');
    expect(() => createProgram(oneLayer(1, 2), { ...OPTIONS, outputs: unknown })).toThrow(
      'outputs is "regression"; expected one of probabilities, sigmoid, logits, raw',
    );
  });
});

describe('a network of one output', () => {
  it('learns a regression and answers with numbers', async () => {
    const training = await session(oneLayer(2, 1), { loss: squaredError, outputs: 'raw', optimizer: sgd() });
    const input = Float32Array.of(0, 0, 1, 0, 0, 1, 2, 3);
    // y = 10 + 3·a − 2·b has the least error, which is none.
    const labelRows = Float32Array.of(10, 13, 8, 10);
    for (let step = 0; step < 2000; step++) await training.step({ input, labelRows, learningRate: 0.05, step });
    const [first = 0, second = 0] = await training.predict(Float32Array.of(-1, 1, 4, 4));
    expect(first).toBeCloseTo(5, 3);
    expect(second).toBeCloseTo(14, 3);
    await training.close();
  });

  it('learns yes and no by a sigmoid, also as a model of the registry', async () => {
    const model = createModel('mlp', { input: [2], classes: 1, hidden: [8], logitNorm: false });
    const training = await session(model, { loss: binaryCrossEntropy, outputs: 'sigmoid', optimizer: adam() });
    const input = Float32Array.of(0, 0, 0, 1, 1, 0, 1, 1);
    const labelRows = Float32Array.of(0, 1, 1, 0);
    for (let step = 0; step < 500; step++) await training.step({ input, labelRows, learningRate: 0.05, step });
    expect(Array.from(await training.predict(input), (p) => Math.round(10 * p) / 10)).toEqual([0, 1, 1, 0]);
    await training.close();
  });
});
