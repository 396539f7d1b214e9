import type { Graph, Tensor } from '../graph/graph.js';
import { gather } from '../operations/gather.js';

/**
 * How labels reach a training step: class indices, standing for one-hot rows; class indices and the generator matrix
 * whose rows they stand for; or the rows themselves.
 */
export type LabelFeed = 'indices' | 'indices-with-generator' | 'rows';

/** Labels of a batch inside the graph. */
export interface BatchLabels {
  /** `[batch, classes]` */
  readonly rows: Tensor;
  /** int32 `[batch]`; null where only rows are known. */
  readonly indices: Tensor | null;
}

/** Adds the feeds that labels need, and what makes rows of them. */
export function feedLabels(graph: Graph, feed: LabelFeed, batch: number, classes: number): BatchLabels {
  if (feed === 'rows') return { rows: graph.input('labelRows', [batch, classes]), indices: null };
  const indices = graph.input('labels', [batch], 'int32');
  const table =
    feed === 'indices'
      ? graph.constant(identity(classes), [classes, classes])
      : graph.input('generator', [classes, classes]);
  // lᵉ = row p of G for an instance of class p
  return { rows: graph.scope('labels', () => gather(table, indices)), indices };
}

function identity(size: number): Float32Array {
  return Float32Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 1 : 0));
}
