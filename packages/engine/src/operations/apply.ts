import type { Each } from '../graph/each.js';
import { completingErrors, type Operation, type Tensor } from '../graph/graph.js';

/** Applies an operation of one output in the graph of its first input. */
export function apply<Inputs extends readonly unknown[], Attributes>(
  operation: Operation<Inputs, Attributes>,
  inputs: NoInfer<Each<Inputs, Tensor>>,
  attributes: NoInfer<Attributes>,
): Tensor {
  const [output] = applyForAll(operation, inputs, attributes);
  return output;
}

/** Applies an operation and returns all of its outputs. */
export function applyForAll<Inputs extends readonly unknown[], Attributes, Outputs extends readonly unknown[]>(
  operation: Operation<Inputs, Attributes, Outputs>,
  inputs: NoInfer<Each<Inputs, Tensor>>,
  attributes: NoInfer<Attributes>,
): Each<Outputs, Tensor> {
  const graph = inputs[0]?.graph;
  if (graph === undefined) throw new Error(`internal: ${operation.name} has no input`);
  return graph.apply(operation, inputs, attributes);
}

/** Reads an argument of an operation before it is applied; a complaint names scope and operation, as inference's do. */
export function readArgument<Result>(
  operation: { readonly name: string },
  inputs: readonly Tensor[],
  read: () => Result,
): Result {
  const name = inputs[0]?.graph.nameInScope(operation.name) ?? operation.name;
  return completingErrors(name, inputs, read);
}
