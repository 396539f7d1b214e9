import { toBinary } from '@bufbuild/protobuf';
import { type GraphProto, type ModelProto, ModelProtoSchema, type ValueInfoProto } from 'onnx-buf';
import type { Shape } from '../graph/tensor.js';
import { type ModelMetadata, setMetadata } from './metadata.js';
import { NamedNodes, type NodeWriter } from './node-writer.js';
import { opsetOf } from './opset.js';
import { ModelError, readModel } from './read-model.js';
import type { OnnxType } from './tensor-proto.js';
import { axesOf, valueInfo } from './value-info.js';

/** An input or output of a model; its first axis, the batch, is not part of the shape. */
export interface ModelValue {
  readonly name: string;
  readonly type: OnnxType;
  readonly shape: Shape;
}

/** What is put around a model. */
export interface ModelWrapping {
  /** What the whole takes. These names are taken as they are: values inside the model give way. */
  readonly inputs: readonly ModelValue[];
  /** Writes what is in front of the model; returns the name of what the model takes. */
  readonly before: (writer: NodeWriter) => string;
  /** Writes what is behind the model, from the name of what the model gives; returns what the whole gives. */
  readonly after: (writer: NodeWriter, output: string) => readonly ModelValue[];
  /** @defaultValue that of the model */
  readonly metadata?: ModelMetadata;
}

/**
 * A model of one input and one output, as `exportModel` makes it, with nodes in front of it and behind it: preprocessing and
 * decisions become part of the file.
 *
 * @throws {@link ModelError}
 */
export function wrapModel(
  bytes: Uint8Array,
  { inputs, before, after, metadata }: ModelWrapping,
): Uint8Array<ArrayBuffer> {
  const { model, graph, input, output } = readPlainModel(bytes);
  const [batch] = axesOf(output);
  if (batch === undefined) throw new ModelError(`the model's "${output.name}" has no axes; expected a batch in front`);

  const names = new Set(inputs.map(({ name }) => name));
  const inside = [...valuesOf(graph)].filter((name) => name !== input.name);
  const givesWay = (name: string) => names.has(name) || name === output.name;
  const writer = new NamedNodes(new Set([...names, ...inside.filter((name) => !givesWay(name))]));
  const renamed = new Map(inside.filter(givesWay).map((name) => [name, writer.freeName(`network/${name}`)]));
  renamed.set(input.name, before(writer));
  const inFront = writer.nodes.splice(0);
  renameValues(graph, renamed);
  const outputs = after(writer, renamed.get(output.name) ?? output.name);

  graph.node = [...inFront, ...graph.node, ...writer.nodes];
  graph.initializer.push(...writer.constants);
  graph.input = inputs.map(({ name, type, shape }) => valueInfo(name, type, [batch, ...shape]));
  graph.output = outputs.map(({ name, type, shape }) => valueInfo(name, type, [batch, ...shape]));
  for (const domain of new Set(graph.node.map((node) => node.domain))) {
    if (!model.opsetImport.some((opset) => opset.domain === domain)) model.opsetImport.push(opsetOf(domain));
  }
  if (metadata !== undefined) setMetadata(model, metadata);
  return toBinary(ModelProtoSchema, model);
}

/** A model of one input and one output. */
export interface PlainModel {
  readonly model: ModelProto;
  readonly graph: GraphProto;
  readonly input: ValueInfoProto;
  readonly output: ValueInfoProto;
}

/**
 * @param source - what a message calls the model
 * @throws {@link ModelError} if it takes or gives anything else than one tensor
 */
export function readPlainModel(bytes: Uint8Array, source = 'the model'): PlainModel {
  const model = readModel(bytes, source);
  const { graph } = model;
  const [input, ...otherInputs] = graph?.input ?? [];
  const [output, ...otherOutputs] = graph?.output ?? [];
  if (
    graph === undefined ||
    input === undefined ||
    output === undefined ||
    otherInputs.length + otherOutputs.length > 0
  ) {
    throw new ModelError(
      `${source} has ${graph?.input.length} inputs and ${graph?.output.length} outputs; expected one of each`,
    );
  }
  return { model, graph, input, output };
}

/** Names of all values of a graph. */
export function* valuesOf({ input, initializer, node }: GraphProto): Generator<string> {
  for (const { name } of [...input, ...initializer]) yield name;
  for (const { output } of node) yield* output;
}

export function renameValues(graph: GraphProto, renamed: ReadonlyMap<string, string>): void {
  const rename = (name: string) => renamed.get(name) ?? name;
  for (const node of graph.node) {
    node.input = node.input.map(rename);
    node.output = node.output.map(rename);
  }
  for (const tensor of graph.initializer) tensor.name = rename(tensor.name);
}
