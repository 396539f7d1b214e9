import type { Each } from './each.js';
import type { ElementType, Shape, TensorData } from './tensor.js';

/** An attribute of an ONNX node: an integer, integers, text; a float is written `{ float }`. */
export type Attribute =
  | number
  | readonly number[]
  | string
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly texts: readonly string[] };

/** What emissions may know of the machine that the model is for. */
export interface Target {
  /** Channels in a block of ONNX Runtime's blocked layout, if that can be used. */
  readonly channelBlock: number | null;
}

/** What operations write their ONNX nodes and constants with. */
export interface Emitter {
  readonly target: Target;
  /** How many nodes have been written so far. */
  readonly nodeCount: number;
  /** Adds an ONNX node and returns the name of its output. */
  node(
    type: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    domain?: string,
  ): string;
  /**
   * Adds an ONNX node with several outputs. A node that was written before, with the same inputs and attributes, is used
   * again, and given the outputs that it lacks.
   *
   * @param outputs - what the outputs are, for the reader: only how many there are counts
   * @returns the names of the outputs
   */
  nodeOfSeveral<const Outputs extends readonly unknown[]>(
    type: string,
    inputs: readonly string[],
    outputs: Outputs,
    attributes?: Readonly<Record<string, Attribute>>,
    domain?: string,
  ): Each<Outputs, string>;
  /** Adds a node that gives the same values as another type. */
  cast(input: string, to: ElementType): string;
  /** The name of a constant; equal small ones, as shapes and axes are, are stored once. */
  constant(data: TensorData, shape?: Shape): string;
  /** A float32 scalar. */
  float(value: number): string;
  /** A vector of int64: shapes, axes, paddings. */
  integers(...values: readonly number[]): string;
}
