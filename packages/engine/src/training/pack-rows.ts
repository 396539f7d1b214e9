import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import type { Shape } from '../graph/tensor.js';
import type { Model } from '../network/network.js';
import { mul } from '../operations/arithmetic.js';
import { mean } from '../operations/reductions.js';
import { reshape } from '../operations/reshape.js';

/** Which rows the networks of a pack are given: each its own, those of one network behind those of the other; or all the same. */
export type RowsOfPack = 'own' | 'shared';

/** What is fed for a batch of so many rows per network. */
export function batchShape({ pack = 1, input }: Model, batch: number, rows: RowsOfPack = 'own'): Shape {
  return [rows === 'own' ? pack * batch : batch, ...input];
}

/** Rows as they are fed, with an axis for the networks in front. */
export function ownRows({ pack, input }: Model, rows: Tensor): Tensor {
  return pack === undefined ? rows : reshape(rows, [pack, axisSize(rows.shape, 0) / pack, ...input]);
}

/** The opposite: what the networks give for rows of their own, `[pack, rows, classes]`, as the rows were fed. */
export function rowsOfAll({ pack, classes }: Model, outputs: Tensor): Tensor {
  return pack === undefined ? outputs : reshape(outputs, [outputs.size / classes, classes]);
}

/** Of what the networks give for the same rows, the mean. */
export function meanOfPack({ pack }: Model, outputs: Tensor): Tensor {
  return pack === undefined ? outputs : mean(outputs, { axes: [0] });
}

/** From the mean loss of all rows the sum of the networks' losses: each then has the gradient that it would have alone. */
export function sumOverPack({ pack }: Model, loss: Tensor): Tensor {
  return pack === undefined ? loss : mul(loss, pack);
}
