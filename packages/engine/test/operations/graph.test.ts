import { describe, expect, it } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import { Graph, type Operation, Tensor } from '../../src/graph/graph.js';
import { verifyGraph } from '../../src/graph/verify.js';
import { add, mul } from '../../src/operations/arithmetic.js';
import { conv2d } from '../../src/operations/convolution.js';
import { gatherOperation } from '../../src/operations/gather.js';
import { sum } from '../../src/operations/reductions.js';

function small() {
  const graph = new Graph();
  const x = graph.input('x', [2]);
  const [a, b] = [mul(x, 2), add(x, 1)];
  return { graph, x, a, b };
}

describe('the verifier', () => {
  it('is content with what operations build', () => {
    const { graph, a, b } = small();
    expect(() => verifyGraph(graph, [a, b])).not.toThrow();
  });

  it('finds a value that is used before it is computed', () => {
    const { graph, x } = small();
    add(mul(x, x), 1);
    graph.nodes.reverse();
    expect(() => verifyGraph(graph, [])).toThrow('internal: add_2 uses "mul_2" before it is computed');
  });

  it('finds a name that stands for two values', () => {
    const { graph, x, a } = small();
    const [node] = graph.nodes;
    if (node === undefined) expect.fail('no node');
    graph.nodes.push({ ...node, outputs: [new Tensor(graph, a.name, [2], 'float32')] });
    expect(() => verifyGraph(graph, [x])).toThrow('internal: the name "mul" stands for two values');
  });

  it('finds an output that another graph computes', () => {
    const { graph } = small();
    expect(() => verifyGraph(graph, [small().a])).toThrow('internal: output "mul" is not computed by this graph');
  });

  it('finds a tensor that was made in another graph', () => {
    const { graph } = small();
    const [node] = graph.nodes;
    if (node === undefined) expect.fail('no node');
    graph.nodes.push({ ...node, name: 'stray', outputs: [new Tensor(new Graph(), 'stray', [2], 'float32')] });
    expect(() => verifyGraph(graph, [])).toThrow('internal: stray made "stray" in another graph');
  });

  it('finds inputs that share a name', () => {
    const { graph } = small();
    graph.inputs.push(new Tensor(graph, 'x', [2], 'float32'));
    expect(() => verifyGraph(graph, [])).toThrow('internal: two inputs or constants of the graph share a name');
  });
});

describe('names', () => {
  it('are the operation in its scopes', () => {
    const graph = new Graph();
    const x = graph.input('x', [1, 1, 4, 4]);
    const w = graph.input('w', [2, 1, 3, 3]);
    expect(graph.scope('conv1', () => conv2d(x, w)).name).toBe('conv1/conv2d');
    expect(graph.scope('block1', () => graph.scope('conv2', () => conv2d(x, w))).name).toBe('block1/conv2/conv2d');
    expect(conv2d(x, w).name).toBe('conv2d');
  });

  it('are numbered where they repeat', () => {
    const graph = new Graph();
    const x = graph.input('x', [2]);
    expect([mul(x, x).name, mul(x, x).name, mul(x, x).name]).toEqual(['mul', 'mul_2', 'mul_3']);
  });

  it('of backward nodes begin with those of their forward nodes', () => {
    const graph = new Graph();
    const [x, w] = [graph.input('x', [1, 1, 4, 4]), graph.input('w', [2, 1, 3, 3])];
    const y = graph.scope('conv1', () => conv2d(x, w));
    const loss = sum(y);
    const slopes = graph.scope('elsewhere', () => gradients(loss, [x, w]));
    expect(slopes.map(({ name }) => name)).toEqual([
      'conv1/conv2d/grad/convInputGradient',
      'conv1/conv2d/grad/convWeightGradient',
    ]);
    expect(graph.nodes.filter(({ name }) => name.startsWith('elsewhere'))).toEqual([]);
  });

  it('leave a scope when it fails', () => {
    const graph = new Graph();
    const x = graph.input('x', [2]);
    expect(() =>
      graph.scope('broken', () => {
        throw new Error('on purpose');
      }),
    ).toThrow('on purpose');
    expect(graph.scopeName).toBe('');
    expect(mul(x, x).name).toBe('mul');
  });
});

describe('an operation', () => {
  it('does not compile with an input too few or too many, or a gradient too few', () => {
    const graph = new Graph();
    const [table, indices] = [graph.input('table', [3, 2]), graph.input('indices', [4], 'int64')];
    expect(graph.apply(gatherOperation, [table, indices], {}).map(({ shape }) => shape)).toEqual([[4, 2]]);
    // @ts-expect-error the indices are missing
    expect(() => graph.apply(gatherOperation, [table], {})).toThrow(TypeError);
    // @ts-expect-error there is no third input
    graph.apply(gatherOperation, [table, indices, indices], {});
    // @ts-expect-error there are two inputs
    const lacking: Operation<[table: Tensor, indices: Tensor]> = { ...gatherOperation, vjp: () => [null] };
    expect(lacking.name).toBe('gather');
  });
});

describe('a graph', () => {
  it('refuses tensors of another graph', () => {
    const [a, b] = [new Graph().input('a', [2]), new Graph().input('b', [2])];
    expect(() => add(a, b)).toThrow('add: "b" belongs to another graph');
  });

  it('refuses a second input of a name', () => {
    const graph = new Graph();
    graph.input('x', [1]);
    expect(() => graph.input('x', [2])).toThrow('input "x" is there already; expected names that differ');
  });

  it.each([[[0, 3]], [[-1]], [[1.5]], [[Number.NaN]]])('refuses an input of shape %o', (shape) => {
    expect(() => new Graph().input('x', shape)).toThrow(
      `"x" has shape [${shape.join(', ')}]; expected positive integers`,
    );
  });

  it('refuses a constant with too few values', () => {
    expect(() => new Graph().constant(Float32Array.of(1, 2), [3])).toThrow(
      'a constant of shape [3] has 3 values, received 2',
    );
  });
});
