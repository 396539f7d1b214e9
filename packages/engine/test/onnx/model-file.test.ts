import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import {
  AttributeProtoSchema,
  GraphProtoSchema,
  type ModelProto,
  ModelProtoSchema,
  NodeProtoSchema,
  TensorProto_DataLocation,
  TensorProtoSchema,
} from 'onnx-buf';
import { describe, expect, it } from 'vitest';
import { Graph } from '../../src/graph/graph.js';
import { metadataTexts, readMetadata, withMetadata } from '../../src/onnx/metadata.js';
import { onnxModel } from '../../src/onnx/model.js';
import { ModelError, readModel } from '../../src/onnx/read-model.js';
import { add } from '../../src/operations/arithmetic.js';

function model(metadata: Record<string, string> = {}): Uint8Array<ArrayBuffer> {
  const graph = new Graph();
  const x = graph.input('x', [2]);
  return onnxModel(graph, { y: add(x, 1) }, { name: 'tiny', metadata });
}

/** The model after a change by hand. */
function changed(change: (model: ModelProto) => void): Uint8Array {
  const proto = readModel(model());
  change(proto);
  return toBinary(ModelProtoSchema, proto);
}

const external = () =>
  create(TensorProtoSchema, {
    name: 'secret',
    dataLocation: TensorProto_DataLocation.EXTERNAL,
    externalData: [{ key: 'location', value: '../../etc/passwd' }],
  });
const node = (attribute: Parameters<typeof create<typeof AttributeProtoSchema>>[1]) =>
  create(NodeProtoSchema, { opType: 'Constant', attribute: [create(AttributeProtoSchema, attribute)] });

describe('readModel', () => {
  it('reads what onnxModel writes', () => {
    expect(readModel(model()).graph?.name).toBe('tiny');
  });

  it.each([
    ['in an initializer', (m: ModelProto) => m.graph?.initializer.push(external())],
    ['in an attribute', (m: ModelProto) => m.graph?.node.push(node({ name: 'value', t: external() }))],
    ['in a list attribute', (m: ModelProto) => m.graph?.node.push(node({ name: 'value', tensors: [external()] }))],
    [
      'in a subgraph',
      (m: ModelProto) => {
        const inner = create(GraphProtoSchema, { node: [node({ name: 'value', t: external() })] });
        m.graph?.node.push(node({ name: 'then_branch', g: inner }));
      },
    ],
    ['in a sparse tensor', (m: ModelProto) => m.graph?.node.push(node({ sparseTensor: { values: external() } }))],
    [
      'that claims to be internal',
      (m: ModelProto) => {
        const tensor = external();
        tensor.dataLocation = TensorProto_DataLocation.DEFAULT;
        m.graph?.initializer.push(tensor);
      },
    ],
  ])('fault 31: refuses external data %s', (_, change) => {
    expect(() => readModel(changed(change), 'model.onnx')).toThrow(
      new ModelError(
        'model.onnx cannot be used: the tensor "secret" is stored in another file (external data); expected everything in ' +
          'one file. Save the model again without external data',
      ),
    );
  });

  it.each([
    ['nothing', new Uint8Array(), 'it is empty'],
    ['text', new TextEncoder().encode('<html>not found</html>'), 'it is damaged, or not an ONNX model'],
    [
      'a model without a graph',
      toBinary(ModelProtoSchema, create(ModelProtoSchema, { irVersion: 9n })),
      'it has no graph',
    ],
    [
      'a model without versions',
      changed((m) => {
        m.opsetImport = [];
      }),
      'it does not say which version of ONNX it is for',
    ],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readModel(bytes)).toThrow(ModelError);
    expect(() => readModel(bytes)).toThrow(`the model cannot be used: ${message}`);
  });

  it('answers garbage with a ModelError, never with another', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readModel(bytes)).toThrow(ModelError);
      }),
    );
    const intact = model();
    fc.assert(
      fc.property(fc.nat({ max: intact.length - 1 }), (length) => {
        expect(() => readModel(intact.subarray(0, length))).toThrow(ModelError);
      }),
    );
  });
});

describe('metadata', () => {
  const metadata = {
    classNames: ['benign', '<img onerror=…>', '__proto__', 'toString', ''],
    preprocessing: { mean: [0.5], columns: [{ name: 'amount', fill: null }] },
  };

  it('comes back as it was written, through onnxModel or into a finished model', () => {
    expect(readMetadata(readModel(model(metadataTexts(metadata))))).toEqual(metadata);
    expect(readMetadata(readModel(withMetadata(model(), metadata)))).toEqual(metadata);
  });

  it('replaces its own entries and keeps those of others', () => {
    const first = withMetadata(model({ author: 'somebody' }), metadata);
    const proto = readModel(withMetadata(first, { classNames: ['a', 'b'] }));
    expect(readMetadata(proto)).toEqual({ classNames: ['a', 'b'] });
    expect(proto.metadataProps.find(({ key }) => key === 'author')?.value).toBe('somebody');
  });

  it('may be absent', () => {
    expect(readMetadata(readModel(model()))).toEqual({});
  });

  it.each([
    ['{"a":', 'the model\'s "evenhand.class_names" is not valid JSON'],
    ['"cat"', 'the model\'s "evenhand.class_names" are "cat"; expected a list of names'],
    ['["a",1]', 'the model\'s "evenhand.class_names": entry 1 is 1; expected text'],
    ['["a","a"]', 'the model\'s "evenhand.class_names": "a" is there twice; expected names that differ'],
  ])('refuses the class names %s', (value, message) => {
    expect(() => readMetadata(readModel(model({ 'evenhand.class_names': value })))).toThrow(ModelError);
    expect(() => readMetadata(readModel(model({ 'evenhand.class_names': value })))).toThrow(message);
  });

  it('fault 34: refuses preprocessing that could change the prototype of objects', () => {
    const text = '{"steps":[{"__proto__":{"polluted":true}}]}';
    expect(() => readMetadata(readModel(model({ 'evenhand.preprocessing': text })))).toThrow(
      'the key "__proto__" is not allowed',
    );
  });

  it('refuses an entry that is there twice', () => {
    const twice = changed((m) => {
      const [entry] = readModel(model({ 'evenhand.class_names': '[]' })).metadataProps;
      if (entry !== undefined) m.metadataProps.push(entry, entry);
    });
    expect(() => readMetadata(readModel(twice))).toThrow('the model\'s "evenhand.class_names" is there twice');
  });
});
