import type { readModel } from '@evenhand/engine';
import { UserError } from '../user-error.js';
import { faultOfTrees, TREES } from './tree-structure.js';

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
  ...['Transpose', 'Where', 'Sum', 'Mean'],
  ...['ai.onnx.ml:LabelEncoder', TREES],
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

/** What a model is fed for each instance. */
export interface ModelInput {
  readonly name: string;
  readonly type: keyof typeof ELEMENT_TYPES;
  readonly shape: readonly number[];
}

/** ONNX's numbers of element types. */
const ELEMENT_TYPES = { float32: 1, uint8: 2, string: 8, float64: 11 } as const;

/**
 * Holds the inputs of a graph against those that its preprocessing needs. ONNX Runtime believes what a file says of their
 * shapes, and some kill the process.
 *
 * @throws UserError
 */
export function checkInputs({ graph }: Model, expected: readonly ModelInput[], source: string): void {
  const inputs = graph?.input ?? [];
  const fits = (given: Graph['input'][number], input: ModelInput | undefined): boolean => {
    const { type, shape = [] } = tensorOf(given);
    if (input === undefined || given.name !== input.name || type !== ELEMENT_TYPES[input.type]) return false;
    return shape.length === 1 + input.shape.length && input.shape.every((size, axis) => size === shape[1 + axis]);
  };
  if (inputs.length !== expected.length || !inputs.every((given, i) => fits(given, expected[i]))) {
    throw new UserError(`${source} takes other inputs than its metadata says: it was changed after training`);
  }
}

/**
 * Holds a graph against what the file says of itself: nothing but our operators, `label` out of the names of the classes, and
 * one probability for each.
 *
 * @param treeColumns - columns that trees are given
 * @throws UserError
 */
export function checkGraph(
  model: Model,
  classNames: readonly string[],
  treeColumns: number,
  source: string,
): ModelOutputs {
  const changed = (what: string) => new UserError(`${source} cannot be used: ${what}. It was changed after training`);
  const { graph, functions } = model;
  if (graph === undefined) throw changed('it has no graph');
  const [own] = functions;
  if (own !== undefined) throw changed(`it defines an operator of its own, "${own.name}"`);
  const foreign = graph.node.map(operatorOf).find((operator) => !OPERATORS.has(operator));
  if (foreign !== undefined) throw changed(`its graph has the operator "${foreign}", which our models do not have`);
  const absurd = graph.node.find(({ attribute }) =>
    attribute.some(({ i, ints }) => ![i, ...ints].every(fitsInto32Bits)),
  );
  if (absurd !== undefined) throw changed(`its operator "${absurd.name}" has a number that no model needs`);
  for (const trees of graph.node.filter((node) => operatorOf(node) === TREES)) {
    const wrong = faultOfTrees(trees, treeColumns);
    if (wrong !== undefined) throw changed(`the trees of its operator "${trees.name}" are damaged: ${wrong}`);
  }

  const [label, probabilities, ...others] = graph.output;
  if (label === undefined || probabilities === undefined || others.length > 0) {
    throw changed(`it has ${graph.output.length} outputs; expected 2, the label and the probabilities`);
  }
  if (tensorOf(label).type !== ELEMENT_TYPES.string)
    throw changed(`its first output, "${label.name}", is no text; expected the label`);
  const { type, shape } = tensorOf(probabilities);
  const last = shape?.at(-1);
  if (type !== ELEMENT_TYPES.float32 || last !== classNames.length) {
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

/** ONNX Runtime takes some numbers, such as an axis, for shorter ones than a file can hold, and dies of what is left of them. */
function fitsInto32Bits(number: bigint): boolean {
  return BigInt.asIntN(32, number) === number;
}

/** Element type and shape of an input or output; undefined for a size that only running the model tells. */
function tensorOf({ type }: Graph['output'][number]): {
  readonly type?: number;
  readonly shape?: readonly (number | undefined)[];
} {
  if (type?.value.case !== 'tensorType') return {};
  const { elemType, shape } = type.value.value;
  const sizes = shape?.dim.map(({ value }) => (value.case === 'dimValue' ? Number(value.value) : undefined));
  return { type: elemType, shape: sizes ?? [] };
}

/** The texts that the label is picked from; undefined if it is not. */
function labelNames({ node, initializer }: Graph, label: string): string[] | undefined {
  const pick = node.find(({ output }) => output.includes(label));
  const list = initializer.find(({ name }) => name === pick?.input[0]);
  if (pick?.opType !== 'Gather' || list?.dataType !== ELEMENT_TYPES.string) return undefined;
  return list.stringData.map((text) => new TextDecoder().decode(text));
}
