import { at } from '../checked-access.js';
import type { Graph, Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import { mul } from '../operations/arithmetic.js';
import { batchNormInference } from '../operations/batch-normalisation.js';
import { cast } from '../operations/cast.js';

/** Mean and standard deviation of every channel, of values from 0 to 1 where inputs are bytes. */
export interface Normalisation {
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

/** How instances reach the network. */
export interface InputOptions {
  /** `uint8`: bytes, which the network sees as `x/255`. @defaultValue `float32` */
  readonly inputType?: 'float32' | 'uint8';
  /** Applied inside the graph, per channel (axis 1): `(x − mean)/std`. */
  readonly normalisation?: Normalisation;
}

/** Bytes are divided by this. */
const BYTE = 255;

/** Adds the feed `input`; returns it, and what the network sees of it. */
export function feedInput(
  graph: Graph,
  shape: Shape,
  { inputType = 'float32', normalisation }: InputOptions,
): { readonly input: Tensor; readonly prepared: Tensor } {
  const input = graph.input('input', shape, inputType);
  const prepared = graph.scope('input', () => {
    const x = cast(input, 'float32');
    const unit = inputType === 'uint8' ? 1 / BYTE : 1;
    if (normalisation === undefined) return unit === 1 ? x : mul(x, unit);
    return normalise(x, unit, normalisation);
  });
  return { input, prepared };
}

/** `(unit·x − mean)/std`: batch normalisation with statistics that never change, in one pass over the data. */
function normalise(x: Tensor, unit: number, { mean, std }: Normalisation): Tensor {
  const channels = axisSize(x.shape, 1);
  const vector = (value: (channel: number) => number) =>
    x.graph.constant(Float32Array.from({ length: channels }, (_, channel) => value(channel)));
  const [scale, shift] = [vector((c) => unit / at(std, c)), vector((c) => -at(mean, c) / at(std, c))];
  return batchNormInference(
    x,
    scale,
    shift,
    vector(() => 0),
    vector(() => 1),
    0,
  );
}
