import { type Each, oneForEach } from './each.js';
import type { Emitter } from './emitter.js';
import { ShapeError } from './shape.js';
import {
  describeType,
  type ElementType,
  elementTypeOf,
  type Shape,
  sizeOf,
  type TensorData,
  type TensorType,
} from './tensor.js';

/** A value in a graph: the result of a node, an input, or a constant. */
export class Tensor implements TensorType {
  constructor(
    readonly graph: Graph,
    /** Unique in its graph; also the name in the ONNX model. */
    readonly name: string,
    readonly shape: Shape,
    readonly type: ElementType,
  ) {}

  /** The number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  /** The number of elements. */
  get size(): number {
    return sizeOf(this.shape);
  }
}

/** Attributes of operations that have none. */
export type NoAttributes = Readonly<Record<never, never>>;

/**
 * An operation: one record that says all there is to know of it. `Inputs` and `Outputs` are its tensors as tuples with names,
 * `[x: Tensor, weight: Tensor, bias?: Tensor]`. `Attributes` are what it is configured with besides its inputs; nothing but
 * these and the inputs' types may decide what it does.
 */
export interface Operation<
  Inputs extends readonly unknown[],
  Attributes = NoAttributes,
  Outputs extends readonly unknown[] = [y: Tensor],
> {
  readonly name: string;
  /** The types of the outputs. Throws a `ShapeError` with what was expected and received. */
  infer(inputs: Each<Inputs, TensorType>, attributes: Attributes): Each<Outputs, TensorType>;
  /** Writes ONNX nodes and returns the names of the outputs. */
  emit(context: EmitContext<Inputs, Attributes, Outputs>): Each<Outputs, string>;
  /**
   * The vector-Jacobian product: from the gradients of the outputs those of the inputs, as new nodes of the same graph.
   * `null` for an operation through which no gradient flows.
   */
  readonly vjp: ((context: VjpContext<Inputs, Attributes, Outputs>) => Each<Inputs, Tensor | null>) | null;
}

/** What an operation is emitted from. Inputs are given by the names of their values. */
export interface EmitContext<
  Inputs extends readonly unknown[],
  Attributes = NoAttributes,
  Outputs extends readonly unknown[] = [y: Tensor],
> {
  readonly emitter: Emitter;
  readonly inputs: Each<Inputs, string>;
  readonly inputTypes: Each<Inputs, TensorType>;
  readonly outputTypes: Each<Outputs, TensorType>;
  readonly attributes: Attributes;
}

/** What the gradients of an operation's inputs are made of. */
export interface VjpContext<
  Inputs extends readonly unknown[],
  Attributes = NoAttributes,
  Outputs extends readonly unknown[] = [y: Tensor],
> {
  readonly inputs: Each<Inputs, Tensor>;
  readonly outputs: Each<Outputs, Tensor>;
  /** `∂loss/∂output` of the first output that the loss depends on: of the only one, where there is one. */
  readonly gradient: Tensor;
  /** `∂loss/∂output` of every output, null for those that the loss does not depend on. */
  readonly gradients: Each<Outputs, Tensor | null>;
  /** Which inputs need a gradient at all; others may be answered with null. */
  readonly needed: Each<Inputs, boolean>;
  readonly attributes: Attributes;
}

/** An operation applied to tensors. Its record is captured in closures, so that a graph holds nodes of every kind. */
export interface Node {
  readonly name: string;
  readonly scope: string;
  readonly operation: string;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly emit: (emitter: Emitter, inputs: readonly string[]) => readonly string[];
  readonly vjp:
    | ((gradients: readonly (Tensor | null)[], needed: readonly boolean[]) => readonly (Tensor | null)[])
    | null;
}

/**
 * A computation under construction: inputs, constants and nodes in the order in which they were made, which is an order
 * in which they can run.
 */
export class Graph {
  readonly nodes: Node[] = [];
  readonly inputs: Tensor[] = [];
  readonly constants = new Map<Tensor, TensorData>();
  readonly #names = new Map<string, number>();
  #scope = '';

  /** The names of the scopes around what is being built, joined by `/`. */
  get scopeName(): string {
    return this.#scope;
  }

  /** A name with the scopes in front of it. */
  nameInScope(name: string): string {
    return this.#scope === '' ? name : `${this.#scope}/${name}`;
  }

  /** Everything that `build` makes is named `…/name/…`. */
  scope<Result>(name: string, build: () => Result): Result {
    return this.#within(this.nameInScope(name), build);
  }

  /** Everything that `build` makes is named as if it stood in `scope`, wherever it is called from. */
  inScopeOf<Result>(scope: string, build: () => Result): Result {
    return this.#within(scope, build);
  }

  #within<Result>(scope: string, build: () => Result): Result {
    const outer = this.#scope;
    this.#scope = scope;
    try {
      return build();
    } finally {
      this.#scope = outer;
    }
  }

  /** A value that is fed at every run, by exactly this name. */
  input(name: string, shape: Shape, type: ElementType = 'float32'): Tensor {
    if (this.inputs.some((other) => other.name === name)) {
      throw new ShapeError(`input "${name}" is there already; expected names that differ`);
    }
    checkSizes(shape, name);
    this.#names.set(name, 1);
    const tensor = new Tensor(this, name, shape, type);
    this.inputs.push(tensor);
    return tensor;
  }

  /** A value that never changes. */
  constant(data: TensorData, shape: Shape = [data.length]): Tensor {
    if (data.length !== sizeOf(shape)) {
      throw new ShapeError(
        `a constant of shape [${shape.join(', ')}] has ${sizeOf(shape)} values, received ${data.length}`,
      );
    }
    const tensor = new Tensor(this, this.#uniqueName('constant'), shape, elementTypeOf(data));
    this.constants.set(tensor, data);
    return tensor;
  }

  /** A float32 scalar. */
  scalar(value: number): Tensor {
    return this.constant(Float32Array.of(value), []);
  }

  /** Adds a node; shape and type mismatches are reported here, with scope and operation. */
  apply<Inputs extends readonly unknown[], Attributes, Outputs extends readonly unknown[]>(
    operation: Operation<Inputs, Attributes, Outputs>,
    inputs: NoInfer<Each<Inputs, Tensor>>,
    attributes: NoInfer<Attributes>,
  ): Each<Outputs, Tensor> {
    const name = this.#uniqueName(operation.name);
    const foreign = inputs.find((input) => input.graph !== this);
    if (foreign !== undefined) throw new ShapeError(`${name}: "${foreign.name}" belongs to another graph`);
    const outputTypes = completingErrors(name, inputs, () => operation.infer(inputs, attributes));
    const outputs = oneForEach<Outputs, Tensor>(
      outputTypes,
      outputTypes.map(
        ({ shape, type }, i) => new Tensor(this, outputTypes.length === 1 ? name : `${name}:${i}`, shape, type),
      ),
    );
    const { vjp } = operation;
    this.nodes.push({
      name,
      scope: this.#scope,
      operation: operation.name,
      inputs,
      outputs,
      emit: (emitter, names) =>
        operation.emit({
          emitter,
          inputs: oneForEach<Inputs, string>(inputs, names),
          inputTypes: inputs,
          outputTypes,
          attributes,
        }),
      vjp:
        vjp &&
        ((gradients, needed) =>
          vjp({
            inputs,
            outputs,
            gradient: firstOf(gradients, name),
            gradients: oneForEach<Outputs, Tensor | null>(outputs, gradients),
            needed: oneForEach<Inputs, boolean>(inputs, needed),
            attributes,
          })),
    });
    return outputs;
  }

  #uniqueName(base: string): string {
    const name = this.nameInScope(base);
    const count = this.#names.get(name) ?? 0;
    this.#names.set(name, count + 1);
    return count === 0 ? name : this.#uniqueName(`${base}_${count + 1}`);
  }
}

function checkSizes(shape: Shape, name: string): void {
  if (!shape.every((size) => Number.isSafeInteger(size) && size > 0)) {
    throw new ShapeError(`"${name}" has shape [${shape.join(', ')}]; expected positive integers`);
  }
}

function firstOf(gradients: readonly (Tensor | null)[], name: string): Tensor {
  const first = gradients.find((gradient) => gradient !== null);
  if (first === undefined) throw new Error(`internal: the loss does not depend on ${name}`);
  return first;
}

/** Runs a rule of shapes and types; puts the operation's name and its inputs' types in front of its complaint. */
export function completingErrors<Result>(name: string, inputs: readonly Tensor[], rule: () => Result): Result {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new ShapeError(`${name}(${inputs.map(describeType).join(', ')}): ${error.message}`);
  }
}
