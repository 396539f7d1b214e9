import { gradients } from '../differentiation/gradients.js';
import type { Target } from '../graph/emitter.js';
import { Graph, type Operation, type Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { sizeOf } from '../graph/tensor.js';
import { type BatchLabels, feedLabels } from '../losses/label-rows.js';
import { firstValues, type Model, Network, type Parameter, type Statistic } from '../network/network.js';
import { seededRandom } from '../network/random.js';
import { onnxModel } from '../onnx/model.js';
import { apply } from '../operations/apply.js';
import { add, mul } from '../operations/arithmetic.js';
import { gather } from '../operations/gather.js';
import { applyOptimizer } from '../optimizers/apply-optimizer.js';
import { feedInput } from './input-pipeline.js';
import { type Outputs, outputLayers } from './outputs.js';
import { batchShape, meanOfPack, ownRows, type RowsOfPack, rowsOfAll, sumOverPack } from './pack-rows.js';
import type { FeedEntry, Program, StateEntry } from './program.js';
import { checkProgramOptions, type ProgramOptions } from './program-options.js';
import { feedState, modesDifferError, nextStatistics } from './state-vectors.js';

const ANY_MACHINE: Target = { channelBlock: null };

/** Writes a model's training step, with its loss, gradients and optimizer, and its inference as ONNX models. */
export function createProgram(model: Model, options: ProgramOptions): Program {
  checkProgramOptions(model, options);
  const described = describeState(model, options);
  const training = buildTraining(model, options, described);
  const { target = ANY_MACHINE } = options;
  const inference = buildInference(model, options, described, target, 'own');
  const isPortable = target.channelBlock === null && model.pack === undefined;
  return {
    training: training.bytes,
    inference: inference.bytes,
    portableInference: isPortable
      ? inference.bytes
      : buildInference(model, options, described, ANY_MACHINE, 'shared').bytes,
    target,
    state: stateOf(described, training.slots, options.seed),
    feeds: training.feeds.map(feedEntry),
    batchSize: options.batchSize,
    pack: model.pack ?? 1,
    evaluationBatch: axisSize(inference.input.shape, 0),
    classes: model.classes,
    outputs: outputsOf(options),
    input: feedEntry(inference.input),
  };
}

/** What the model asks for, in the order in which it does. */
function describeState(model: Model, options: ProgramOptions): Network {
  const graph = new Graph();
  const network = new Network(graph, 'inference', null, undefined, model.pack);
  model.build(
    network,
    ownRows(model, feedInput(graph, batchShape(model, evaluationBatchOf(options)), options).prepared),
  );
  return network;
}

function buildTraining(model: Model, options: ProgramOptions, described: Network) {
  const { batchSize, labels: labelFeed, seed } = options;
  const graph = new Graph();
  const { prepared } = feedInput(graph, batchShape(model, batchSize), options);
  const labels = feedLabels(graph, labelFeed, axisSize(prepared.shape, 0), model.classes);
  const weights = instanceWeights(labels, options, model.classes);
  const offsets = instanceOffsets(labels, options.logitOffsets, model.classes);
  const blend = options.lossBlend === undefined ? undefined : graph.input('lossBlend', []);
  const bodyRate = options.bodyRate === undefined ? undefined : graph.input('bodyRate', []);
  const learningRate = graph.input('learningRate', []);
  const step = graph.input('step', [], 'int64');
  const feeds = graph.inputs.slice();

  const state = feedState(graph, membersOf(described.parameters), membersOf(described.statistics));
  const randomKey = graph.scope('randomKey', () => add(step, keyOffset(seed)));
  const network = new Network(graph, 'training', randomKey, state.source, model.pack);
  const logits = rowsOfAll(model, model.build(network, ownRows(model, prepared)));
  checkSameState(network, described);
  const shifted = offsets === undefined ? logits : graph.scope('logitOffsets', () => add(logits, offsets));
  const { features } = network;
  const context = { ...(features === undefined ? {} : { features }), ...(blend === undefined ? {} : { blend }) };
  const loss = keepInput(options.loss(shifted, labels.rows, weights, context), step);
  const [gradient] = gradients(sumOverPack(model, loss), [state.parameters]);
  const { next, slots } = applyOptimizer(
    options.optimizer,
    {
      members: network.parameters.map(({ name, tensor: { shape }, decays, rate }) => ({ name, shape, decays, rate })),
      pack: network.pack,
      value: state.parameters,
      gradient,
    },
    { learningRate, step, ...(bodyRate === undefined ? {} : { bodyRate }) },
  );
  const outputs = {
    loss,
    'next/parameters': next,
    ...(state.statistics === null ? {} : { 'next/statistics': nextStatistics(state.statistics, network.statistics) }),
    ...Object.fromEntries(slots.map((slot) => [`next/slot/${slot.kind}`, slot.next])),
  };
  const bytes = onnxModel(graph, outputs, { name: `${model.name} training`, target: options.target ?? ANY_MACHINE });
  return { slots: slots.map(({ kind }) => kind), feeds, bytes };
}

function buildInference(model: Model, options: ProgramOptions, described: Network, target: Target, rows: RowsOfPack) {
  const graph = new Graph();
  const { input, prepared } = feedInput(graph, batchShape(model, evaluationBatchOf(options), rows), options);
  const { source } = feedState(graph, membersOf(described.parameters), membersOf(described.statistics));
  const network = new Network(graph, 'inference', null, source, model.pack);
  const logits = model.build(network, rows === 'own' ? ownRows(model, prepared) : prepared);
  const outputs = outputsOf(options);
  const predicted = graph.scope(outputs, () => {
    const all = outputLayers[outputs](logits);
    return rows === 'own' ? rowsOfAll(model, all) : meanOfPack(model, all);
  });
  const bytes = onnxModel(graph, { [outputs]: predicted }, { name: `${model.name} inference`, target });
  return { input, bytes };
}

function evaluationBatchOf({ evaluationBatch = 256 }: ProgramOptions): number {
  return evaluationBatch;
}

function outputsOf({ outputs = 'probabilities' }: ProgramOptions): Outputs {
  return outputs;
}

function membersOf(entries: readonly (Parameter | Statistic)[]) {
  return entries.map(({ name, tensor: { shape } }) => ({ name, shape }));
}

const keepInputOperation: Operation<[x: Tensor, input: Tensor]> = {
  name: 'keepInput',
  infer: ([x]) => [x],
  emit: ({ inputs: [x] }) => [x],
  vjp: ({ gradient: dy }) => [dy, null],
};

/** `x` itself; the ONNX model has `input` among its inputs then, even if nothing is computed of it. */
function keepInput(x: Tensor, input: Tensor): Tensor {
  return apply(keepInputOperation, [x, input], {});
}

/** What the loss of each instance is multiplied by; undefined where all count alike. */
function instanceWeights(
  { rows, indices }: BatchLabels,
  { classWeights, instanceWeights: own }: ProgramOptions,
  classes: number,
): Tensor | undefined {
  const { graph } = rows;
  const ofClass =
    classWeights === undefined || indices === null
      ? undefined
      : graph.scope('classWeights', () =>
          gather(
            classWeights === 'fed'
              ? graph.input('classWeights', [classes])
              : graph.constant(Float32Array.from(classWeights)),
            indices,
          ),
        );
  if (own === undefined) return ofClass;
  return graph.scope('instanceWeights', () => {
    const weights = graph.input('instanceWeights', [axisSize(rows.shape, 0)]);
    return ofClass === undefined ? weights : mul(ofClass, weights);
  });
}

/** The row of each instance's class. */
function instanceOffsets(
  { indices }: BatchLabels,
  logitOffsets: ProgramOptions['logitOffsets'],
  classes: number,
): Tensor | undefined {
  if (logitOffsets === undefined || indices === null) return undefined;
  const { graph } = indices;
  return graph.scope('logitOffsets', () => gather(graph.input('logitOffsets', [classes, classes]), indices));
}

/** Where a seed's random keys begin, far from those of other seeds. */
function keyOffset(seed: number): number {
  return Math.floor(seededRandom(seed, 'randomKey')() * 2 ** 31);
}

function feedEntry({ name, shape, type }: Tensor): FeedEntry {
  return { name, shape, type };
}

function stateOf({ parameters, statistics }: Network, slots: readonly string[], seed: number): StateEntry[] {
  const filled = ({ shape }: Tensor, value: number) => new Float32Array(sizeOf(shape)).fill(value);
  return [
    ...parameters.map<StateEntry>((parameter) => ({
      name: parameter.name,
      shape: parameter.tensor.shape,
      vector: 'parameters',
      kind: 'parameter',
      initial: firstValues(parameter, seed),
    })),
    ...statistics.map<StateEntry>(({ name, tensor, initial }) => ({
      name,
      shape: tensor.shape,
      vector: 'statistics',
      kind: 'statistic',
      initial: filled(tensor, initial),
    })),
    ...slots.flatMap((kind) =>
      parameters.map<StateEntry>(({ name, tensor }) => ({
        name: `slot/${kind}/${name}`,
        shape: tensor.shape,
        vector: `slot/${kind}`,
        kind: 'slot',
        initial: filled(tensor, 0),
      })),
    ),
  ];
}

/** What was built asks for all that was described; that it asks for nothing else was checked when it asked. */
function checkSameState(built: Network, described: Network): void {
  const asked = new Set([...built.parameters, ...built.statistics].map(({ name }) => name));
  const missing = [...described.parameters, ...described.statistics].find(({ name }) => !asked.has(name));
  if (missing !== undefined) throw modesDifferError(missing.name);
}
