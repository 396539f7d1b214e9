import type { readModel } from '@evenhand/engine';
import { UserError } from '../user-error.js';

type Model = ReturnType<typeof readModel>;
type Graph = NonNullable<Model['graph']>;

/**
 * All operators that our models are written with; none of them repeats anything, so that every graph of them ends. The tests
 * hold this list against what is exported.
 */
export const OPERATORS: ReadonlySet<string> = new Set([
  ...['Add', 'ArgMax', 'AveragePool', 'BatchNormalization', 'Cast', 'Clip', 'Concat', 'Conv', 'Cos', 'Div', 'Erf'],
  ...['Gather', 'Gemm', 'GreaterOrEqual', 'Identity', 'IsNaN', 'LayerNormalization', 'Log', 'MatMul', 'Max', 'MaxPool'],
  ...[
    'Mod',
    'Mul',
    'Pad',
    'ReduceMean',
    'ReduceSum',
    'Relu',
    'Reshape',
    'Selu',
    'Sin',
    'Slice',
    'Softmax',
    'Sqrt',
    'Sub',
  ],
  ...['Transpose', 'Where'],
  'ai.onnx.ml:LabelEncoder',
]);

/** What {@link OPERATORS} calls the operator of a node. */
export function operatorOf({ domain, opType }: { readonly domain: string; readonly opType: string }): string {
  return domain === '' || domain === 'ai.onnx' ? opType : `${domain}:${opType}`;
}

/** Names of the outputs of a model. */
export interface ModelOutputs {
  readonly label: string;
  readonly probabilities: string;
}

/** ONNX's numbers of element types. */
const FLOAT = 1;
const STRING = 8;

/**
 * Holds a graph against what the file says of itself: nothing but our operators, `label` out of the names of the classes, and
 * one probability for each.
 *
 * @throws UserError
 */
export function checkGraph(model: Model, classNames: readonly string[], source: string): ModelOutputs {
  const changed = (what: string) => new UserError(`${source} cannot be used: ${what}. It was changed after training`);
  const { graph, functions } = model;
  if (graph === undefined) throw changed('it has no graph');
  const [own] = functions;
  if (own !== undefined) throw changed(`it defines an operator of its own, "${own.name}"`);
  const foreign = graph.node.map(operatorOf).find((operator) => !OPERATORS.has(operator));
  if (foreign !== undefined) throw changed(`its graph has the operator "${foreign}", which our models do not have`);

  const [label, probabilities, ...others] = graph.output;
  if (label === undefined || probabilities === undefined || others.length > 0) {
    throw changed(`it has ${graph.output.length} outputs; expected 2, the label and the probabilities`);
  }
  if (tensorOf(label).type !== STRING)
    throw changed(`its first output, "${label.name}", is no text; expected the label`);
  const { type, last } = tensorOf(probabilities);
  if (type !== FLOAT || last !== classNames.length) {
    throw changed(
      `its second output, "${probabilities.name}", has ${last ?? 'an unknown number of'} columns; ` +
        `expected a probability for each of ${classNames.length} classes`,
    );
  }
  const names = labelNames(graph, label.name);
  if (names === undefined || names.length !== classNames.length || names.some((name, i) => name !== classNames[i])) {
    throw changed('the classes that its graph answers with are not those that its metadata names');
  }
  return { label: label.name, probabilities: probabilities.name };
}

function tensorOf({ type }: Graph['output'][number]): { readonly type?: number; readonly last?: number | undefined } {
  if (type?.value.case !== 'tensorType') return {};
  const { elemType, shape } = type.value.value;
  const last = shape?.dim.at(-1)?.value;
  return { type: elemType, last: last?.case === 'dimValue' ? Number(last.value) : undefined };
}

/** The texts that the label is picked from; undefined if it is not. */
function labelNames({ node, initializer }: Graph, label: string): string[] | undefined {
  const pick = node.find(({ output }) => output.includes(label));
  const list = initializer.find(({ name }) => name === pick?.input[0]);
  if (pick?.opType !== 'Gather' || list?.dataType !== STRING) return undefined;
  return list.stringData.map((text) => new TextDecoder().decode(text));
}
