import type { NodeProto, TensorProto } from 'onnx-buf';
import type { Attribute } from '../graph/emitter.js';
import type { Shape } from '../graph/tensor.js';
import { nodeProto } from './node-proto.js';
import { DATA_TYPES, type OnnxType, tensorProto } from './tensor-proto.js';

/**
 * What nodes around a model are written with, each under a name of its own: if the name is taken, with underscores behind
 * it. All methods return the name of the value that they add.
 */
export interface NodeWriter {
  /** Adds a node. Those of `ai.onnx.ml`, ONNX's operators for classical machine learning, know texts. */
  node(
    name: string,
    type: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    domain?: string,
  ): string;
  /** Adds a node that gives the same values as another type. */
  cast(name: string, input: string, to: OnnxType): string;
  /** Adds a constant, a vector unless told otherwise. Never float32: `stateOfModel` takes those for weights. */
  constant(name: string, data: Float64Array | BigInt64Array | readonly string[], shape?: Shape): string;
  /** A float64 that applies to all elements of a tensor. */
  scalar(name: string, value: number): string;
}

/** Collects the nodes and constants that are added to a graph. */
export class NamedNodes implements NodeWriter {
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

  node(
    name: string,
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): string {
    const output = this.freeName(name);
    this.nodes.push(nodeProto({ name: output, type, inputs, outputs: [output], attributes, domain }));
    return output;
  }

  cast(name: string, input: string, to: OnnxType): string {
    return this.node(name, 'Cast', [input], { to: DATA_TYPES[to] });
  }

  constant(name: string, data: Float64Array | BigInt64Array | readonly string[], shape: Shape = [data.length]): string {
    const free = this.freeName(name);
    this.constants.push(tensorProto(free, data, shape));
    return free;
  }

  scalar(name: string, value: number): string {
    return this.constant(name, Float64Array.of(value), []);
  }
}
