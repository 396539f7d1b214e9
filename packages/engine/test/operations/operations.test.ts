import { describe, expect, it } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import { Graph } from '../../src/graph/graph.js';
import { cast } from '../../src/operations/cast.js';
import { sum } from '../../src/operations/reductions.js';
import { operations } from '../../src/operations/registry.js';
import { checkGradients, checkValues, type Outcome, runSamples } from './check.js';
import { operationNames } from './operation-table.js';
import { item } from './reference/array.js';
import type { Sample } from './sample.js';
import { samples, withoutGradient } from './samples/index.js';

describe.each(operationNames)('%s', (name) => {
  let outcomes: Promise<Outcome[]> | undefined;
  /** All samples of an operation are run at once, when the first test asks. */
  const outcomeOf = async (sample: Sample) => {
    outcomes ??= runSamples(samples[name]);
    return item(await outcomes, samples[name].indexOf(sample));
  };
  const bySample = samples[name].map((sample) => [sample.title, sample] as const);

  it('is registered under its name', () => {
    expect(operations[name].name).toBe(name);
  });

  it.each(bySample)('computes %s', async (_, sample) => {
    checkValues(name, sample, await outcomeOf(sample));
  });

  if (withoutGradient.has(name)) {
    it('has no gradient and says so', () => {
      expect(operations[name].vjp).toBeNull();
      expect(() => differentiate(item(samples[name], 0))).toThrow(
        /^\S+: no gradient flows through \w+, but the loss depends on a target through it$/,
      );
    });
  } else {
    const differentiable = bySample.filter(([, sample]) => sample.differentiable.length > 0);
    it('has samples for its gradient', () => {
      expect(differentiable.length).toBeGreaterThan(2);
    });

    it.each(differentiable)('has the gradient of %s', async (_, sample) => {
      checkGradients(name, sample, await outcomeOf(sample));
    });
  }
});

/** The gradient of the sum of a sample's first output. A result that is not float32 is cast, which has none either. */
function differentiate(sample: Sample) {
  const graph = new Graph();
  const inputs = sample.inputs.map(({ shape, type }, i) => graph.input(`input${i}`, shape, type));
  const output = item(sample.build(graph, inputs), 0);
  return gradients(sum(cast(output, 'float32')), inputs);
}
