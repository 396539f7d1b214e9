import { broadcastToOperation } from '../../../src/operations/broadcast.js';
import { castOperation } from '../../../src/operations/cast.js';
import { concatOperation } from '../../../src/operations/concat.js';
import { gatherOperation, scatterRowsOperation } from '../../../src/operations/gather.js';
import { padOperation } from '../../../src/operations/pad.js';
import {
  maxOperation,
  meanOperation,
  sumOfSquaresOperation,
  sumOperation,
} from '../../../src/operations/reductions.js';
import { reshapeOperation } from '../../../src/operations/reshape.js';
import { sliceOperation, spreadOperation } from '../../../src/operations/slice.js';
import { splitOperation } from '../../../src/operations/split.js';
import { transposeOperation } from '../../../src/operations/transpose.js';
import { distinct, indices, normal, values } from '../random.js';
import { item } from '../reference/array.js';
import * as reference from '../reference/shapes.js';
import { plainSamplesOf, samplesOf } from '../sample.js';

const reductions = [
  { title: 'all', inputs: [distinct(3, 4)], attributes: { axes: [0, 1], keepAxes: false } },
  { title: 'rows', inputs: [distinct(3, 4)], attributes: { axes: [1], keepAxes: false } },
  { title: 'columns, kept', inputs: [distinct(3, 4)], attributes: { axes: [0], keepAxes: true } },
  { title: 'channels of images', inputs: [distinct(2, 3, 4, 3)], attributes: { axes: [0, 2, 3], keepAxes: false } },
  { title: 'axes apart, kept', inputs: [distinct(2, 3, 4)], attributes: { axes: [0, 2], keepAxes: true } },
  { title: 'axes out of order', inputs: [distinct(2, 3, 4)], attributes: { axes: [2, 0], keepAxes: false } },
  { title: 'an axis of 1', inputs: [distinct(3, 1)], attributes: { axes: [1], keepAxes: false } },
  { title: 'no axis', inputs: [distinct(2, 3)], attributes: { axes: [], keepAxes: false } },
  { title: 'a scalar', inputs: [distinct()], attributes: { axes: [], keepAxes: false } },
] as const;

export const shapeSamples = {
  cast: samplesOf(
    castOperation,
    (inputs, { to }) => {
      const x = item(inputs, 0);
      const convert = to === 'float32' ? Number : to === 'bool' ? (v: number) => Number(v !== 0) : Math.trunc;
      return [{ ...x, type: to, data: x.data.map((value) => convert(value)) }];
    },
    [
      { title: 'pixels to float32', inputs: [indices(256, 'uint8', 2, 3)], attributes: { to: 'float32' } },
      { title: 'a mask to float32', inputs: [indices(2, 'bool', 5)], attributes: { to: 'float32' } },
      { title: 'labels to int64', inputs: [indices(10, 'int32', 4)], attributes: { to: 'int64' } },
      { title: 'cut off towards 0', inputs: [values([-1.7, -0.2, 1.9])], attributes: { to: 'int32' } },
      { title: 'to bool', inputs: [values([0, 1, -2])], attributes: { to: 'bool' } },
    ],
  ),
  reshape: samplesOf(reshapeOperation, reference.reshape, [
    { title: 'flat', inputs: [normal(2, 3, 2)], attributes: { shape: [12] } },
    { title: 'images to rows', inputs: [normal(2, 3, 2, 3)], attributes: { shape: [2, 18] } },
    { title: 'to a scalar', inputs: [normal(1, 1)], attributes: { shape: [] } },
    { title: 'int64', inputs: [indices(9, 'int64', 4)], attributes: { shape: [2, 2] } },
  ]),
  transpose: samplesOf(transposeOperation, reference.transpose, [
    { title: 'a matrix', inputs: [normal(2, 3)], attributes: { order: [1, 0] } },
    { title: 'a cycle, whose inverse is another', inputs: [normal(2, 3, 4)], attributes: { order: [1, 2, 0] } },
    { title: 'NHWC to NCHW', inputs: [normal(2, 4, 3, 2)], attributes: { order: [0, 3, 1, 2] } },
    { title: 'nothing moves', inputs: [normal(2, 3)], attributes: { order: [0, 1] } },
    { title: 'pixels', inputs: [indices(256, 'uint8', 2, 3)], attributes: { order: [1, 0] } },
  ]),
  broadcastTo: samplesOf(broadcastToOperation, reference.broadcastTo, [
    { title: 'a scalar', inputs: [normal()], attributes: { shape: [2, 3] } },
    { title: 'new axes in front', inputs: [normal(3)], attributes: { shape: [2, 4, 3] } },
    { title: 'axes of 1', inputs: [normal(2, 1, 3, 1)], attributes: { shape: [2, 2, 3, 4] } },
    { title: 'an axis of 1 that stays', inputs: [normal(1, 3)], attributes: { shape: [1, 3] } },
  ]),
  concat: samplesOf(concatOperation, reference.concat, [
    { title: 'rows', inputs: [normal(2, 3), normal(1, 3)], attributes: { axis: 0 } },
    {
      title: 'channels, three parts',
      inputs: [normal(2, 1, 2), normal(2, 3, 2), normal(2, 2, 2)],
      attributes: { axis: 1 },
    },
    { title: 'the last axis', inputs: [normal(2, 2), normal(2, 1)], attributes: { axis: 1 } },
    { title: 'one part', inputs: [normal(3)], attributes: { axis: 0 } },
    { title: 'int64', inputs: [indices(9, 'int64', 2), indices(9, 'int64', 3)], attributes: { axis: 0 } },
  ]),
  split: samplesOf(splitOperation, reference.split, [
    { title: 'a vector', inputs: [normal(6)], attributes: { sizes: [1, 3, 2] } },
    { title: 'rows', inputs: [normal(3, 2)], attributes: { sizes: [2, 1] } },
    { title: 'one part', inputs: [normal(3)], attributes: { sizes: [3] } },
  ]),
  slice: samplesOf(sliceOperation, reference.slice, [
    { title: 'the middle', inputs: [normal(6)], attributes: { axis: 0, start: 2, end: 5, step: 1 } },
    { title: 'all', inputs: [normal(2, 3)], attributes: { axis: 1, start: 0, end: 3, step: 1 } },
    { title: 'every second, to the end', inputs: [normal(2, 6)], attributes: { axis: 1, start: 0, end: 6, step: 2 } },
    { title: 'every second, odd size', inputs: [normal(7, 2)], attributes: { axis: 0, start: 0, end: 7, step: 2 } },
    { title: 'every third, inside', inputs: [normal(2, 11, 2)], attributes: { axis: 1, start: 1, end: 9, step: 3 } },
    { title: 'a step beyond the end', inputs: [normal(4)], attributes: { axis: 0, start: 1, end: 3, step: 5 } },
    { title: 'int64', inputs: [indices(9, 'int64', 5)], attributes: { axis: 0, start: 1, end: 4, step: 1 } },
  ]),
  spread: samplesOf(spreadOperation, reference.spread, [
    { title: 'side by side', inputs: [normal(3)], attributes: { axis: 0, start: 2, step: 1, size: 7 } },
    { title: 'with gaps', inputs: [normal(2, 3)], attributes: { axis: 1, start: 0, step: 2, size: 6 } },
    { title: 'no room behind the last', inputs: [normal(4, 2)], attributes: { axis: 0, start: 0, step: 2, size: 7 } },
    { title: 'gaps and margins', inputs: [normal(2, 3, 2)], attributes: { axis: 1, start: 1, step: 3, size: 11 } },
  ]),
  pad: samplesOf(padOperation, reference.pad, [
    { title: 'images', inputs: [normal(1, 2, 3, 2)], attributes: { before: [0, 0, 1, 1], after: [0, 0, 1, 1] } },
    { title: 'one side', inputs: [normal(2, 3)], attributes: { before: [0, 2], after: [0, 0] } },
    { title: 'different sides', inputs: [normal(2, 3)], attributes: { before: [1, 0], after: [2, 3] } },
    { title: 'nothing', inputs: [normal(2, 2)], attributes: { before: [0, 0], after: [0, 0] } },
  ]),
  gather: plainSamplesOf(gatherOperation, reference.gather, {
    'rows, some twice': [normal(4, 3), values([0, 2, 2, 3, 0], [5], 'int64')],
    'labels as int32': [normal(3, 3), indices(3, 'int32', 6)],
    'indices in a matrix': [normal(5, 2), indices(5, 'int64', 2, 3)],
    'a vector': [normal(5), indices(5, 'int64', 3)],
    'one row': [normal(4, 3), values([2], [], 'int64')],
    'a table of images': [normal(3, 2, 2), indices(3, 'int64', 4)],
  }),
  scatterRows: samplesOf(scatterRowsOperation, reference.scatterRows, [
    {
      title: 'rows that add up',
      inputs: [normal(5, 3), values([0, 2, 2, 3, 0], [5], 'int64')],
      attributes: { rows: 4 },
    },
    { title: 'int32', inputs: [normal(6, 3), indices(3, 'int32', 6)], attributes: { rows: 3 } },
    { title: 'indices in a matrix', inputs: [normal(2, 3, 2), indices(5, 'int64', 2, 3)], attributes: { rows: 5 } },
  ]),
  sum: samplesOf(
    sumOperation,
    reference.reduction((x) => x.reduce((a, b) => a + b, 0)),
    reductions,
  ),
  mean: samplesOf(
    meanOperation,
    reference.reduction((x) => x.reduce((a, b) => a + b, 0) / x.length),
    reductions,
  ),
  max: samplesOf(
    maxOperation,
    reference.reduction((x) => Math.max(...x)),
    [
      ...reductions,
      {
        title: 'ties share the gradient equally',
        inputs: [values([3, 3, 3, 1, 2, 2], [2, 3])],
        attributes: { axes: [1], keepAxes: false },
        vjp: (_, [dy]) => {
          const [a, b] = [item(dy?.data ?? [], 0), item(dy?.data ?? [], 1)];
          return [{ shape: [2, 3], type: 'float32', data: [a / 3, a / 3, a / 3, 0, b / 2, b / 2] }];
        },
      },
    ],
  ),
  sumOfSquares: plainSamplesOf(
    sumOfSquaresOperation,
    ([x]) => [{ shape: [], type: 'float32', data: [(x?.data ?? []).reduce((sum, value) => sum + value ** 2, 0)] }],
    { vector: [normal(7)], 'images, odd sizes': [normal(2, 3, 5, 3)], scalar: [normal()], zeros: [values([0, 0])] },
  ),
};
