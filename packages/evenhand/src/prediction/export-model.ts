import {
  exportModel,
  type ModelMetadata,
  type ModelWrapping,
  mixModels,
  type Program,
  type State,
  wrapModel,
} from '@evenhand/engine';
import { at } from '../checked-access.js';
import type { AnswerRule } from '../decision/answer-rule.js';
import type { ImagePreprocessing, Preprocessing, TablePreprocessing } from '../preprocessing/preprocessing.js';
import { networkInput } from '../preprocessing/table-features.js';
import { type Decision, writeDecision } from './decision.js';
import { inputTypeOf, writeTablePreprocessing } from './table-graph.js';

/** A trained network, trees, or one of several whose probabilities are mixed. */
export type ExportedNetwork = ExportedShare & (TrainedProgram | { readonly onnx: Uint8Array });

/** What the engine has trained; others come as ONNX models of one input and one output. */
interface TrainedProgram {
  readonly program: Program;
  readonly state: State;
}

interface ExportedShare {
  /** What its weights are called in the file, if there are others. @defaultValue its number */
  readonly name?: string;
  /** Its share in the mixture. @defaultValue 1 */
  readonly weight?: number;
}

/**
 * A trained network as one ONNX file that takes the columns of a table as they are, each under its own name, and gives
 * `label`, the name of the chosen class, and `probabilities` (with underscores behind them if a column has that name).
 *
 * @param networks - they take what the preprocessing makes
 */
export function exportTableModel(
  networks: readonly ExportedNetwork[],
  preprocessing: TablePreprocessing,
  classNames: readonly string[],
  decision: Decision = {},
): Uint8Array<ArrayBuffer> {
  const { features } = networkInput(preprocessing);
  for (const { program } of programsOf(networks)) {
    if (program.input.shape[1] === features) continue;
    throw new RangeError(`the program takes ${program.input.shape[1]} features; the preprocessing makes ${features}`);
  }
  return exportWrapped(networks, {
    inputs: preprocessing.columns.map(({ type }) => ({ name: type.name, type: inputTypeOf(type), shape: [1] })),
    before: (writer) => writeTablePreprocessing(writer, preprocessing),
    preprocessing,
    classNames,
    decision,
  });
}

/** The same for images: it takes `images`, uint8 `[batch, channels, height, width]`. */
export function exportImageModel(
  networks: readonly ExportedNetwork[],
  preprocessing: ImagePreprocessing,
  classNames: readonly string[],
  decision: Decision = {},
): Uint8Array<ArrayBuffer> {
  for (const { program } of programsOf(networks)) {
    const [received, expected] = [program.input.shape.slice(1), preprocessing.shape].map((shape) => shape.join(', '));
    if (program.input.type === 'uint8' && received === expected) continue;
    throw new RangeError(`the program takes ${program.input.type} [${received}]; expected uint8 [${expected}]`);
  }
  return exportWrapped(networks, {
    inputs: [{ name: 'images', type: 'uint8', shape: preprocessing.shape }],
    before: () => 'images',
    preprocessing,
    classNames,
    decision,
  });
}

/** What a network is exported with: its preprocessing, as nodes and as data, and its decision. */
interface NetworkWrapping extends Pick<ModelWrapping, 'inputs' | 'before'> {
  readonly preprocessing: Preprocessing;
  readonly classNames: readonly string[];
  readonly decision: Decision;
}

/** Puts a network between its preprocessing and its decision. */
function exportWrapped(
  networks: readonly ExportedNetwork[],
  { inputs, before, preprocessing, classNames, decision }: NetworkWrapping,
): Uint8Array<ArrayBuffer> {
  if (programsOf(networks).some(({ program }) => program.classes !== classNames.length)) {
    throw new RangeError(`there are ${classNames.length} class names; expected one for each output of the network`);
  }
  return wrapModel(asOne(networks), {
    inputs,
    before,
    after: (writer, networkProbabilities) => {
      const { label, probabilities } = writeDecision(writer, networkProbabilities, classNames, decision);
      return [
        { name: label, type: 'string', shape: [] },
        { name: probabilities, type: 'float32', shape: [classNames.length] },
      ];
    },
    metadata: {
      classNames,
      preprocessing: asJson(preprocessing),
      ...(decision.rule === undefined ? {} : { answers: asJson(decision.rule) }),
    },
  });
}

function programsOf(networks: readonly ExportedNetwork[]): TrainedProgram[] {
  return networks.filter((network) => 'program' in network);
}

function asJson(content: Preprocessing | AnswerRule): NonNullable<ModelMetadata['preprocessing']> {
  return JSON.parse(JSON.stringify(content));
}

function asOne(networks: readonly ExportedNetwork[]): Uint8Array {
  const models = networks.map((network, i) => ({
    name: network.name ?? String(i + 1),
    weight: network.weight ?? 1,
    model: 'onnx' in network ? network.onnx : exportModel(network.program, network.state),
  }));
  return models.length === 1 ? at(models, 0).model : mixModels(models);
}
