import { create } from '@bufbuild/protobuf';
import {
  type AttributeProto,
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  type NodeProto,
  NodeProtoSchema,
} from 'onnx-buf';
import type { Attribute } from '../graph/emitter.js';
import { encodeText } from './tensor-proto.js';

/** A node of an ONNX graph; inputs and outputs are names of values. */
export interface OnnxNode {
  readonly name: string;
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** Whose operator it is. @defaultValue ONNX's own */
  readonly domain?: string;
}

export function nodeProto({ name, type, inputs, outputs, attributes = {}, domain = '' }: OnnxNode): NodeProto {
  return create(NodeProtoSchema, {
    name,
    opType: type,
    domain,
    input: [...inputs],
    output: [...outputs],
    attribute: Object.entries(attributes).map(([attribute, value]) => attributeProto(attribute, value)),
  });
}

function attributeProto(name: string, value: Attribute): AttributeProto {
  const { INT, INTS, FLOAT, FLOATS, STRING, STRINGS } = AttributeProto_AttributeType;
  if (typeof value === 'number') return create(AttributeProtoSchema, { name, type: INT, i: BigInt(value) });
  if (typeof value === 'string') return create(AttributeProtoSchema, { name, type: STRING, s: encodeText(value) });
  if ('float' in value) return create(AttributeProtoSchema, { name, type: FLOAT, f: value.float });
  if ('floats' in value) return create(AttributeProtoSchema, { name, type: FLOATS, floats: [...value.floats] });
  if ('texts' in value) {
    return create(AttributeProtoSchema, { name, type: STRINGS, strings: value.texts.map(encodeText) });
  }
  return create(AttributeProtoSchema, { name, type: INTS, ints: value.map(BigInt) });
}
