import {
  createModel,
  createProgram,
  crossEntropy,
  type Loss,
  ProgramSession,
  type State,
  schedules,
  seededRandom,
  sgd,
} from '@evenhand/engine';
import { buildRows } from '@evenhand/resampling';
import * as onnxRuntime from 'onnxruntime-node';
import { adjustProbabilities } from '../../src/methods/adjust-probabilities.js';
import { epochOrder } from '../../src/methods/epoch-order.js';
import type { EpochLabels, MethodContext, Mixing, PreparedMethod, Sampling } from '../../src/methods/method.js';
import { type MethodName, methods } from '../../src/methods/registry.js';
import { withGuides } from '../../src/training/guides.js';
import { drawPartners, mixedInputs, mixedLabelRows, rowsOfClasses } from '../../src/training/mixing.js';
import { methodFeeds } from '../../src/training/program.js';
import { restartClassifier } from '../../src/training/restart-classifier.js';
import { CLASS_NAMES, CLASSES, COUNTS, drawInstances, type Instances } from './problem.js';

const BATCH = 32;
const RATE = 0.05;

export interface Setup {
  readonly method: MethodName;
  /** The method's; its defaults if left out. */
  readonly options?: object | undefined;
  readonly loss?: Loss;
  readonly epochs: number;
  readonly seed?: number;
  /** Training instances of every class. */
  readonly counts?: readonly number[];
}

/** What a run leaves behind, for another to go on from. */
export interface Saved {
  /** The method's state, as text. */
  readonly method: string;
  readonly state: State;
}

export interface Result extends Saved {
  /** Mean loss of every epoch. */
  readonly losses: readonly number[];
  readonly test: Instances;
  /** Of the test instances, as the method predicts. */
  readonly probabilities: Float32Array;
}

export function prepare({ method, options, loss = crossEntropy, epochs, counts = COUNTS }: Setup): PreparedMethod {
  const context: MethodContext = {
    classNames: CLASS_NAMES,
    trainingCounts: counts,
    loss,
    epochs,
    learningRateShare: (epoch) => schedules.cosine({ rate: 1, steps: epochs })(epoch),
  };
  return methods[method].prepare(context, options);
}

/** Trains a small perceptron with a method, from one epoch to another, in the way of Algorithm 1. */
export async function train(setup: Setup, from = 0, to = setup.epochs, saved?: Saved): Promise<Result> {
  const { epochs, seed = 1, counts = COUNTS } = setup;
  const prepared = prepare(setup);
  const { classifier = 'linear', sampling = 'natural', logitNorm = classifier === 'linear' } = prepared;
  const training = resampled(prepared, drawInstances(counts, 'training'), seed);
  const validation = drawInstances([5, 5, 5], 'validation');
  const test = drawInstances([200, 200, 200], 'test');
  const program = createProgram(
    createModel('mlp', { input: [2], classes: CLASSES, hidden: [16], classifier, logitNorm }),
    {
      batchSize: prepared.guided === true ? 2 * BATCH : BATCH,
      evaluationBatch: 64,
      loss: prepared.loss,
      optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
      ...(prepared.mixing === undefined
        ? { labels: 'indices-with-generator' as const, classWeights: 'fed' as const }
        : { labels: 'rows' as const }),
      ...methodFeeds(prepared),
      seed,
    },
  );
  const session = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
  if (saved !== undefined) {
    prepared.restore(JSON.parse(saved.method));
    await session.load(saved.state);
  }
  const learningRate = schedules.cosine({ rate: RATE, steps: epochs });
  const losses: number[] = [];
  const { retrainingEpochs = 0, guided = false } = prepared;
  const trainEpoch = async (epoch: number, labels: EpochLabels, how: Sampling, rate: number, bodyRate: number) => {
    const order = epochOrder(training.labels, how, seededRandom(seed, `order/${epoch}`));
    const steps = Math.ceil(order.length / BATCH);
    let total = 0;
    for (let step = 0; step < steps; step++) {
      const rows = Int32Array.from({ length: BATCH }, (_, i) => order[(step * BATCH + i) % order.length] ?? 0);
      const position = { seed, epoch, step };
      const seen = guided ? withGuides(rows, byClass(training), position) : rows;
      const batch =
        prepared.mixing === undefined
          ? { ...gathered(training, seen), ...labels }
          : mixed(training, prepared.mixing, labels.generator, rows, position);
      const frozen = retrainingEpochs === 0 ? {} : { bodyRate };
      total += await session.step({ ...batch, ...frozen, learningRate: rate, step: epoch * steps + step });
    }
    return total / steps;
  };
  for (let epoch = from; epoch < to; epoch++) {
    const probabilities = await session.predict(validation.inputs);
    const labels = prepared.beforeEpoch(epoch, { labels: validation.labels, probabilities });
    losses.push(await trainEpoch(epoch, labels, sampling, learningRate(epoch), 1));
  }
  const state = await session.state();
  if (retrainingEpochs > 0 && to > 0) {
    await session.load(restartClassifier(program, state));
    for (let pass = 0; pass < retrainingEpochs; pass++)
      await trainEpoch(epochs + pass, prepared.currentLabels(to - 1), 'balanced', RATE, 0);
  }
  if (prepared.finishWeights !== undefined) await session.load(prepared.finishWeights(state));
  const probabilities = adjustProbabilities(await session.predict(test.inputs), CLASSES, prepared);
  await session.close();
  return { losses, test, probabilities, state, method: JSON.stringify(prepared) };
}

function resampled({ resample }: PreparedMethod, { inputs, labels }: Instances, seed: number): Instances {
  if (resample === undefined) return { inputs, labels };
  const result = resample({ features: inputs, labels, width: 2, discrete: [] }, seed);
  return { inputs: buildRows(inputs, result, 2), labels: result.labels };
}

function mixed(
  training: Instances,
  mixing: Mixing,
  generator: Float32Array,
  rows: Int32Array,
  position: Parameters<typeof drawPartners>[3],
) {
  const batch = drawPartners(rows, byClass(training), mixing, position);
  const [own, other] = [gathered(training, rows).input, gathered(training, batch.partners).input];
  return {
    input: mixedInputs(own, other, batch.shares, []),
    labelRows: mixedLabelRows(batch, training.labels, generator),
  };
}

function byClass({ labels }: Instances) {
  return [
    rowsOfClasses(
      labels.map((_, row) => row),
      labels,
    ),
  ];
}

function gathered({ inputs, labels }: Instances, instances: Int32Array) {
  return {
    input: Float32Array.from(
      { length: 2 * instances.length },
      (_, i) => inputs[2 * (instances[i >> 1] ?? 0) + (i % 2)] ?? 0,
    ),
    labels: instances.map((instance) => labels[instance] ?? 0),
  };
}

/** The share of a class's test instances that are predicted as of it. */
export function recallOf(label: number, { test, probabilities }: Result): number {
  const own = [...test.labels.keys()].filter((i) => test.labels[i] === label);
  const right = own.filter((i) => {
    const row = probabilities.subarray(CLASSES * i, CLASSES * (i + 1));
    return row.indexOf(Math.max(...row)) === label;
  });
  return right.length / own.length;
}
