import { gradients } from '../differentiation/gradients.js';
import type { Operation } from '../graph/graph.js';
import { Graph, type Tensor } from '../graph/graph.js';
import { sameShape, sizeOf } from '../graph/tensor.js';
import { type BatchLabels, feedLabels } from '../losses/label-rows.js';
import { type Model, Network, type Parameter, type Statistic } from '../network/network.js';
import { seededRandom } from '../network/random.js';
import type { Target } from '../onnx/emitter.js';
import { onnxModel } from '../onnx/model.js';
import { apply, type NoAttributes, the } from '../operations/apply.js';
import { add } from '../operations/arithmetic.js';
import { gather } from '../operations/gather.js';
import { softmax } from '../operations/softmax.js';
import { applyOptimizer, type Slot } from '../optimizers/apply-optimizer.js';
import { feedInput } from './input-pipeline.js';
import type { FeedEntry, Program, StateEntry } from './program.js';
import { checkProgramOptions, type ProgramOptions } from './program-options.js';

/** Writes a model's training step, with its loss, gradients and optimizer, and its inference as ONNX models. */
export function createProgram(model: Model, options: ProgramOptions): Program {
  checkProgramOptions(model, options);
  const training = buildTraining(model, options);
  const inference = buildInference(model, options);
  checkSameState(training.network, inference.network);
  return {
    training: training.bytes,
    inference: inference.bytes,
    state: stateOf(training.network, training.slots, options.seed),
    feeds: training.feeds.map(feedEntry),
    batchSize: options.batchSize,
    evaluationBatch: the(inference.input.shape),
    classes: model.classes,
    input: feedEntry(inference.input),
  };
}

function buildTraining(model: Model, options: ProgramOptions) {
  const { batchSize, labels: labelFeed, seed } = options;
  const graph = new Graph();
  const { prepared } = feedInput(graph, [batchSize, ...model.input], options);
  const labels = feedLabels(graph, labelFeed, batchSize, model.classes);
  const learningRate = graph.input('learningRate', []);
  const step = graph.input('step', [], 'int64');
  const feeds = graph.inputs.slice();

  const network = new Network(
    graph,
    'training',
    graph.scope('randomKey', () => add(step, keyOffset(seed))),
  );
  const logits = model.build(network, prepared);
  const loss = alsoTaking(options.loss(logits, labels.rows, instanceWeights(labels, options.classWeights)), [step]);
  const slopes = gradients(
    loss,
    network.parameters.map(({ tensor }) => tensor),
  );
  const { next, slots } = applyOptimizer(
    options.optimizer,
    network.parameters.map((parameter, i) => ({
      ...parameter,
      shape: parameter.tensor.shape,
      gradient: the(slopes, i),
    })),
    { learningRate, step },
  );
  const outputs = {
    loss,
    ...nextValues(network.parameters.map((parameter, i) => ({ ...parameter, next: the(next, i) }))),
    ...nextValues(
      network.statistics.map((statistic) => ({ ...statistic, next: statistic.update ?? statistic.tensor })),
    ),
    ...nextValues(slots),
  };
  const bytes = onnxModel(graph, outputs, { name: `${model.name} training`, ...targetOf(options) });
  return { network, slots, feeds, bytes };
}

function buildInference(model: Model, options: ProgramOptions) {
  const { evaluationBatch = 256 } = options;
  const graph = new Graph();
  const { input, prepared } = feedInput(graph, [evaluationBatch, ...model.input], options);
  const network = new Network(graph, 'inference');
  const logits = model.build(network, prepared);
  const state = [...network.parameters, ...network.statistics].map(({ tensor }) => tensor);
  const probabilities = alsoTaking(
    graph.scope('probabilities', () => softmax(logits)),
    state,
  );
  const bytes = onnxModel(graph, { probabilities }, { name: `${model.name} inference`, ...targetOf(options) });
  return { network, input, bytes };
}

const alsoTakingOperation: Operation<NoAttributes> = {
  name: 'alsoTaking',
  infer: (inputs) => [the(inputs)],
  emit: ({ inputs }) => [the(inputs)],
  vjp: ({ gradients: [gradient = null], inputs }) => inputs.map((_, i) => (i === 0 ? gradient : null)),
};

/** The same tensor, and a promise that the ONNX model has certain inputs, whether or not something is computed of them. */
function alsoTaking(tensor: Tensor, inputs: readonly Tensor[]): Tensor {
  return apply(alsoTakingOperation, [tensor, ...inputs], {});
}

function instanceWeights({ rows, indices }: BatchLabels, classWeights?: readonly number[]): Tensor | undefined {
  if (classWeights === undefined || indices === null) return undefined;
  const { graph } = rows;
  return graph.scope('classWeights', () => gather(graph.constant(Float32Array.from(classWeights)), indices));
}

/** Where a seed's random keys begin, far from those of other seeds. */
function keyOffset(seed: number): number {
  return Math.floor(seededRandom(seed, 'randomKey')() * 2 ** 31);
}

function nextValues(entries: readonly { readonly name: string; readonly next: Tensor }[]): Record<string, Tensor> {
  return Object.fromEntries(entries.map(({ name, next }) => [`next/${name}`, next]));
}

function targetOf({ target }: ProgramOptions): { readonly target?: Target } {
  return target === undefined ? {} : { target };
}

function feedEntry({ name, shape, type }: Tensor): FeedEntry {
  return { name, shape, type };
}

function stateOf(network: Network, slots: readonly Slot[], seed: number): StateEntry[] {
  const filled = (tensor: Tensor, value: number) => new Float32Array(sizeOf(tensor.shape)).fill(value);
  return [
    ...network.parameters.map<StateEntry>(({ name, tensor: { shape }, initialise }) => ({
      name,
      shape,
      kind: 'parameter',
      initial: initialise(shape, seededRandom(seed, name)),
    })),
    ...network.statistics.map<StateEntry>(({ name, tensor, initial }) => ({
      name,
      shape: tensor.shape,
      kind: 'statistic',
      initial: filled(tensor, initial),
    })),
    ...slots.map<StateEntry>(({ name, tensor }) => ({
      name,
      shape: tensor.shape,
      kind: 'slot',
      initial: filled(tensor, 0),
    })),
  ];
}

/** A model must ask for the same weights and statistics in both modes. */
function checkSameState(training: Network, inference: Network): void {
  const entriesOf = ({ parameters, statistics }: Network): (Parameter | Statistic)[] => [...parameters, ...statistics];
  const trained = new Map(entriesOf(training).map(({ name, tensor }) => [name, tensor.shape]));
  const used = entriesOf(inference);
  const wrong = used.find(({ name, tensor }) => !sameShape(trained.get(name) ?? [-1], tensor.shape));
  if (wrong !== undefined || used.length !== trained.size) {
    const which = wrong?.name ?? [...trained.keys()].find((name) => !used.some((entry) => entry.name === name));
    throw new TypeError(`the model builds "${which}" differently for training and for inference; expected the same`);
  }
}
