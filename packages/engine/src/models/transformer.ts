import type { Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { externalAttention, multiHeadAttention } from '../layers/attention.js';
import { dropoutLayer } from '../layers/dropout.js';
import { patchEmbedding, positionEmbedding } from '../layers/embedding.js';
import { linear, type WeightOptions } from '../layers/linear.js';
import { layerNorm } from '../layers/normalisation.js';
import { residual } from '../layers/structure.js';
import { xavierUniform, zeros } from '../network/initialisers.js';
import type { Model, Network } from '../network/network.js';
import { gelu } from '../operations/functions.js';
import { mean } from '../operations/reductions.js';
import { checkImages, checkSize, defineModel, type ModelOptions } from './define.js';

/** How {@link vit} is set; the defaults are for 32×32 images. */
export interface VitOptions extends ModelOptions {
  /** Height and width of a patch; the image's must be multiples. @defaultValue 4 */
  readonly patch?: number;
  /** Features of a token; a multiple of `heads`. @defaultValue 128 */
  readonly width?: number;
  /** Blocks. @defaultValue 6 */
  readonly depth?: number;
  /** @defaultValue 4 */
  readonly heads?: number;
  /** Hidden units of a block's perceptron, as a multiple of `width`. @defaultValue 2 */
  readonly mlpRatio?: number;
  /** Dropout's rate at the end of every branch. @defaultValue 0 */
  readonly dropout?: number;
}

/** How {@link eanet} is set. */
export interface EanetOptions extends VitOptions {
  /** Units of the external memory. @defaultValue 64 */
  readonly memory?: number;
}

/** Projections start small enough for attention to begin even, and keep the scale of what passes through. */
const WEIGHTS: WeightOptions = { initialise: xavierUniform, bias: zeros };

type Attention = (network: Network, x: Tensor, heads: number) => Tensor;

/**
 * The skeleton of vision transformers: patches and positions, blocks of attention and perceptron, each normalised before
 * and added to what came in, a last norm, and the mean of all tokens.
 */
function transformer(name: string, options: VitOptions, attention: Attention): Model {
  const { patch = 4, width = 128, depth = 6, heads = 4, mlpRatio = 2, dropout = 0 } = options;
  checkImages(name, options.input, patch);
  for (const [option, value] of Object.entries({ patch, width, depth, heads })) checkSize(name, option, value);
  checkSize(name, 'mlpRatio·width', mlpRatio * width);
  if (width % heads !== 0) throw new RangeError(`${name}: width is ${width}; expected a multiple of ${heads} heads`);
  if (!options.input.slice(1).every((size) => size % patch === 0)) {
    throw new ShapeError(
      `${name}: input is [${options.input.join(', ')}]; expected multiples of the patch size ${patch}`,
    );
  }

  const block = (network: Network, x: Tensor): Tensor => {
    const drop = (branch: Tensor) => dropoutLayer(network, branch, { rate: dropout });
    const attended = residual(network, x, {
      name: 'attention',
      branch: (tokens) => drop(attention(network, layerNorm(network, tokens, { name: 'norm' }), heads)),
    });
    return residual(network, attended, {
      name: 'mlp',
      branch: (tokens) => {
        const normed = layerNorm(network, tokens, { name: 'norm' });
        const hidden = gelu(linear(network, normed, { ...WEIGHTS, name: 'hidden', units: mlpRatio * width }));
        return drop(linear(network, hidden, { ...WEIGHTS, name: 'output', units: width }));
      },
    });
  };

  return defineModel(name, options, (network, x) => {
    const patches = patchEmbedding(network, x, { ...WEIGHTS, name: 'patches', size: patch, width });
    const tokens = Array.from({ length: depth }, (_, b) => `block${b + 1}`).reduce(
      (inner, scope) => network.scope(scope, () => block(network, inner)),
      positionEmbedding(network, patches),
    );
    return mean(layerNorm(network, tokens, { name: 'norm' }), { axes: [1] });
  });
}

/** A small vision transformer (Dosovitskiy et al. 2020) that averages its tokens instead of having one for the class. */
export function vit(options: VitOptions): Model {
  return transformer('vit', options, (network, x, heads) =>
    multiHeadAttention(network, x, { ...WEIGHTS, name: 'heads', heads }),
  );
}

/** The same with external attention (Guo et al. 2021): cost linear in the number of tokens. */
export function eanet({ memory = 64, ...options }: EanetOptions): Model {
  checkSize('eanet', 'memory', memory);
  return transformer('eanet', options, (network, x, heads) =>
    externalAttention(network, x, { ...WEIGHTS, name: 'heads', heads, memory }),
  );
}
