import { create } from '@bufbuild/protobuf';
import {
  type AttributeProto,
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  type NodeProto,
  NodeProtoSchema,
  type TensorProto,
} from 'onnx-buf';
import type { ConstantData, Shape } from '../graph/tensor.js';
import { tensorProto } from './tensor-proto.js';

/** An attribute of an ONNX node: an integer, integers, text; a float is written `{ float }`. */
export type Attribute = number | readonly number[] | string | { readonly float: number };

/** What emissions may know of the machine that the model is for. */
export interface Target {
  /** Channels in a block of ONNX Runtime's blocked layout, if that can be used. */
  readonly channelBlock: number | null;
}

/** Collects the ONNX nodes and constants that operations are written as. */
export class Emitter {
  readonly nodes: NodeProto[] = [];
  readonly initializers: TensorProto[] = [];
  readonly domains = new Set<string>(['']);
  readonly #constants = new Map<string, string>();
  readonly #written = new Map<string, NodeProto>();
  readonly #exposed = new Set<string>();
  #prefix = '';
  #count = 0;

  constructor(readonly target: Target) {}

  /** All that is written until the next call belongs to the node of this name. */
  begin(name: string): void {
    this.#prefix = name;
    this.#count = 0;
  }

  /** Adds an ONNX node and returns the name of its output. */
  node(
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): string {
    const [output = ''] = this.nodeOfSeveral(type, inputs, 1, attributes, domain);
    return output;
  }

  /**
   * Adds an ONNX node with several outputs, or of another domain than ONNX's own. A node that was written before, with the
   * same inputs and attributes, is used again, and given the outputs that it lacks.
   */
  nodeOfSeveral(
    type: string,
    inputs: readonly string[],
    outputs: number,
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): string[] {
    const key = JSON.stringify([domain, type, inputs, attributes]);
    const known = this.#written.get(key);
    const node =
      known ??
      create(NodeProtoSchema, {
        name: `${this.#prefix}.${type}${this.#count}`,
        opType: type,
        domain,
        input: [...inputs],
        attribute: Object.entries(attributes).map(([attribute, value]) => attributeProto(attribute, value)),
      });
    while (node.output.length < outputs)
      node.output.push(node.output.length === 0 ? node.name : `${node.name}:${node.output.length}`);
    if (known === undefined) {
      this.#count++;
      this.domains.add(domain);
      this.nodes.push(node);
      this.#written.set(key, node);
    }
    return node.output.slice(0, outputs);
  }

  /**
   * Makes a value available under another name, as an output of the model. What a node computes is renamed; what is fed, or
   * has been renamed before, is copied.
   */
  expose(value: string, name: string): void {
    const renamed = (names: readonly string[]) => names.map((each) => (each === value ? name : each));
    if (!this.#exposed.has(value) && this.nodes.some(({ output }) => output.includes(value))) {
      for (const node of this.nodes) {
        node.input = renamed(node.input);
        node.output = renamed(node.output);
      }
    } else {
      this.nodes.push(
        create(NodeProtoSchema, { name: `${name}.Identity`, opType: 'Identity', input: [value], output: [name] }),
      );
    }
    this.#exposed.add(name);
  }

  /** The name of a constant; equal small ones, as shapes and axes are, are stored once. */
  constant(data: ConstantData, shape: Shape = [data.length]): string {
    const key = data.length <= 64 ? `${data.constructor.name}[${shape.join()}]${data.join()}` : null;
    const known = key === null ? undefined : this.#constants.get(key);
    if (known !== undefined) return known;
    const name = `constant:${this.initializers.length}`;
    this.initializers.push(tensorProto(name, data, shape));
    if (key !== null) this.#constants.set(key, name);
    return name;
  }

  /** A float32 scalar. */
  float(value: number): string {
    return this.constant(Float32Array.of(value), []);
  }

  /** A vector of int64: shapes, axes, paddings. */
  integers(...values: readonly number[]): string {
    return this.constant(BigInt64Array.from(values, BigInt));
  }
}

function attributeProto(name: string, value: Attribute): AttributeProto {
  if (typeof value === 'number') {
    return create(AttributeProtoSchema, { name, type: AttributeProto_AttributeType.INT, i: BigInt(value) });
  }
  if (typeof value === 'string') {
    const s = new TextEncoder().encode(value);
    return create(AttributeProtoSchema, { name, type: AttributeProto_AttributeType.STRING, s });
  }
  if ('float' in value) {
    return create(AttributeProtoSchema, { name, type: AttributeProto_AttributeType.FLOAT, f: value.float });
  }
  return create(AttributeProtoSchema, { name, type: AttributeProto_AttributeType.INTS, ints: value.map(BigInt) });
}
