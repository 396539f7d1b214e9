import { at } from '../checked-access.js';
import type { Graph, Tensor } from '../graph/graph.js';
import { sameShape, sizeOf } from '../graph/tensor.js';
import type { StateSource, Statistic } from '../network/network.js';
import { add, mul } from '../operations/arithmetic.js';
import { concat } from '../operations/concat.js';
import { reshape } from '../operations/reshape.js';
import { split } from '../operations/split.js';
import type { StateEntry } from './program.js';

/** A part of a vector. */
type VectorPart = Pick<StateEntry, 'name' | 'shape'>;

/**
 * Parameters and statistics as two vectors that are fed, cut into what layers ask for. A run of ONNX Runtime then takes and
 * gives a few tensors instead of hundreds, and a node of the optimizer serves them all: for small networks that is most of
 * a step.
 */
export function feedState(
  graph: Graph,
  parameters: readonly VectorPart[],
  statistics: readonly VectorPart[],
): { readonly parameters: Tensor; readonly statistics: Tensor | null; readonly source: StateSource } {
  const vectorOf = (name: string, members: readonly VectorPart[]) => {
    const vector = graph.input(name, [sizesOf(members).reduce((sum, size) => sum + size, 0)]);
    return { vector, parts: split(vector, sizesOf(members)) };
  };
  const learned = vectorOf('parameters', parameters);
  const kept = statistics.length === 0 ? null : vectorOf('statistics', statistics);
  const parts = [...learned.parts, ...(kept?.parts ?? [])];
  const known = new Map(
    [...parameters, ...statistics].map(({ name, shape }, i) => [name, { shape, part: at(parts, i) }]),
  );
  return {
    parameters: learned.vector,
    statistics: kept?.vector ?? null,
    source: (name, shape) => {
      const found = known.get(name);
      if (found === undefined || !sameShape(found.shape, shape)) throw modesDifferError(name);
      return reshape(found.part, shape);
    },
  };
}

/** A model must ask for the same weights and statistics in both modes. */
export function modesDifferError(name: string): TypeError {
  return new TypeError(`the model builds "${name}" differently for training and for inference; expected the same`);
}

/** All statistics after a step. */
export function nextStatistics(vector: Tensor, statistics: readonly Statistic[]): Tensor {
  const { graph } = vector;
  const observed = concat(
    statistics.map(({ update, tensor }) => reshape(update?.observed ?? tensor, [tensor.size])),
    0,
  );
  const factors = (factor: (statistic: Statistic) => number) =>
    graph.constant(
      Float32Array.from(
        statistics.flatMap((statistic) => new Array<number>(statistic.tensor.size).fill(factor(statistic))),
      ),
    );
  return add(
    mul(
      vector,
      factors(({ update }) => (update === null ? 1 : 1 - update.share)),
    ),
    mul(
      observed,
      factors(({ update }) => (update === null ? 0 : update.share * update.factor)),
    ),
  );
}

function sizesOf(members: readonly VectorPart[]): number[] {
  return members.map(({ shape }) => sizeOf(shape));
}
