import { toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema } from 'onnx-buf';
import { at } from '../checked-access.js';
import { NamedNodes } from './node-writer.js';
import { ModelError } from './read-model.js';
import { axesOf } from './value-info.js';
import { type PlainModel, readPlainModel, renameValues, valuesOf } from './wrap-model.js';

/** A model that is mixed with others. */
export interface MixedModel {
  /** Stands in front of the names of all that is inside it: `linear/classifier/weight`. */
  readonly name: string;
  readonly model: Uint8Array;
  /** What its output is multiplied by. */
  readonly weight: number;
}

/**
 * Several models of one kind, as `exportModel` makes them, as one that gives the weighted sum of their outputs.
 *
 * @throws {@link ModelError} if they do not take and give the same
 */
export function mixModels(parts: readonly MixedModel[]): Uint8Array<ArrayBuffer> {
  const read = parts.map(({ name, model, weight }) => ({ name, weight, ...readPlainModel(model, `"${name}"`) }));
  const first = at(read, 0);
  const other = read.find((part) => signature(part) !== signature(first));
  if (other !== undefined) {
    throw new ModelError(
      `"${other.name}" takes and gives ${signature(other)}; expected ${signature(first)}, as "${first.name}" does`,
    );
  }
  const { input, output } = first;
  const writer = new NamedNodes(new Set([input.name, output.name]));
  const weighted = read.map(({ name, weight, graph, input: own, output: result }) => {
    const renamed = new Map(Array.from(valuesOf(graph), (value) => [value, writer.freeName(`${name}/${value}`)]));
    renamed.set(own.name, input.name);
    renameValues(graph, renamed);
    for (const node of graph.node) node.name = `${name}/${node.name}`;
    const given = renamed.get(result.name) ?? result.name;
    // In float64, as the same sum outside the model.
    const wide = writer.cast(`${name}/wide`, given, 'float64');
    return writer.node(`${name}/weighted`, 'Mul', [wide, writer.scalar(`${name}/weight`, weight)]);
  });
  const sum = weighted.reduce((all, one) => writer.node('mixture/sum', 'Add', [all, one]));
  const mixture = writer.cast('mixture', sum, 'float32');
  const graph = {
    ...first.graph,
    node: [...read.flatMap((part) => part.graph.node), ...writer.nodes],
    initializer: [...read.flatMap((part) => part.graph.initializer), ...writer.constants],
    input: [input],
    output: [{ ...output, name: mixture }],
    valueInfo: [],
  };
  return toBinary(ModelProtoSchema, { ...first.model, graph });
}

/** What a model takes and gives, without its batch. */
function signature({ input, output }: Pick<PlainModel, 'input' | 'output'>): string {
  return [input, output]
    .map(
      (value) =>
        `[${axesOf(value)
          .slice(1)
          .map((axis) => String(axis.value.value))
          .join(', ')}]`,
    )
    .join(' and ');
}
