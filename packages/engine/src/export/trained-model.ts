import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type GraphProto, ModelProtoSchema, TensorProto_DataType, type ValueInfoProto } from 'onnx-buf';
import { at } from '../checked-access.js';
import { bytesOf } from '../graph/bytes.js';
import { sameShape } from '../graph/tensor.js';
import { type ModelMetadata, setMetadata } from '../onnx/metadata.js';
import { readModel } from '../onnx/read-model.js';
import { tensorProto } from '../onnx/tensor-proto.js';
import { axesOf } from '../onnx/value-info.js';
import { StateError } from '../runtime/errors.js';
import type { State, StateTensor } from '../runtime/training.js';
import type { Program, StateEntry } from '../training/program.js';

/**
 * The inference model of a program with its weights inside: one file that needs nothing else. It takes `input` and gives
 * `probabilities`, or what else the program's `outputs` are, for any number of rows at once.
 *
 * @param metadata - class names and preprocessing, for whoever loads the file
 */
export function exportModel(program: Program, state: State, metadata: ModelMetadata = {}): Uint8Array<ArrayBuffer> {
  const model = fromBinary(ModelProtoSchema, program.portableInference);
  const { graph } = model;
  if (graph === undefined) throw new Error('internal: the inference model has no graph');
  const weights = program.state.filter(({ kind }) => kind !== 'slot');
  for (const vector of new Set(weights.map((entry) => entry.vector))) {
    feedOneByOne(
      graph,
      vector,
      weights.filter((entry) => entry.vector === vector),
    );
  }
  graph.initializer.push(
    ...weights.map(({ name, shape }) => {
      const given = state.get(name);
      if (given === undefined || !sameShape(given.shape, shape)) {
        const received = given === undefined ? 'nothing' : `[${given.shape.join(', ')}]`;
        throw new StateError(
          `"${name}" of shape [${shape.join(', ')}] belongs to the model, received ${received}; give a state of this program`,
        );
      }
      return tensorProto(name, given.data, shape);
    }),
  );
  dropUnused(graph);
  for (const value of [...graph.input, ...graph.output]) nameBatch(value);
  setMetadata(model, metadata);
  return toBinary(ModelProtoSchema, model);
}

/** Removes the vector that weights are fed in, and what cuts it up: the graph then takes every weight by its name. */
function feedOneByOne(graph: GraphProto, vector: string, entries: readonly StateEntry[]): void {
  const cut = graph.node.find(({ opType, input }) => opType === 'Split' && input[0] === vector);
  if (cut === undefined) throw new Error(`internal: the inference model does not split "${vector}"`);
  const reshapes = new Map(
    graph.node.filter(({ opType }) => opType === 'Reshape').map((node) => [at(node.input, 0), node]),
  );
  const names = new Map<string, string>();
  const removed = new Set([cut]);
  for (const [i, { name, shape }] of entries.entries()) {
    const part = at(cut.output, i);
    // A vector is used as it is cut; what reshapes it then is the model's own.
    const folding = shape.length === 1 ? undefined : reshapes.get(part);
    names.set(folding === undefined ? part : at(folding.output, 0), name);
    if (folding !== undefined) removed.add(folding);
  }
  graph.node = graph.node.filter((node) => !removed.has(node));
  for (const node of graph.node) node.input = node.input.map((name) => names.get(name) ?? name);
  graph.input = graph.input.filter(({ name }) => name !== vector);
}

function dropUnused(graph: GraphProto): void {
  const used = new Set(graph.node.flatMap(({ input }) => input));
  graph.initializer = graph.initializer.filter(({ name }) => used.has(name));
}

/** A first axis of any size, called `batch`. */
function nameBatch(value: ValueInfoProto): void {
  const [first] = axesOf(value);
  if (first !== undefined) first.value = { case: 'dimParam', value: 'batch' };
}

/**
 * The weights inside a model that {@link exportModel} wrote, by name. To go on training from them, lay them over the state
 * of a new session: `session.load(new Map([...(await session.state()), ...stateOfModel(bytes)]))`.
 */
export function stateOfModel(bytes: Uint8Array): State {
  const { graph } = readModel(bytes);
  const weights = (graph?.initializer ?? []).flatMap<[string, StateTensor]>(
    ({ name, dims, dataType, rawData, floatData }) => {
      if (dataType !== TensorProto_DataType.FLOAT || name.startsWith('constant:')) return [];
      // Other tools that save the model again may write the numbers one by one.
      const data = rawData.length > 0 ? new Float32Array(bytesOf(rawData).buffer) : Float32Array.from(floatData);
      return [[name, { shape: dims.map(Number), data }]];
    },
  );
  return new Map(weights);
}
