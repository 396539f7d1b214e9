import type { Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { type Initialiser, truncatedNormal } from '../network/initialisers.js';
import { expectSingle, type Network } from '../network/network.js';
import { add } from '../operations/arithmetic.js';
import { cast } from '../operations/cast.js';
import { gather } from '../operations/gather.js';
import { reshape } from '../operations/reshape.js';
import { transpose } from '../operations/transpose.js';
import { imagesOf } from '../operations/window.js';
import { linear, type WeightOptions } from './linear.js';

/** How embeddings start, in ViT and after it. */
const EMBEDDING_STD = 0.02;

/** How {@link patchEmbedding} is set. */
export interface PatchEmbeddingOptions extends WeightOptions {
  readonly name: string;
  /** Height and width of a patch, in pixels. */
  readonly size: number;
  /** Features of a token. */
  readonly width: number;
}

/**
 * Cuts images into square patches, and makes a token of each by one linear layer.
 *
 * Parameters: `weight` `[C·size·size, width]`, `bias` `[width]`.
 *
 * @param x - `[N, C, H, W]`, height and width multiples of `size`
 * @returns tokens `[N, T, width]`, row by row
 */
export function patchEmbedding(
  network: Network,
  x: Tensor,
  { name, size, width: units, ...weights }: PatchEmbeddingOptions,
): Tensor {
  const { batch, channels, height, width } = imagesOf(x.shape);
  if (height % size !== 0 || width % size !== 0) {
    throw new ShapeError(`${name}: images of ${height}×${width}; expected multiples of the patch size ${size}`);
  }
  const [rows, columns] = [height / size, width / size];
  const patches = network.scope(name, () => {
    const cut = reshape(x, [batch, channels, rows, size, columns, size]);
    return reshape(transpose(cut, [0, 2, 4, 1, 3, 5]), [batch, rows * columns, channels * size * size]);
  });
  return linear(network, patches, { ...weights, name, units });
}

/**
 * Adds to every token a learned vector that says where it stands. Weight decay leaves it alone.
 *
 * Parameter: `position` `[T, features]`.
 *
 * @param x - tokens `[N, T, features]`
 */
export function positionEmbedding(network: Network, x: Tensor): Tensor {
  expectSingle(network, 'position');
  const position = network.parameter('position', x.shape.slice(1), truncatedNormal(EMBEDDING_STD));
  return add(x, position);
}

/** How {@link categoricalEmbedding} is set. */
export interface CategoricalEmbeddingOptions {
  readonly name: string;
  /** How many categories there are; indices count from 0. */
  readonly categories: number;
  /** Features that stand for a category. */
  readonly width: number;
  /** First values. @defaultValue `truncatedNormal(0.02)` */
  readonly initialise?: Initialiser;
}

/**
 * A learned vector for every category.
 *
 * Parameter: `weight` `[categories, width]`.
 *
 * @param indices - int32 or int64, of any shape; in a pack `[pack, rows]`, or `[rows]` that all networks share
 * @returns `[…indices, width]`
 */
export function categoricalEmbedding(
  network: Network,
  indices: Tensor,
  { name, categories, width, initialise = truncatedNormal(EMBEDDING_STD) }: CategoricalEmbeddingOptions,
): Tensor {
  return network.scope(name, () => {
    const weight = network.parameter('weight', [categories, width], initialise, { decays: true });
    // The gradient is made of OneHot, which ONNX Runtime has for int64 only.
    const codes = cast(indices, 'int64');
    const { pack, graph } = network;
    if (pack === null) return gather(weight, codes);
    // The tables of all networks below each other.
    const first = graph.constant(
      BigInt64Array.from({ length: pack }, (_, k) => BigInt(k * categories)),
      [pack, 1],
    );
    return gather(reshape(weight, [pack * categories, width]), add(codes, first));
  });
}
