import { fromBinary } from '@bufbuild/protobuf';
import { AttributeProto_AttributeType, ModelProtoSchema } from 'onnx-buf';
import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { fit, predict, type TreeModel, toONNX } from '../src/index.js';
import { randomTable } from './random-table.js';
import { runOnnx } from './run-onnx.js';

const shape = { seed: 31, rows: 2000, columns: 5, classes: 4, missing: 0.1, categories: 20 };
const train = randomTable(shape);
/** Categories 20 to 39 are unknown to the trees. */
const test = randomTable({ ...shape, seed: 32, rows: 10_000, categories: 40 });
const folds = Int32Array.from(train.labels, (_, i) => i % 3);

describe.each<[string, () => TreeModel]>([
  ['four classes', () => fit(train, { rounds: 40 }).model],
  ['two classes', () => fit({ ...train, classes: 2, labels: train.labels.map((k) => Math.min(k, 1)) }).model],
  ['three members', () => fit({ ...train, folds }, { rounds: 30 }).model],
  ['more trees than one node adds up', () => fit(train, { rounds: 110 }).model],
  ['trees that are leaves', () => fit({ ...train, values: train.values.map(() => 1) }, { rounds: 2 }).model],
])('as ONNX: %s', (_, model) => {
  const trained = model();
  const file = toONNX(trained);

  it('ONNX Runtime answers as we do, for 10,000 rows with missing values and unknown categories', async () => {
    const expected = predict(trained, test);
    const received = await runOnnx(onnxRuntime, file, test);
    expect(received).toHaveLength(expected.length);
    const differences = expected.map((p, i) => Math.abs(p - (received[i] ?? Number.NaN)));
    expect(differences.reduce((a, b) => Math.max(a, b))).toBeLessThan(1e-6);
  });

  it('answers infinite values, too, as we do', async () => {
    const values = Float32Array.from({ length: 5 * 4 }, (_, i) => (i % 2 === 0 ? 1 : -1) * Number.POSITIVE_INFINITY);
    const received = await runOnnx(onnxRuntime, file, { values, columns: 5 });
    predict(trained, { values, columns: 5 }).forEach((p, i) => {
      expect(received[i]).toBeCloseTo(p, 6);
    });
  });

  it('has the structure that the specification asks for', () => {
    const { graph, opsetImport } = fromBinary(ModelProtoSchema, file);
    expect(opsetImport.map(({ domain, version }) => [domain, Number(version)])).toEqual([
      ['', 19],
      ['ai.onnx.ml', 3],
    ]);
    const given = new Set(graph?.input.map(({ name }) => name));
    for (const node of graph?.node ?? []) {
      expect(node.input.every((name) => given.has(name))).toBe(true);
      for (const name of node.output) given.add(name);
      if (node.opType === 'TreeEnsembleRegressor') checkEnsemble(node.attribute);
    }
    expect(graph?.output.every(({ name }) => given.has(name))).toBe(true);
  });
});

/** Nodes are known by tree and number, children are there, leaves have a weight and a target, others do not. */
function checkEnsemble(
  attributes: readonly { name: string; type: number; ints: bigint[]; floats: number[]; strings: Uint8Array[] }[],
): void {
  const of = (name: string) => {
    const found = attributes.find((attribute) => attribute.name === name);
    if (found?.type === AttributeProto_AttributeType.FLOATS) return found.floats;
    if (found?.type === AttributeProto_AttributeType.STRINGS)
      return found.strings.map((text) => new TextDecoder().decode(text));
    return found?.ints.map(Number) ?? [];
  };
  const trees = of('nodes_treeids');
  const names = of('nodes_nodeids').map((node, i) => `${trees[i]}:${node}`);
  const known = new Set(names);
  expect(known.size).toBe(names.length);
  const modes = of('nodes_modes');
  const leaves = new Set(names.filter((_, i) => modes[i] === 'LEAF'));
  const targetTrees = of('target_treeids');
  expect(new Set(of('target_nodeids').map((node, i) => `${targetTrees[i]}:${node}`))).toEqual(leaves);
  expect(of('target_weights')).toHaveLength(leaves.size);
  for (const side of ['nodes_truenodeids', 'nodes_falsenodeids']) {
    const children = of(side).map((node, i) => (modes[i] === 'LEAF' ? names[i] : `${trees[i]}:${node}`));
    expect(children.every((child) => child !== undefined && known.has(child))).toBe(true);
  }
  for (const name of ['nodes_values', 'nodes_featureids', 'nodes_missing_value_tracks_true']) {
    expect(of(name)).toHaveLength(names.length);
  }
}
