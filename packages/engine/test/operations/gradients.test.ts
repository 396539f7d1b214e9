import { describe, expect, it } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import type { Tensor } from '../../src/graph/graph.js';
import { Graph } from '../../src/graph/graph.js';
import { add, mul, sub } from '../../src/operations/arithmetic.js';
import { batchNorm } from '../../src/operations/batch-normalisation.js';
import { cast } from '../../src/operations/cast.js';
import { greater, where } from '../../src/operations/comparison.js';
import { exp } from '../../src/operations/functions.js';
import { mean, sum } from '../../src/operations/reductions.js';
import { relu } from '../../src/operations/relu.js';
import { stopGradient } from '../../src/operations/stop-gradient.js';
import { run } from './session.js';

const array = (data: readonly number[], shape = [data.length]) => ({ shape, type: 'float32' as const, data });

/** Gradients of a loss of `x` at [1, 2, 3]. */
async function slopeAt123(loss: (x: Tensor) => Tensor): Promise<readonly number[]> {
  const graph = new Graph();
  const x = graph.input('x', [3]);
  const [gradient] = await run(graph, gradients(loss(x), [x]), new Map([[x, array([1, 2, 3])]]));
  return gradient?.data ?? [];
}

describe('gradients', () => {
  it('add up over every use of a tensor', async () => {
    expect(await slopeAt123((x) => sum(mul(x, x)))).toEqual([2, 4, 6]);
    expect(await slopeAt123((x) => sum(add(add(x, x), x)))).toEqual([3, 3, 3]);
    expect(await slopeAt123((x) => sub(sum(mul(x, x)), sum(x)))).toEqual([1, 3, 5]);
  });

  it('go through a tensor that is used by two branches once, with the sum of both', async () => {
    const loss = (x: Tensor) => {
      const square = mul(x, x);
      return sum(add(square, mul(square, square))); // x² + x⁴
    };
    expect(await slopeAt123(loss)).toEqual([2 + 4, 4 + 32, 6 + 108]);
  });

  it('take what stopGradient is given for a constant', async () => {
    // x²·x as 3-fold product has the slope 3x²; with x² held, x² alone.
    expect(await slopeAt123((x) => sum(mul(mul(x, x), x)))).toEqual([3, 12, 27]);
    expect(await slopeAt123((x) => sum(mul(stopGradient(mul(x, x)), x)))).toEqual([1, 4, 9]);
  });

  it('are summed over axes that broadcasting stretched or added', async () => {
    const graph = new Graph();
    const shapes = [[2, 3], [3], [2, 1], [1, 1], []];
    const inputs = shapes.map((shape, i) => graph.input(`x${i}`, shape));
    const slopes = gradients(sum(inputs.reduce((a, b) => add(a, b))), inputs);
    expect(slopes.map(({ shape }) => shape)).toEqual(shapes);
    const results = await run(graph, slopes, new Map());
    expect(results.map(({ data }) => data[0])).toEqual([1, 2, 3, 6, 6]);
  });

  it('stop where nothing is needed: no node is made for a constant or an input that is no target', () => {
    const graph = new Graph();
    const [x, w] = [graph.input('x', [3]), graph.input('w', [3])];
    const loss = sum(mul(exp(x), w));
    const before = graph.nodes.length;
    gradients(loss, [w]);
    const names = graph.nodes.slice(before).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('exp/'))).toEqual([]);
    expect(names).toContain('mul/grad/mul');
  });

  it('of a tensor in the middle are those with respect to its values', async () => {
    const graph = new Graph();
    const x = graph.input('x', [2]);
    const middle = mul(x, 2);
    const slopes = gradients(sum(mul(middle, middle)), [middle, x]);
    const [ofMiddle, ofX] = await run(graph, slopes, new Map([[x, array([1, 3])]]));
    expect(ofMiddle?.data).toEqual([4, 12]);
    expect(ofX?.data).toEqual([8, 24]);
  });

  it('of the loss itself is 1', async () => {
    const graph = new Graph();
    const x = graph.input('x', []);
    const loss = mul(x, 2);
    const [one, two] = await run(graph, gradients(loss, [loss, x]), new Map([[x, array([5], [])]]));
    expect([one?.data, two?.data]).toEqual([[1], [2]]);
  });

  it('are 0 through a condition, which has no slope', async () => {
    expect(await slopeAt123((x) => sum(where(greater(x, 1.5), mul(x, 10), x)))).toEqual([1, 10, 10]);
  });
});

describe('gradients complain', () => {
  it('about a loss that is no scalar, or not float32', () => {
    const graph = new Graph();
    const x = graph.input('x', [3]);
    expect(() => gradients(mul(x, 2), [x])).toThrow('the loss "mul" has shape [3]; expected a float32 scalar');
    const integer = cast(sum(x), 'int64');
    expect(() => gradients(integer, [x])).toThrow('the loss "cast" has shape []; expected a float32 scalar');
  });

  it('about targets that the loss does not depend on', () => {
    const graph = new Graph();
    const [x, w] = [graph.input('x', [3]), graph.input('w', [3])];
    const loss = sum(x);
    expect(() => gradients(loss, [w])).toThrow('the loss "sum" does not depend on any of the targets');
    expect(() => gradients(loss, [x, w])).toThrow('the loss "sum" does not depend on "w"');
  });

  it('about an operation without gradient on the way, by its name', () => {
    const graph = new Graph();
    const x = graph.input('x', [3]);
    const hits = graph.scope('accuracy', () => mean(cast(greater(x, 0), 'float32')));
    expect(() => gradients(hits, [x])).toThrow(
      'accuracy/cast: no gradient flows through cast, but the loss depends on a target through it',
    );
  });

  it('about a second derivative of an operation whose gradient has none', () => {
    const graph = new Graph();
    const x = graph.input('x', [3]);
    const [slope] = gradients(sum(mul(relu(x), x)), [x]);
    if (slope === undefined) expect.fail('no gradient');
    expect(() => gradients(sum(slope), [x])).toThrow(
      'relu/grad/reluGradient: no gradient flows through reluGradient, but the loss depends on a target through it',
    );
  });

  it("about a loss of a batch's own statistics", () => {
    const graph = new Graph();
    const [x, scale, shift] = [graph.input('x', [4, 2]), graph.input('scale', [2]), graph.input('shift', [2])];
    const { y, variance } = graph.scope('norm', () => batchNorm(x, scale, shift, 1e-5));
    expect(() => gradients(add(sum(y), sum(variance)), [x])).toThrow(
      "norm/batchNorm:2: no gradient flows through the batch's statistics, but the loss depends on one",
    );
  });
});
