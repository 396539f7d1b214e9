import { fromBinary } from '@bufbuild/protobuf';
import {
  type GraphProto,
  type ModelProto,
  ModelProtoSchema,
  type NodeProto,
  type SparseTensorProto,
  type TensorProto,
  TensorProto_DataLocation,
} from 'onnx-buf';

/** Bytes that are not an ONNX model that the engine can use. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/**
 * Reads an ONNX model that is complete in itself. One with external data is refused: the paths in it could point anywhere on
 * this machine.
 *
 * @param source - what a message calls the model: its file, as a rule
 * @throws {@link ModelError}
 */
export function readModel(bytes: Uint8Array, source = 'the model'): ModelProto {
  const refuse = (what: string) => new ModelError(`${source} cannot be used: ${what}`);
  if (bytes.length === 0) throw refuse('it is empty; expected an ONNX model');
  const model = parse(bytes);
  if (model === undefined) throw refuse('it is damaged, or not an ONNX model');
  if (model.graph === undefined) throw refuse('it has no graph; expected an ONNX model');
  if (model.irVersion <= 0n || model.opsetImport.length === 0) {
    throw refuse('it does not say which version of ONNX it is for; expected ir_version and opset_import');
  }
  if (model.graph.output.length === 0)
    throw refuse('its graph has no output; expected a graph that computes something');
  for (const tensor of tensorsOf(model)) {
    if (tensor.dataLocation === TensorProto_DataLocation.EXTERNAL || tensor.externalData.length > 0) {
      throw refuse(
        `the tensor "${tensor.name}" is stored in another file (external data); expected everything in one file. ` +
          'Save the model again without external data',
      );
    }
  }
  return model;
}

function parse(bytes: Uint8Array): ModelProto | undefined {
  try {
    return fromBinary(ModelProtoSchema, bytes);
  } catch {
    return undefined;
  }
}

/** Every tensor of a model, wherever it hides: in attributes, subgraphs, functions, training information. */
function* tensorsOf(model: ModelProto): Generator<TensorProto> {
  yield* tensorsOfGraph(model.graph);
  for (const { node } of model.functions) yield* tensorsOfNodes(node);
  for (const { initialization, algorithm } of model.trainingInfo) {
    yield* tensorsOfGraph(initialization);
    yield* tensorsOfGraph(algorithm);
  }
}

function* tensorsOfGraph(graph: GraphProto | undefined): Generator<TensorProto> {
  if (graph === undefined) return;
  yield* graph.initializer;
  for (const sparse of graph.sparseInitializer) yield* tensorsOfSparse(sparse);
  yield* tensorsOfNodes(graph.node);
}

function* tensorsOfNodes(nodes: readonly NodeProto[]): Generator<TensorProto> {
  for (const attribute of nodes.flatMap((node) => node.attribute)) {
    if (attribute.t !== undefined) yield attribute.t;
    yield* attribute.tensors;
    yield* tensorsOfSparse(attribute.sparseTensor);
    for (const sparse of attribute.sparseTensors) yield* tensorsOfSparse(sparse);
    yield* tensorsOfGraph(attribute.g);
    for (const graph of attribute.graphs) yield* tensorsOfGraph(graph);
  }
}

function* tensorsOfSparse(sparse: SparseTensorProto | undefined): Generator<TensorProto> {
  if (sparse?.values !== undefined) yield sparse.values;
  if (sparse?.indices !== undefined) yield sparse.indices;
}
