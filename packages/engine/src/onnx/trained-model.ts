import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema, TensorProto_DataType } from 'onnx-buf';
import { sameShape } from '../graph/tensor.js';
import { StateError } from '../runtime/errors.js';
import type { State, StateTensor } from '../runtime/training.js';
import type { Program } from '../training/program.js';
import { type ModelMetadata, withMetadata } from './metadata.js';
import { readModel } from './read-model.js';
import { tensorProto } from './tensor-proto.js';

/**
 * The inference model of a program with its weights inside: one file that needs nothing else. It takes `input` and gives
 * `probabilities`, both with the program's evaluation batch.
 *
 * @param metadata - class names and preprocessing, for whoever loads the file
 */
export function exportModel(program: Program, state: State, metadata: ModelMetadata = {}): Uint8Array<ArrayBuffer> {
  const model = fromBinary(ModelProtoSchema, program.inference);
  const { graph } = model;
  if (graph === undefined) throw new Error('internal: the inference model has no graph');
  const weights = program.state.filter(({ kind }) => kind !== 'slot');
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
  const names = new Set(weights.map(({ name }) => name));
  graph.input = graph.input.filter(({ name }) => !names.has(name));
  return withMetadata(toBinary(ModelProtoSchema, model), metadata);
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
      const data = rawData.length > 0 ? new Float32Array(rawData.slice().buffer) : Float32Array.from(floatData);
      return [[name, { shape: dims.map(Number), data }]];
    },
  );
  return new Map(weights);
}
