import { at } from '../checked-access.js';
import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { categoricalEmbedding } from '../layers/embedding.js';
import { truncatedNormal } from '../network/initialisers.js';
import type { Network } from '../network/network.js';
import { add } from '../operations/arithmetic.js';
import { cast } from '../operations/cast.js';
import { concat } from '../operations/concat.js';
import { gather } from '../operations/gather.js';
import { reshape } from '../operations/reshape.js';
import { slice } from '../operations/slice.js';
import { checkSize } from './define.js';

/** The rows of a table as a network sees them. */
export interface TableInputs {
  /** The numbers, as they are; null where there are none. */
  readonly numbers: Tensor | null;
  /** What stands for the categories: a 1 among zeros for each of a few, a learned vector for each of many. */
  readonly categories: readonly Tensor[];
}

/** Up to so many categories have a column each: a vector would hardly be shorter. */
const MOST_COLUMNS = 8;
/** The most features that stand for a category. */
const WIDEST_EMBEDDING = 16;

export function checkCategories(model: string, categories: readonly number[], features: number): void {
  for (const size of categories) checkSize(model, 'a size in categories', size);
  if (categories.length <= features) return;
  throw new RangeError(
    `${model}: categories has ${categories.length} sizes; expected at most ${features}, as the input has no more features`,
  );
}

/**
 * Takes the last columns for codes of categories, from 0.
 *
 * Parameters: `category1/weight`, `category2/weight`, … of those with more than eight categories.
 *
 * @param x - `[…, features]`
 * @param categories - how many categories each of the last columns has
 */
export function tableInputs(network: Network, x: Tensor, categories: readonly number[]): TableInputs {
  const features = axisSize(x.shape, -1);
  const numbers = features - categories.length;
  const column = (start: number, end: number) => slice(x, { axis: -1, start, end });
  return {
    numbers: numbers === 0 ? null : categories.length === 0 ? x : column(0, numbers),
    categories: categories.map((size, i) => {
      const codes = reshape(column(numbers + i, numbers + i + 1), x.shape.slice(0, -1));
      return size <= MOST_COLUMNS ? oneHot(codes, size) : embedding(network, codes, size, `category${i + 1}`);
    }),
  };
}

function oneHot(codes: Tensor, size: number): Tensor {
  const identity = Float32Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 1 : 0));
  return gather(codes.graph.constant(identity, [size, size]), cast(codes, 'int64'));
}

function embedding(network: Network, codes: Tensor, categories: number, name: string): Tensor {
  // The rule of thumb of fastai, with a smaller limit.
  const width = Math.min(WIDEST_EMBEDDING, Math.ceil(1.6 * categories ** 0.56));
  // A vector is about as long as a standardised number is large.
  const initialise = truncatedNormal(1 / Math.sqrt(width));
  return categoricalEmbedding(network, codes, { name, categories, width, initialise });
}

/** Features side by side. Those that all networks of a pack share are repeated for each where others are not shared. */
export function besideEachOther({ graph, pack }: Network, parts: readonly Tensor[]): Tensor {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const rank = Math.max(...parts.map((part) => part.rank));
  const apart = parts.map((part) =>
    part.rank === rank || pack === null ? part : add(part, graph.constant(new Float32Array(pack), [pack, 1, 1])),
  );
  return concat(apart, at(apart, 0).rank - 1);
}
