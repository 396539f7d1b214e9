import { type Each, oneForEach } from '../../src/graph/each.js';
import type { Graph, NoAttributes, Operation, Tensor } from '../../src/graph/graph.js';
import { type Argument, randomFrom } from './random.js';
import type { NdArray } from './reference/array.js';

/** A computation with arguments, built by the engine and by an implementation of its own. */
export interface Sample {
  readonly title: string;
  readonly inputs: readonly NdArray[];
  build(graph: Graph, inputs: readonly Tensor[]): readonly Tensor[];
  reference(inputs: readonly NdArray[]): readonly NdArray[];
  /** Outputs that have a gradient; empty if none has. */
  readonly differentiable: readonly number[];
  /** Where central differences are not what is meant, as at ties: the gradients of the inputs from those of the outputs. */
  readonly vjp?: (inputs: readonly NdArray[], gradients: readonly NdArray[]) => readonly NdArray[];
}

/** What a sample of an operation says besides the operation. */
export interface Case<Inputs extends readonly unknown[], Attributes> {
  readonly title: string;
  readonly inputs: Each<Inputs, Argument>;
  readonly attributes: Attributes;
  readonly vjp?: (inputs: readonly NdArray[], gradients: readonly NdArray[]) => readonly NdArray[];
}

/** Samples of one operation. */
export function samplesOf<Inputs extends readonly unknown[], Attributes, Outputs extends readonly unknown[]>(
  operation: Operation<Inputs, Attributes, Outputs>,
  reference: (inputs: readonly NdArray[], attributes: Attributes) => readonly NdArray[],
  cases: readonly NoInfer<Case<Inputs, Attributes>>[],
  /** Outputs with a gradient, where the operation has one. */
  outputs: readonly number[] = [0],
): Sample[] {
  return cases.map(({ title, inputs, attributes, vjp }) => {
    const random = randomFrom(`${operation.name}: ${title}`);
    const arrays = inputs.map((argument) => argument(random));
    const differentiable = operation.vjp !== null && arrays.some(({ type }) => type === 'float32') ? outputs : [];
    return {
      title,
      inputs: arrays,
      build: (graph, tensors) => graph.apply(operation, oneForEach<Inputs, Tensor>(inputs, tensors), attributes),
      reference: (given) => reference(given, attributes),
      differentiable,
      ...(vjp === undefined ? {} : { vjp }),
    };
  });
}

/** Samples of an operation without attributes, by their titles. */
export function plainSamplesOf<Inputs extends readonly unknown[], Outputs extends readonly unknown[]>(
  operation: Operation<Inputs, NoAttributes, Outputs>,
  reference: (inputs: readonly NdArray[], attributes: object) => readonly NdArray[],
  cases: Readonly<Record<string, NoInfer<Each<Inputs, Argument>>>>,
): Sample[] {
  return samplesOf(
    operation,
    reference,
    Object.entries(cases).map(([title, inputs]) => ({ title, inputs, attributes: {} })),
  );
}

/** A sample of a function that is built of operations. */
export function sampleOf(
  title: string,
  inputs: readonly Argument[],
  build: (inputs: readonly Tensor[]) => Tensor,
  reference: (inputs: readonly NdArray[]) => readonly NdArray[],
): Sample {
  const random = randomFrom(title);
  return {
    title,
    inputs: inputs.map((argument) => argument(random)),
    build: (_, tensors) => [build(tensors)],
    reference,
    differentiable: [0],
  };
}
