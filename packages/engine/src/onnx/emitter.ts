import type { NodeProto, TensorProto } from 'onnx-buf';
import { type Each, oneForEach } from '../graph/each.js';
import type { Attribute, Emitter, Target } from '../graph/emitter.js';
import type { ElementType, Shape, TensorData } from '../graph/tensor.js';
import { nodeProto } from './node-proto.js';
import { DATA_TYPES, tensorProto } from './tensor-proto.js';

/** Collects the ONNX nodes and constants that operations are written as. */
export class OnnxEmitter implements Emitter {
  readonly nodes: NodeProto[] = [];
  readonly initializers: TensorProto[] = [];
  readonly domains = new Set<string>(['']);
  readonly #constants = new Map<string, string>();
  readonly #written = new Map<string, NodeProto>();
  readonly #exposed = new Set<string>();
  #prefix = '';
  #count = 0;

  constructor(readonly target: Target) {}

  get nodeCount(): number {
    return this.nodes.length;
  }

  /** All that is written until the next call belongs to the node of this name. */
  begin(name: string): void {
    this.#prefix = name;
    this.#count = 0;
  }

  node(
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): string {
    const [output] = this.nodeOfSeveral(type, inputs, ['output'], attributes, domain);
    return output;
  }

  nodeOfSeveral<const Outputs extends readonly unknown[]>(
    type: string,
    inputs: readonly string[],
    outputs: Outputs,
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = '',
  ): Each<Outputs, string> {
    const key = JSON.stringify([domain, type, inputs, attributes]);
    const known = this.#written.get(key);
    const node =
      known ??
      nodeProto({ name: `${this.#prefix}.${type}${this.#count}`, type, inputs, outputs: [], attributes, domain });
    while (node.output.length < outputs.length)
      node.output.push(node.output.length === 0 ? node.name : `${node.name}:${node.output.length}`);
    if (known === undefined) {
      this.#count++;
      this.domains.add(domain);
      this.nodes.push(node);
      this.#written.set(key, node);
    }
    return oneForEach<Outputs, string>(outputs, node.output.slice(0, outputs.length));
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
      this.nodes.push(nodeProto({ name: `${name}.Identity`, type: 'Identity', inputs: [value], outputs: [name] }));
    }
    this.#exposed.add(name);
  }

  cast(input: string, to: ElementType): string {
    return this.node('Cast', [input], { to: DATA_TYPES[to] });
  }

  constant(data: TensorData, shape: Shape = [data.length]): string {
    const key = data.length <= 64 ? `${data.constructor.name}[${shape.join()}]${data.join()}` : null;
    const known = key === null ? undefined : this.#constants.get(key);
    if (known !== undefined) return known;
    const name = `constant:${this.initializers.length}`;
    this.initializers.push(tensorProto(name, data, shape));
    if (key !== null) this.#constants.set(key, name);
    return name;
  }

  float(value: number): string {
    return this.constant(Float32Array.of(value), []);
  }

  integers(...values: readonly number[]): string {
    return this.constant(BigInt64Array.from(values, BigInt));
  }
}
