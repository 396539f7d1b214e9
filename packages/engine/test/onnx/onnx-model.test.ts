import { fromBinary } from '@bufbuild/protobuf';
import { type ModelProto, ModelProtoSchema } from 'onnx-buf';
import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/graph/graph.js';
import { Graph } from '../../src/graph/graph.js';
import { onnxModel } from '../../src/onnx/model.js';
import { add, mul } from '../../src/operations/arithmetic.js';
import { batchNorm } from '../../src/operations/batch-normalisation.js';
import { reshape } from '../../src/operations/reshape.js';
import { run } from '../operations/session.js';

function written(graph: Graph, outputs: Readonly<Record<string, Tensor>>, metadata = {}): ModelProto {
  return fromBinary(ModelProtoSchema, onnxModel(graph, outputs, { name: 'model', metadata }));
}

const array = (...data: readonly number[]) => ({ shape: [data.length], type: 'float32' as const, data });

describe('an ONNX model', () => {
  it('is of IR 9 and opset 19, which every current tool reads', () => {
    const graph = new Graph();
    const model = written(graph, { y: mul(graph.input('x', [2]), 2) }, { classes: 'cat,dog' });
    expect(model.irVersion).toBe(9n);
    expect(model.opsetImport.map(({ domain, version }) => [domain, version])).toEqual([['', 19n]]);
    expect(model.graph?.name).toBe('model');
    expect(model.producerName).toBe('@evenhand/engine');
    expect(model.metadataProps.map(({ key, value }) => [key, value])).toEqual([['classes', 'cat,dog']]);
  });

  it('leaves out nodes, inputs and constants that no output depends on', () => {
    const graph = new Graph();
    const [x, unused] = [graph.input('x', [2]), graph.input('unused', [2])];
    const y = mul(x, 2);
    add(unused, 12345);
    add(y, 1);
    const model = written(graph, { y });
    expect(model.graph?.node.map(({ name }) => name)).toEqual(['mul.Mul0']);
    expect(model.graph?.input.map(({ name }) => name)).toEqual(['x']);
    expect(model.graph?.initializer).toHaveLength(1);
  });

  it('may give back an input, a constant and the same value twice', async () => {
    const graph = new Graph();
    const x = graph.input('x', [2]);
    const doubled = mul(x, 2);
    const results = await run(
      graph,
      [x, graph.constant(Float32Array.of(3, 4)), doubled, doubled],
      new Map([[x, array(1, 2)]]),
    );
    expect(results.map(({ data }) => data)).toEqual([
      [1, 2],
      [3, 4],
      [2, 4],
      [2, 4],
    ]);
  });

  it('stores equal constants once, and those of other values, types or shapes by themselves', () => {
    const graph = new Graph();
    const x = graph.input('x', [2, 2]);
    const constants = (y: Tensor) => written(graph, { y }).graph?.initializer.length;
    expect(constants(add(mul(x, 2), 2))).toBe(1);
    expect(constants(add(mul(x, 2), 3))).toBe(2);
    expect(constants(add(mul(x, graph.constant(Float32Array.of(2), [1])), 2))).toBe(2);
    expect(constants(reshape(reshape(x, [4]), [2, 2]))).toBe(2);
    expect(constants(reshape(reshape(reshape(x, [4]), [2, 2]), [4]))).toBe(2);
  });

  it('declares names, types and shapes of inputs and outputs', () => {
    const graph = new Graph();
    const [x, labels] = [graph.input('x', [2, 3]), graph.input('labels', [2], 'int64')];
    const model = written(graph, { y: mul(x, 2), same: labels });
    const declared = [...(model.graph?.input ?? []), ...(model.graph?.output ?? [])].map(({ name, type }) => {
      const tensor = type?.value.case === 'tensorType' ? type.value.value : undefined;
      return [name, tensor?.elemType, tensor?.shape?.dim.map(({ value }) => value.value)];
    });
    expect(declared).toEqual([
      ['x', 1, [2n, 3n]],
      ['labels', 7, [2n]],
      ['y', 1, [2n, 3n]],
      ['same', 7, [2n]],
    ]);
  });

  it('names every ONNX node after the node that it belongs to', () => {
    const graph = new Graph();
    const [x, scale] = [graph.input('x', [4, 2]), graph.input('scale', [2])];
    const { y } = graph.scope('norm1', () => batchNorm(x, scale, scale, 1e-5));
    expect(written(graph, { y }).graph?.node.map(({ name }) => name)).toEqual([
      'norm1/batchNorm.Mul0',
      'norm1/batchNorm.Mul1',
      'norm1/batchNorm.BatchNormalization2',
    ]);
  });

  it('is verified before it is written', () => {
    const [graph, other] = [new Graph(), new Graph()];
    expect(() => onnxModel(graph, { y: other.input('x', [1]) }, { name: 'model' })).toThrow(
      'internal: output "x" is not computed by this graph',
    );
  });
});

describe('batch normalisations that share their scale', () => {
  it('do not overwrite each other’s statistics, in place as ONNX Runtime updates them', async () => {
    const graph = new Graph();
    const [a, b, scale] = [graph.input('a', [2, 2]), graph.input('b', [2, 2]), graph.input('scale', [2])];
    const outcomes = [batchNorm(a, scale, scale, 0.01), batchNorm(b, scale, scale, 0.01)];
    const results = await run(
      graph,
      outcomes.flatMap(({ mean, variance }) => [mean, variance]),
      new Map([
        [a, { ...array(1, 2, 3, 6), shape: [2, 2] }],
        [b, { ...array(10, 20, 30, 60), shape: [2, 2] }],
        [scale, array(1, 1)],
      ]),
    );
    expect(results.map(({ data }) => data)).toEqual([
      [2, 4],
      [1, 4],
      [20, 40],
      [100, 400],
    ]);
  });
});
