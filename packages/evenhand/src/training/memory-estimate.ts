import { totalmem } from 'node:os';
import { Graph, type Model, Network } from '@evenhand/engine';
import type { NetworkConfig } from '../config/schema.js';
import { UserError } from '../user-error.js';
import { inBytes } from '../wording/numbers.js';

const BYTES = 4;

/**
 * How often the weights, and each of the numbers that the optimizer keeps of them, are in memory at the worst moment: before and
 * after a step, on their way to and from the thread that trains, in a checkpoint and in the model that is exported. Measured with
 * perceptrons of 4 to 67 million weights: 21 times the weights with sgd, 29 to 37 times with adam.
 */
const COPIES = 10;

/** Numbers that an optimizer keeps of every weight. */
const SLOTS = { sgd: 1, adam: 2, adamw: 2 } as const satisfies Record<NetworkConfig['optimizer']['name'], number>;

/** What a step is made of. */
export interface StepSize {
  readonly batchSize: number;
  readonly optimizer: NetworkConfig['optimizer']['name'];
}

/**
 * About how many bytes training takes: four for each weight, {@link COPIES} times, and as many for each number that the optimizer
 * keeps of it; and four for each value that the layers give for a batch, which the gradients are made of. The data, and the
 * program itself, are not in it.
 */
export function estimateMemory(model: Model, { batchSize, optimizer }: StepSize): number {
  const graph = new Graph();
  const { pack, input } = model;
  const network = new Network(graph, 'inference', null, undefined, pack);
  model.build(network, graph.input('input', [...(pack === undefined ? [] : [pack]), batchSize, ...input]));
  const kept = [...network.parameters, ...network.statistics].reduce((sum, { tensor }) => sum + tensor.size, 0);
  const activations = graph.nodes
    .filter(({ operation }) => operation !== 'reshape') // the same values in the same place
    .flatMap(({ outputs }) => outputs)
    .reduce((sum, { size }) => sum + size, 0);
  return BYTES * (COPIES * (1 + SLOTS[optimizer]) * kept + activations);
}

/** @throws {@link UserError} if a training step would not fit into this machine's memory */
export function checkMemory(model: Model, step: StepSize, available = availableMemory()): void {
  const needed = estimateMemory(model, step);
  if (needed <= available) return;
  throw new UserError(
    `the model ${model.name} takes about ${inBytes(needed)} of memory to train with ${step.batchSize} instances at a time; ` +
      `this machine has ${inBytes(available)}. Choose a smaller model, a smaller batchSize, or smaller images`,
    { options: ['batchSize', 'model.name', 'data.imageSize'] },
  );
}

/**
 * @param needed - what trees say that they take, beside the table
 * @throws {@link UserError} if that would not fit into this machine's memory
 */
export function checkTreeMemory(needed: number, available = availableMemory()): void {
  if (needed <= available) return;
  throw new UserError(
    `trees take about ${inBytes(needed)} of memory to train on this table; this machine has ${inBytes(available)}. ` +
      'Choose fewer folds, fewer leaves, or fewer rows',
    { options: ['folds', 'model.name'] },
  );
}

/**
 * Bytes for each pair of classes: the generator matrix, what it is made from, and both on their way to the network and into a checkpoint.
 * Measured with 1,500 and 2,000 classes: 160 where labels are encoded, 70 where they stay one-hot.
 */
const BYTES_PER_PAIR = 160;

/** @throws {@link UserError} if the labels of so many classes would not fit into this machine's memory */
export function checkLabelMemory(classes: number, available = availableMemory()): void {
  const needed = BYTES_PER_PAIR * classes ** 2;
  if (needed <= available) return;
  throw new UserError(
    `the data has ${classes} classes, whose labels, a matrix of classes by classes, take about ${inBytes(needed)} of memory to train ` +
      `with; this machine has ${inBytes(available)}. Put rare classes together or leave them out`,
    { options: ['data.rareClasses'] },
  );
}

/** What the machine has, or what a container may use of it. */
function availableMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
