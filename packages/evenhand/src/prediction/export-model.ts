import {
  exportModel,
  type ModelMetadata,
  type ModelWrapping,
  type Program,
  type State,
  wrapModel,
} from '@evenhand/engine';
import type { AnswerRule } from '../decision/answer-rule.js';
import type { ImagePreprocessing, Preprocessing, TablePreprocessing } from '../preprocessing/preprocessing.js';
import { networkInput } from '../preprocessing/table-features.js';
import { type Decision, writeDecision } from './decision.js';
import { inputTypeOf, writeTablePreprocessing } from './table-graph.js';

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
  return exportWrapped(program, state, {
    inputs: preprocessing.columns.map(({ type }) => ({ name: type.name, type: inputTypeOf(type), shape: [1] })),
    before: (writer) => writeTablePreprocessing(writer, preprocessing),
    preprocessing,
    classNames,
    decision,
  });
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
  return exportWrapped(program, state, {
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
  program: Program,
  state: State,
  { inputs, before, preprocessing, classNames, decision }: NetworkWrapping,
): Uint8Array<ArrayBuffer> {
  if (program.classes !== classNames.length) {
    throw new RangeError(`there are ${classNames.length} class names; expected one for each output of the network`);
  }
  return wrapModel(exportModel(program, state), {
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

function asJson(content: Preprocessing | AnswerRule): NonNullable<ModelMetadata['preprocessing']> {
  return JSON.parse(JSON.stringify(content));
}
