import { create } from '@bufbuild/protobuf';
import {
  type AttributeProto,
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  type NodeProto,
  NodeProtoSchema,
  type TensorProto,
  TensorProto_DataType,
  TensorProtoSchema,
} from 'onnx-buf';

/** An attribute of an ONNX node; a number is an integer. */
type Attribute = number | { readonly float: number } | { readonly floats: number[] } | { readonly texts: string[] };

/** What a constant is made of. Floats that are no weights are float64, and so never taken for weights. */
type ConstantData = Float64Array | BigInt64Array | readonly string[];

/** ONNX's operators for classical machine learning: those that know texts. */
export const MACHINE_LEARNING_DOMAIN = 'ai.onnx.ml';

/** Collects nodes and constants that are added to an ONNX graph, each value under a name that nothing else has. */
export class GraphWriter {
  readonly nodes: NodeProto[] = [];
  readonly constants: TensorProto[] = [];

  /** @param taken - names that the graph has already */
  constructor(private readonly taken: Set<string>) {}

  /** A name that nothing has: this one, or with underscores behind it. */
  freeName(name: string): string {
    let free = name;
    while (this.taken.has(free)) free += '_';
    this.taken.add(free);
    return free;
  }

  /** Adds a node and returns the name of its output. */
  node(
    name: string,
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): string {
    const output = this.freeName(name);
    const attribute = Object.entries(attributes).map(([key, value]) => attributeProto(key, value));
    this.nodes.push(
      create(NodeProtoSchema, { name: output, opType: type, domain, input: [...inputs], output: [output], attribute }),
    );
    return output;
  }

  /** Adds a constant, a vector unless told otherwise, and returns its name. */
  constant(name: string, data: ConstantData, shape: readonly number[] = [data.length]): string {
    const free = this.freeName(name);
    this.constants.push(create(TensorProtoSchema, { name: free, dims: shape.map(BigInt), ...contentOf(data) }));
    return free;
  }

  /** A float64 that applies to all elements of a tensor. */
  scalar(name: string, value: number): string {
    return this.constant(name, Float64Array.of(value), []);
  }
}

function contentOf(data: ConstantData) {
  if (data instanceof Float64Array) return { dataType: TensorProto_DataType.DOUBLE, rawData: bytesOf(data) };
  if (data instanceof BigInt64Array) return { dataType: TensorProto_DataType.INT64, rawData: bytesOf(data) };
  return { dataType: TensorProto_DataType.STRING, stringData: data.map(encode) };
}

function bytesOf(data: Float64Array | BigInt64Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data.slice().buffer);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text).slice();
}

function attributeProto(name: string, value: Attribute): AttributeProto {
  const { INT, FLOAT, FLOATS, STRINGS } = AttributeProto_AttributeType;
  if (typeof value === 'number') return create(AttributeProtoSchema, { name, type: INT, i: BigInt(value) });
  if ('float' in value) return create(AttributeProtoSchema, { name, type: FLOAT, f: value.float });
  if ('floats' in value) return create(AttributeProtoSchema, { name, type: FLOATS, floats: value.floats });
  return create(AttributeProtoSchema, { name, type: STRINGS, strings: value.texts.map(encode) });
}
