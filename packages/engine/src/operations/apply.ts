import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { describeType } from '../graph/tensor.js';

/** Applies an operation of one output in the graph of its first input. */
export function apply<Attributes>(
  operation: Operation<Attributes>,
  inputs: readonly Tensor[],
  attributes: Attributes,
): Tensor {
  const [output] = applyForAll(operation, inputs, attributes);
  if (output === undefined) throw new Error(`internal: ${operation.name} has no output`);
  return output;
}

/** Applies an operation and returns all of its outputs. */
export function applyForAll<Attributes>(
  operation: Operation<Attributes>,
  inputs: readonly Tensor[],
  attributes: Attributes,
): readonly Tensor[] {
  const graph = inputs[0]?.graph;
  if (graph === undefined) throw new Error(`internal: ${operation.name} has no input`);
  return graph.apply(operation, inputs, attributes);
}

/** Reads an argument of an operation before it is applied; a complaint names scope and operation, as inference's do. */
export function located<Result>(operation: { readonly name: string }, inputs: readonly Tensor[], read: () => Result) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const scope = inputs[0]?.graph.scopeName ?? '';
    const name = scope === '' ? operation.name : `${scope}/${operation.name}`;
    throw new ShapeError(`${name}(${inputs.map(describeType).join(', ')}): ${error.message}`);
  }
}

/** An item that must be there: an operation's inputs and outputs are as many as its record says. */
export function the<Item>(items: readonly Item[], index = 0): NonNullable<Item> {
  const item = items[index];
  if (item === undefined || item === null) throw new Error(`internal: item ${index} of ${items.length} is not there`);
  return item;
}

/** Attributes of operations that have none. */
export type NoAttributes = Readonly<Record<never, never>>;
