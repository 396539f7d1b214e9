import { create, toBinary } from '@bufbuild/protobuf';
import { exportModel, type ModelMetadata, type Program, readModel, type State, withMetadata } from '@evenhand/engine';
import {
  type GraphProto,
  ModelProtoSchema,
  OperatorSetIdProtoSchema,
  TensorProto_DataType,
  type TensorShapeProto_Dimension,
  TensorShapeProto_DimensionSchema,
  type ValueInfoProto,
  ValueInfoProtoSchema,
} from 'onnx-buf';
import type { ImagePreprocessing, Preprocessing, TablePreprocessing } from '../preprocessing/preprocessing.js';
import { networkInput } from '../preprocessing/table-features.js';
import { type Decision, writeDecision } from './decision.js';
import { GraphWriter, MACHINE_LEARNING_DOMAIN } from './graph-writer.js';
import { inputTypeOf, writeTablePreprocessing } from './table-graph.js';

/** The version of {@link MACHINE_LEARNING_DOMAIN} that brought LabelEncoder as it is used here. */
const MACHINE_LEARNING_VERSION = 2n;

const DATA_TYPES = {
  float32: TensorProto_DataType.FLOAT,
  float64: TensorProto_DataType.DOUBLE,
  string: TensorProto_DataType.STRING,
  uint8: TensorProto_DataType.UINT8,
} as const;

/** An input of the exported model, without the batch. */
interface ModelInput {
  readonly name: string;
  readonly type: keyof typeof DATA_TYPES;
  readonly shape: readonly number[];
}

/**
 * A trained network as one ONNX file that takes the columns of a table as they are, each under its own name, and gives
 * `label`, the name of the chosen class, and `probabilities` (with underscores behind them if a column has that name).
 *
 * @param program - of a network that takes what the preprocessing makes
 */
export function exportTableModel(
  program: Program,
  state: State,
  preprocessing: TablePreprocessing,
  classNames: readonly string[],
  decision: Decision = {},
): Uint8Array<ArrayBuffer> {
  const { features } = networkInput(preprocessing);
  if (program.input.shape[1] !== features) {
    throw new RangeError(`the program takes ${program.input.shape[1]} features; the preprocessing makes ${features}`);
  }
  const inputs = preprocessing.columns.map(({ type }) => ({ name: type.name, type: inputTypeOf(type), shape: [1] }));
  const before = (writer: GraphWriter) => writeTablePreprocessing(writer, preprocessing);
  return exportBetween(exportModel(program, state), { inputs, before, preprocessing, classNames, decision });
}

/** The same for images: it takes `images`, uint8 `[batch, channels, height, width]`. */
export function exportImageModel(
  program: Program,
  state: State,
  preprocessing: ImagePreprocessing,
  classNames: readonly string[],
  decision: Decision = {},
): Uint8Array<ArrayBuffer> {
  const [received, expected] = [program.input.shape.slice(1), preprocessing.shape].map((shape) => shape.join(', '));
  if (program.input.type !== 'uint8' || received !== expected) {
    throw new RangeError(`the program takes ${program.input.type} [${received}]; expected uint8 [${expected}]`);
  }
  const inputs: ModelInput[] = [{ name: 'images', type: 'uint8', shape: preprocessing.shape }];
  const before = () => 'images';
  return exportBetween(exportModel(program, state), { inputs, before, preprocessing, classNames, decision });
}

interface Surroundings {
  readonly inputs: readonly ModelInput[];
  /** Writes what is before the network; returns the name of what the network takes. */
  readonly before: (writer: GraphWriter) => string;
  readonly preprocessing: Preprocessing;
  readonly classNames: readonly string[];
  readonly decision: Decision;
}

/** Puts a network between its preprocessing and its decision. */
function exportBetween(
  network: Uint8Array,
  { inputs, before, preprocessing, classNames, decision }: Surroundings,
): Uint8Array<ArrayBuffer> {
  const model = readModel(network);
  const { graph } = model;
  const [input, output] = [graph?.input[0], graph?.output[0]];
  if (graph === undefined || input === undefined || output === undefined) {
    throw new Error('internal: the network has no input or output');
  }
  const [batch, classes] = dimensionsOf(output);
  if (batch === undefined || classes?.value.value !== BigInt(classNames.length)) {
    throw new RangeError(`there are ${classNames.length} class names; expected one for each output of the network`);
  }

  // Users name the inputs, so whatever has the same name inside the network gives way.
  const inputNames = new Set(inputs.map(({ name }) => name));
  const inside = [...valuesOf(graph)].filter((name) => name !== input.name);
  const givesWay = (name: string) => inputNames.has(name) || name === output.name;
  const writer = new GraphWriter(new Set([...inputNames, ...inside.filter((name) => !givesWay(name))]));
  const renamed = new Map(inside.filter(givesWay).map((name) => [name, writer.freeName(`network/${name}`)]));
  renamed.set(input.name, before(writer));
  const preparation = writer.nodes.splice(0);
  renameValues(graph, renamed);
  const answer = writeDecision(writer, renamed.get(output.name) ?? output.name, classNames, decision);

  graph.node = [...preparation, ...graph.node, ...writer.nodes];
  graph.initializer.push(...writer.constants);
  graph.input = inputs.map(({ name, type, shape }) => valueInfo(name, type, [batch, ...shape.map(dimension)]));
  graph.output = [
    valueInfo(answer.label, 'string', [batch]),
    valueInfo(answer.probabilities, 'float32', [batch, dimension(classNames.length)]),
  ];
  if (preparation.some(({ domain }) => domain === MACHINE_LEARNING_DOMAIN)) {
    const version = MACHINE_LEARNING_VERSION;
    model.opsetImport.push(create(OperatorSetIdProtoSchema, { domain: MACHINE_LEARNING_DOMAIN, version }));
  }
  return withMetadata(toBinary(ModelProtoSchema, model), { classNames, preprocessing: asJson(preprocessing) });
}

function* valuesOf({ input, initializer, node }: GraphProto): Generator<string> {
  for (const { name } of [...input, ...initializer]) yield name;
  for (const { output } of node) yield* output;
}

function renameValues(graph: GraphProto, renamed: ReadonlyMap<string, string>): void {
  const rename = (name: string) => renamed.get(name) ?? name;
  for (const node of graph.node) {
    node.input = node.input.map(rename);
    node.output = node.output.map(rename);
  }
  for (const tensor of graph.initializer) tensor.name = rename(tensor.name);
}

function dimension(size: number): TensorShapeProto_Dimension {
  return create(TensorShapeProto_DimensionSchema, { value: { case: 'dimValue', value: BigInt(size) } });
}

function dimensionsOf({ type }: ValueInfoProto): readonly TensorShapeProto_Dimension[] {
  return type?.value.case === 'tensorType' ? (type.value.value.shape?.dim ?? []) : [];
}

function valueInfo(name: string, type: ModelInput['type'], dim: TensorShapeProto_Dimension[]): ValueInfoProto {
  const value = { case: 'tensorType' as const, value: { elemType: DATA_TYPES[type], shape: { dim } } };
  return create(ValueInfoProtoSchema, { name, type: { value } });
}

function asJson(preprocessing: Preprocessing): NonNullable<ModelMetadata['preprocessing']> {
  return JSON.parse(JSON.stringify(preprocessing));
}
