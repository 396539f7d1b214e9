import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../src/graph/tensor.js';
import type { Mode } from '../../src/network/network.js';
import { checkGradients } from '../network/checks.js';
import { buildNetwork, compile, firstValues, noise, resultOf } from '../network/run.js';
import { layerCases } from './cases.js';

describe.each(Object.entries(layerCases))('%s', (_, { build, input, type = 'float32', output, ...expected }) => {
  const built = (mode: Mode) => buildNetwork(mode, input, build, type);
  const size = sizeOf(input);
  const values = type === 'float32' ? noise(size, 'x') : Int32Array.from({ length: size }, (_, i) => (i * i) % 3);

  describe.each(['training', 'inference'] as const)('in %s', (mode) => {
    it('gives the shape that it says, and numbers', async () => {
      const { network, y } = built(mode);
      expect(y.shape).toEqual(output);
      const run = await compile(network.graph, { y });
      const result = resultOf(await run({ ...firstValues(network), input: values }), 'y');
      expect(result.length).toBe(sizeOf(output));
      expect(result.every(Number.isFinite)).toBe(true);
    });

    it('asks for its parameters and statistics by the same names and shapes', () => {
      const { network } = built(mode);
      const parameters = network.parameters.map(({ name, tensor, decays }) => [
        decays ? `${name}*` : name,
        tensor.shape,
      ]);
      expect(Object.fromEntries(parameters)).toEqual(expected.parameters);
      expect(Object.fromEntries(network.statistics.map(({ name, tensor }) => [name, tensor.shape]))).toEqual(
        expected.statistics ?? {},
      );
    });

    it(`${mode === 'training' ? 'updates' : 'keeps'} every statistic`, () => {
      const updates = built(mode).network.statistics.map(({ update, tensor }) => [
        update?.observed.shape,
        tensor.shape,
      ]);
      for (const [update, shape] of updates) expect(update).toEqual(mode === 'training' ? shape : undefined);
    });
  });

  it('lets the gradient through to its input and to every parameter, as central differences find it', async () => {
    const training = built('training');
    const check = await checkGradients(training, { ...firstValues(training.network), input: values });
    expect(check.notFinite).toEqual([]);
    expect(check.vanishing).toEqual([]);
    expect(Math.abs(check.slopeRatio - 1)).toBeLessThan(0.01);
  });
});
