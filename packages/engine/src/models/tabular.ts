import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { sizeOf } from '../graph/tensor.js';
import { dropoutLayer } from '../layers/dropout.js';
import { linear } from '../layers/linear.js';
import { periodicEmbedding } from '../layers/periodic-embedding.js';
import { flatten } from '../layers/structure.js';
import { bell, ones, zeros } from '../network/initialisers.js';
import type { Model, Network } from '../network/network.js';
import { mul } from '../operations/arithmetic.js';
import { selu } from '../operations/functions.js';
import { reshape } from '../operations/reshape.js';
import { checkSize, defineModel } from './define.js';
import type { MlpOptions } from './mlp.js';
import { besideEachOther, checkCategories, tableInputs } from './table-inputs.js';

/** How {@link tabular} is set. */
export interface TabularOptions extends MlpOptions {
  /** Whether numbers have cosines beside them. @defaultValue true */
  readonly periodic?: boolean;
}

/** What the learning rate is multiplied by for the scales of the inputs, and for biases. */
const SCALE_RATE = 6;
const BIAS_RATE = 0.1;

/**
 * A perceptron for tables, after RealMLP (Holzmüller et al. 2024): numbers with cosines of their own beside them, a learned scale for every
 * input, SELU, and weights that are stored large and divided by √fan_in, so that one learning rate, about 0.04 of Adam's, suits layers of any width.
 */
export function tabular(options: TabularOptions): Model {
  const { hidden = [256, 256, 256], dropout = 0.15, categories = [], periodic = true, ...model } = options;
  for (const units of hidden) checkSize('tabular', 'a size in hidden', units);
  checkCategories('tabular', categories, sizeOf(model.input));
  return defineModel(
    'tabular',
    model,
    (network, x) => {
      const { numbers, categories: known } = tableInputs(network, flatten(network, x), categories);
      const seen =
        numbers === null ? [] : [periodic ? periodicEmbedding(network, numbers, { name: 'numbers' }) : numbers];
      return hidden.reduce(
        (inner, units, i) => {
          const layer = linear(network, inner, {
            name: `hidden${i + 1}`,
            units,
            ...weightsFor(axisSize(inner.shape, -1)),
          });
          return dropoutLayer(network, selu(layer), { name: `dropout${i + 1}`, rate: dropout });
        },
        scaleInputs(network, besideEachOther(network, [...seen, ...known])),
      );
    },
    weightsFor,
  );
}

function scaleInputs(network: Network, x: Tensor): Tensor {
  const features = axisSize(x.shape, -1);
  const scale = network.parameter('inputScale', [features], ones, { rate: SCALE_RATE });
  return mul(x, network.pack === null ? scale : reshape(scale, [network.pack, 1, features]));
}

function weightsFor(features: number) {
  return { initialise: bell(1), bias: zeros, biasRate: BIAS_RATE, weightScale: 1 / Math.sqrt(features) };
}
