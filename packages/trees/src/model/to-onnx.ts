import { create, toBinary } from '@bufbuild/protobuf';
import {
  type AttributeProto,
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  GraphProtoSchema,
  ModelProtoSchema,
  type NodeProto,
  NodeProtoSchema,
  OperatorSetIdProtoSchema,
  TensorProto_DataType,
  type ValueInfoProto,
  ValueInfoProtoSchema,
} from 'onnx-buf';
import { ensembleOf } from './ensemble.js';
import type { TreeModel } from './model.js';

/** Names in the model that is written. */
export interface OnnxNames {
  /** @defaultValue `input` */
  readonly input?: string;
  /** @defaultValue `probabilities` */
  readonly output?: string;
}

/** What every current tool reads. */
const IR_VERSION = 9n;
const OPSET = 19n;
const ML_OPSET = 3n;
/** Trees whose values a node adds up in float32; the sums of several nodes are added in float64. */
const TREES_PER_NODE = 400;

/**
 * The model as ONNX: `[batch, columns]` of float32 in, `[batch, classes]` of probabilities out. Every member is a `TreeEnsembleRegressor` (several, where it
 * has many trees) and a `Softmax`; the output is their mean.
 */
export function toONNX(
  model: TreeModel,
  { input = 'input', output = 'probabilities' }: OnnxNames = {},
): Uint8Array<ArrayBuffer> {
  const { classes, columns, members } = model;
  const nodes: NodeProto[] = [];
  const outputs = members.map((member, m) => {
    const parts = ensembleOf(model, member, TREES_PER_NODE).map((attributes, part) => {
      const name = `member${m}/trees${part}`;
      const list = Object.entries(attributes).map(([key, value]) => attribute(key, value));
      nodes.push(node(name, 'TreeEnsembleRegressor', [input], list, 'ai.onnx.ml'));
      nodes.push(node(`${name}/wide`, 'Cast', [name], [integer('to', TensorProto_DataType.DOUBLE)]));
      return `${name}/wide`;
    });
    const scores = `member${m}/scores`;
    nodes.push(node(scores, 'Sum', parts));
    nodes.push(node(`member${m}/softmax`, 'Softmax', [scores], [integer('axis', 1)]));
    nodes.push(
      node(`member${m}/probabilities`, 'Cast', [`member${m}/softmax`], [integer('to', TensorProto_DataType.FLOAT)]),
    );
    return `member${m}/probabilities`;
  });
  nodes.push(node(output, 'Mean', outputs));
  const opset = (domain: string, version: bigint) => create(OperatorSetIdProtoSchema, { domain, version });
  return toBinary(
    ModelProtoSchema,
    create(ModelProtoSchema, {
      irVersion: IR_VERSION,
      producerName: '@evenhand/trees',
      opsetImport: [opset('', OPSET), opset('ai.onnx.ml', ML_OPSET)],
      graph: create(GraphProtoSchema, {
        name: 'trees',
        node: nodes,
        input: [valueInfo(input, columns.length)],
        output: [valueInfo(output, classes)],
      }),
    }),
  );
}

function node(name: string, opType: string, input: string[], list: AttributeProto[] = [], domain = ''): NodeProto {
  return create(NodeProtoSchema, { name, opType, input, output: [name], attribute: list, domain });
}

function integer(name: string, value: number): AttributeProto {
  return create(AttributeProtoSchema, { name, type: AttributeProto_AttributeType.INT, i: BigInt(value) });
}

/** An attribute of an ensemble: texts, float32 or integers, one for each node or leaf. */
function attribute(name: string, values: Float32Array | Int32Array | readonly string[] | number): AttributeProto {
  const { INTS, FLOATS, STRINGS } = AttributeProto_AttributeType;
  if (typeof values === 'number') return integer(name, values);
  if (values instanceof Float32Array) return create(AttributeProtoSchema, { name, type: FLOATS, floats: [...values] });
  if (values instanceof Int32Array) {
    return create(AttributeProtoSchema, { name, type: INTS, ints: Array.from(values, BigInt) });
  }
  const encoder = new TextEncoder();
  return create(AttributeProtoSchema, { name, type: STRINGS, strings: values.map((text) => encoder.encode(text)) });
}

function valueInfo(name: string, width: number): ValueInfoProto {
  const dim = [
    { value: { case: 'dimParam', value: 'batch' } },
    { value: { case: 'dimValue', value: BigInt(width) } },
  ] as const;
  return create(ValueInfoProtoSchema, {
    name,
    type: {
      value: { case: 'tensorType', value: { elemType: TensorProto_DataType.FLOAT, shape: { dim: [...dim] } } },
    },
  });
}
