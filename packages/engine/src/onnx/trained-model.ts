import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema, TensorProto_DataType } from 'onnx-buf';
import { sizeOf } from '../graph/tensor.js';
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
      const data = state.get(name)?.data;
      if (!(data instanceof Float32Array) || data.length !== sizeOf(shape)) {
        throw new StateError(`the state has no "${name}" of shape [${shape.join(', ')}]; expected one of this program`);
      }
      return tensorProto(name, data, shape);
    }),
  );
  const names = new Set(weights.map(({ name }) => name));
  graph.input = graph.input.filter(({ name }) => !names.has(name));
  return withMetadata(toBinary(ModelProtoSchema, model), metadata);
}

/** The weights inside a model that {@link exportModel} wrote, by name. */
export function stateOfModel(bytes: Uint8Array): State {
  const { graph } = readModel(bytes);
  const weights = (graph?.initializer ?? []).flatMap<[string, StateTensor]>(({ name, dims, dataType, rawData }) =>
    dataType === TensorProto_DataType.FLOAT && !name.startsWith('constant:')
      ? [[name, { shape: dims.map(Number), data: new Float32Array(rawData.slice().buffer) }]]
      : [],
  );
  return new Map(weights);
}
