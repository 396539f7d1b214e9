import { Graph, type Tensor } from '../../src/graph/graph.js';
import { onnxModel } from '../../src/onnx/model.js';
import { add, mul, sub } from '../../src/operations/arithmetic.js';
import { cast } from '../../src/operations/cast.js';
import { concat } from '../../src/operations/concat.js';
import { matmul, swapLastAxes } from '../../src/operations/matmul.js';
import { mean, sum } from '../../src/operations/reductions.js';
import { reshape } from '../../src/operations/reshape.js';
import { split } from '../../src/operations/split.js';
import type { Program } from '../../src/training/program.js';

interface Sizes {
  readonly batch: number;
  readonly evaluationBatch: number;
  readonly features: number;
  readonly classes: number;
}

const SMALL: Sizes = { batch: 4, evaluationBatch: 3, features: 2, classes: 3 };

/**
 * Linear regression `y = x·w + b` on the mean square error, with its gradient and the steps of momentum written by hand, and
 * the mean of the inputs as a running statistic. `probabilities` are simply y. `step` changes nothing.
 */
export function linearProgram({ batch, evaluationBatch, features, classes }: Sizes = SMALL): Program {
  const graph = new Graph();
  const input = graph.input('input', [batch, features]);
  const labelRows = graph.input('labelRows', [batch, classes]);
  const learningRate = graph.input('learningRate', []);
  const step = graph.input('step', [], 'int64');
  const [parameters, average] = [
    graph.input('parameters', [(features + 1) * classes]),
    graph.input('statistics', [features]),
  ];
  const slot = graph.input('slot/velocity', [features * classes]);
  const [w, b] = weightsIn(parameters, features, classes);
  const velocity = reshape(slot, [features, classes]);

  const error = sub(add(matmul(input, w), b), labelRows);
  const slope = mul(error, 2 / (batch * classes)); // d mean(e²) = 2e / n
  const nextVelocity = add(mul(velocity, 0.5), matmul(swapLastAxes(input), slope));
  const training = onnxModel(
    graph,
    {
      loss: add(mean(mul(error, error)), mul(cast(step, 'float32'), 0)),
      'next/parameters': concat(
        [
          reshape(sub(w, mul(nextVelocity, learningRate)), [features * classes]),
          sub(b, mul(sum(slope, { axes: [0] }), learningRate)),
        ],
        0,
      ),
      'next/statistics': add(mul(average, 0.9), mul(mean(input, { axes: [0] }), 0.1)),
      'next/slot/velocity': reshape(nextVelocity, [features * classes]),
    },
    { name: 'training' },
  );

  const evaluation = new Graph();
  const rows = evaluation.input('input', [evaluationBatch, features]);
  const [weight, bias] = weightsIn(evaluation.input('parameters', [(features + 1) * classes]), features, classes);
  const inference = onnxModel(evaluation, { probabilities: add(matmul(rows, weight), bias) }, { name: 'inference' });
  const weights = Float32Array.from({ length: features * classes }, (_, i) => Math.fround(0.1 * ((i % 7) + 1)));
  return {
    training,
    inference,
    portableInference: inference,
    target: { channelBlock: null },
    state: [
      { name: 'layer/w', shape: [features, classes], vector: 'parameters', kind: 'parameter', initial: weights },
      {
        name: 'layer/b',
        shape: [classes],
        vector: 'parameters',
        kind: 'parameter',
        initial: new Float32Array(classes),
      },
      {
        name: 'average',
        shape: [features],
        vector: 'statistics',
        kind: 'statistic',
        initial: new Float32Array(features),
      },
      {
        name: 'slot/velocity/layer/w',
        shape: [features, classes],
        vector: 'slot/velocity',
        kind: 'slot',
        initial: new Float32Array(features * classes),
      },
    ],
    feeds: [
      { name: 'input', shape: [batch, features], type: 'float32' },
      { name: 'labelRows', shape: [batch, classes], type: 'float32' },
      { name: 'learningRate', shape: [], type: 'float32' },
      { name: 'step', shape: [], type: 'int64' },
    ],
    batchSize: batch,
    pack: 1,
    evaluationBatch,
    classes,
    outputs: 'probabilities',
    input: { name: 'input', shape: [evaluationBatch, features], type: 'float32' },
  };
}

function weightsIn(parameters: Tensor, features: number, classes: number): readonly [w: Tensor, b: Tensor] {
  const [w, b] = split(parameters, [features * classes, classes]);
  if (w === undefined || b === undefined) throw new Error('two parts are two');
  return [reshape(w, [features, classes]), b];
}

/** Feeds of a step: inputs and targets that differ from step to step. */
export function linearFeeds(step: number, { batch, features, classes }: Sizes = SMALL) {
  return {
    input: Float32Array.from({ length: batch * features }, (_, i) => Math.sin(i + step)),
    labelRows: Float32Array.from({ length: batch * classes }, (_, i) => Math.cos(i * 2 + step)),
    learningRate: 0.1,
    step,
  };
}

/** The same training in plain JavaScript, in double precision: losses, weights, bias and average after some steps. */
export function linearByHand(steps: number, { batch, features, classes }: Sizes = SMALL) {
  const w = Array.from({ length: features * classes }, (_, i) => 0.1 * ((i % 7) + 1));
  const velocity = w.map(() => 0);
  const b: number[] = Array.from({ length: classes }, () => 0);
  const average: number[] = Array.from({ length: features }, () => 0);
  const losses: number[] = [];
  const at = (values: ArrayLike<number>, i: number) => values[i] ?? Number.NaN;
  for (let step = 0; step < steps; step++) {
    const { input, labelRows, learningRate } = linearFeeds(step, { batch, evaluationBatch: 1, features, classes });
    const error = Array.from(labelRows, (target, i) => {
      const [row, c] = [Math.floor(i / classes), i % classes];
      return average.reduce((y, _, f) => y + at(input, row * features + f) * at(w, f * classes + c), at(b, c)) - target;
    });
    losses.push(error.reduce((total, e) => total + e * e, 0) / error.length);
    const slope = error.map((e) => (2 * e) / error.length);
    const rows = Array.from({ length: batch }, (_, row) => row);
    for (let i = 0; i < w.length; i++) {
      const [f, c] = [Math.floor(i / classes), i % classes];
      const gradient = rows.reduce((g, row) => g + at(input, row * features + f) * at(slope, row * classes + c), 0);
      velocity[i] = 0.5 * at(velocity, i) + gradient;
      w[i] = at(w, i) - learningRate * at(velocity, i);
    }
    for (let c = 0; c < classes; c++) {
      b[c] = at(b, c) - learningRate * rows.reduce((g, row) => g + at(slope, row * classes + c), 0);
    }
    for (let f = 0; f < features; f++) {
      const batchMean = rows.reduce((m, row) => m + at(input, row * features + f), 0) / batch;
      average[f] = 0.9 * at(average, f) + 0.1 * batchMean;
    }
  }
  return { losses, w, b, average };
}
