import { create, toBinary } from '@bufbuild/protobuf';
import { GraphProtoSchema, type ModelProto, ModelProtoSchema, StringStringEntryProtoSchema } from 'onnx-buf';
import type { Target } from '../graph/emitter.js';
import type { Graph, Node, Tensor } from '../graph/graph.js';
import { verifyGraph } from '../graph/verify.js';
import { OnnxEmitter } from './emitter.js';
import { opsetOf } from './opset.js';
import { valueInfo } from './value-info.js';

/** What every current tool reads. */
const IR_VERSION = 9n;

/** How a graph is written as a model. */
export interface OnnxOptions {
  readonly name: string;
  readonly target?: Target;
  /** Free text that travels with the model. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A graph as an ONNX model that computes `outputs`, by name. What they do not depend on is left out. */
export function onnxModel(
  graph: Graph,
  outputs: Readonly<Record<string, Tensor>>,
  options: OnnxOptions,
): Uint8Array<ArrayBuffer> {
  return toBinary(ModelProtoSchema, buildModel(graph, outputs, options));
}

function buildModel(graph: Graph, outputs: Readonly<Record<string, Tensor>>, options: OnnxOptions): ModelProto {
  verifyGraph(graph, Object.values(outputs));
  const emitter = new OnnxEmitter(options.target ?? { channelBlock: null });
  const names = new Map<Tensor, string>(graph.inputs.map((input) => [input, input.name]));
  const nameOf = (tensor: Tensor): string => {
    const known = names.get(tensor);
    if (known !== undefined) return known;
    const data = graph.constants.get(tensor);
    if (data === undefined) throw new Error(`internal: "${tensor.name}" is used before it is computed`);
    const name = emitter.constant(data, tensor.shape);
    names.set(tensor, name);
    return name;
  };

  const used = usedNodes(graph, Object.values(outputs));
  for (const node of used) {
    emitter.begin(node.name);
    const results = node.emit(emitter, node.inputs.map(nameOf));
    node.outputs.forEach((output, i) => {
      const result = results[i];
      if (result === undefined) throw new Error(`internal: ${node.operation} did not write its output ${i}`);
      names.set(output, result);
    });
  }
  const results = Object.entries(outputs).map(([name, tensor]) => {
    emitter.begin(name);
    // An output must have a name of its own, even where it is an input passed on or stands for two.
    const value = nameOf(tensor);
    emitter.expose(value, name);
    for (const [other, its] of names) if (its === value) names.set(other, name);
    return valueInfo(name, tensor.type, tensor.shape);
  });
  const fed = new Set(used.flatMap((node) => node.inputs).concat(Object.values(outputs)));
  return create(ModelProtoSchema, {
    irVersion: IR_VERSION,
    producerName: '@evenhand/engine',
    opsetImport: [...emitter.domains].map(opsetOf),
    metadataProps: Object.entries(options.metadata ?? {}).map(([key, value]) =>
      create(StringStringEntryProtoSchema, { key, value }),
    ),
    graph: create(GraphProtoSchema, {
      name: options.name,
      node: emitter.nodes,
      initializer: emitter.initializers,
      input: graph.inputs
        .filter((input) => fed.has(input))
        .map(({ name, type, shape }) => valueInfo(name, type, shape)),
      output: results,
    }),
  });
}

/** The nodes that the outputs depend on, in order. */
function usedNodes(graph: Graph, outputs: readonly Tensor[]): Node[] {
  const wanted = new Set(outputs);
  return graph.nodes
    .slice()
    .reverse()
    .filter((node) => {
      const used = node.outputs.some((output) => wanted.has(output));
      if (used) for (const input of node.inputs) wanted.add(input);
      return used;
    })
    .reverse();
}
