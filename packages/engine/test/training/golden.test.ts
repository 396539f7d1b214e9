import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../src/graph/tensor.js';
import { detectTarget } from '../../src/runtime/target.js';
import { createProgram } from '../../src/training/create-program.js';
import * as golden from './golden.js';
import { known, trainer } from './run.js';

const blocked = await detectTarget(onnxRuntime);
const targets = [{ channelBlock: null }, ...(blocked.channelBlock === null ? [] : [blocked])];

/**
 * In blocks of channels too, where the model has convolutions that fit and the machine has blocks. Not with AdamW, which makes
 * much of the other order of summing.
 */
const cases = golden.cases.flatMap((expected) => {
  const also = expected.model.startsWith('resnet') && expected.optimizer === 'sgd';
  return targets.slice(0, also ? undefined : 1).map((target) => ({ ...expected, target }));
});

describe(`training agrees with ${golden.madeWith}`, () => {
  it.each(cases)('$model, $loss, $optimizer, blocks of $target.channelBlock channels', async (expected) => {
    const model = known(golden.goldenModels[expected.model]);
    const program = createProgram(model, {
      batchSize: expected.batch,
      loss: known(golden.goldenLosses[expected.loss]),
      optimizer: known(golden.goldenOptimizers[expected.optimizer]),
      labels: 'indices-with-generator',
      seed: 0,
      target: expected.target,
    });
    const { step, state } = await trainer(golden.withGoldenWeights(program));
    for (const [t, expectedLoss] of expected.losses.entries()) {
      const loss = await step({
        input: Float32Array.from(golden.draw(`input/${t}`, expected.batch * sizeOf(model.input))),
        labels: golden.drawLabels(`labels/${t}`, expected.batch, model.classes),
        generator: golden.generatorMatrix(model.classes),
        learningRate: [golden.learningRate],
      });
      expect(Math.abs(loss / expectedLoss - 1), `loss ${loss} of step ${t}, expected ${expectedLoss}`).toBeLessThan(
        1e-4,
      );
    }
    const kept = program.state.filter(({ kind }) => kind !== 'slot').map(({ name }) => name);
    expect(kept.sort()).toEqual(Object.keys(expected.state).sort());
    for (const [name, sums] of Object.entries(expected.state)) {
      expectSameSums(name, known(state[name]), sums);
    }
  });
});

/** Differences are measured by the usual size of the tensor's elements. */
function expectSameSums(name: string, values: Float32Array, expected: readonly number[]): void {
  const received = golden.checksum(values, expected.length - 2);
  const squares = known(expected[1]);
  const size = Math.sqrt(squares / values.length);
  received.forEach((value, i) => {
    const target = known(expected[i]);
    const scale = i === 0 ? size * values.length : i === 1 ? squares : Math.max(Math.abs(target), size);
    const off = Math.abs(value - target) / scale;
    expect(off, `${name}[${i}] is ${value}, expected ${target}`).toBeLessThan(1e-3);
  });
}
