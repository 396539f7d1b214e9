import type { Graph, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { type Shape, sizeOf } from '../graph/tensor.js';
import type { Initialiser } from './initialisers.js';
import { seededRandom } from './random.js';

/** Weights that are learned. */
export interface Parameter {
  /** Scopes and name, joined by `/`: `block1/conv2/weight`. */
  readonly name: string;
  readonly tensor: Tensor;
  /** Draws the first values of one network's part. */
  readonly initialise: Initialiser;
  /** Of how many networks it holds the weights, along its first axis; null: of one, without such an axis. */
  readonly pack: number | null;
  /** Whether weight decay pulls at it: not at biases and norms. */
  readonly decays: boolean;
  /** What the learning rate is multiplied by for it. */
  readonly rate: number;
}

/** How a parameter is trained. */
export interface ParameterOptions {
  /** Whether weight decay pulls at it. @defaultValue false */
  readonly decays?: boolean;
  /** What the learning rate is multiplied by for it. @defaultValue 1 */
  readonly rate?: number;
}

/** Numbers that training keeps but does not learn by gradient: running means and variances. */
export interface Statistic {
  readonly name: string;
  readonly tensor: Tensor;
  readonly initial: number;
  /** What this step makes of it; null in inference, where it stays. */
  update: StatisticUpdate | null;
}

/** A running average: its next value is `(1 − share)·value + share·factor·observed`. */
interface StatisticUpdate {
  /** What the batch shows. */
  readonly observed: Tensor;
  readonly factor: number;
  readonly share: number;
}

/** The last layer's name, in all models of the engine. */
export const CLASSIFIER = 'classifier';

export type Mode = 'training' | 'inference';

/** Where a network finds the weights and statistics that its layers ask for. */
export type StateSource = (name: string, shape: Shape) => Tensor;

/**
 * A network under construction: the graph that layers add their nodes to, and a list of what the layers need to keep. The
 * same layers built again, in either mode, ask for the same names, and so share weights.
 */
export class Network {
  readonly parameters: Parameter[] = [];
  readonly statistics: Statistic[] = [];
  /** What the classifier takes, once that is built: a loss may look at it. */
  features: Tensor | undefined;

  constructor(
    readonly graph: Graph,
    readonly mode: Mode,
    /** An int64 scalar that is different at every step, for dropout; null where nothing is random. */
    readonly randomKey: Tensor | null = null,
    /** By default each is an input of the graph. */
    private readonly source: StateSource = (name, shape) => graph.input(name, shape),
    /**
     * How many networks are built side by side, as one. Weights and statistics then have an axis for them in front, and so has
     * everything that a layer computes: `[pack, rows, features]`. null: one network, without that axis.
     */
    readonly pack: number | null = null,
  ) {}

  /** Everything that `build` makes is named `…/name/…`. */
  scope<Result>(name: string, build: () => Result): Result {
    return this.graph.scope(name, build);
  }

  /** Weights of the layer that is being built. */
  parameter(name: string, shape: Shape, initialise: Initialiser, options: ParameterOptions = {}): Tensor {
    const full = this.graph.nameInScope(name);
    const tensor = this.source(full, this.#forAll(shape));
    const { decays = false, rate = 1 } = options;
    this.parameters.push({ name: full, tensor, initialise, pack: this.pack, decays, rate });
    return tensor;
  }

  /** A statistic of the layer that is being built, with the same value everywhere at first. */
  statistic(name: string, shape: Shape, initial: number): Statistic {
    const full = this.graph.nameInScope(name);
    const statistic: Statistic = { name: full, tensor: this.source(full, this.#forAll(shape)), initial, update: null };
    this.statistics.push(statistic);
    return statistic;
  }

  #forAll(shape: Shape): Shape {
    return this.pack === null ? shape : [this.pack, ...shape];
  }
}

/** For layers that cannot be built for several networks at once. */
export function expectSingle({ pack, graph }: Network, layer: string): void {
  if (pack === null) return;
  throw new ShapeError(
    `${graph.nameInScope(layer)}: a pack of ${pack} networks cannot have it; expected linear layers, batch norms, dropout and embeddings`,
  );
}

/**
 * The seed of one network of a pack: it starts with the weights of a single network that has this seed. The first has the
 * pack's own.
 */
export function seedInPack(seed: number, network: number): number {
  return seed + network * 2 ** 32;
}

/** A parameter's first values, decided by the seed and its name. */
export function firstValues({ name, tensor: { shape }, initialise, pack }: Parameter, seed: number): Float32Array {
  if (pack === null) return initialise(shape, seededRandom(seed, name));
  const one = shape.slice(1);
  const values = new Float32Array(sizeOf(shape));
  for (let network = 0; network < pack; network++) {
    values.set(initialise(one, seededRandom(seedInPack(seed, network), name)), network * sizeOf(one));
  }
  return values;
}

/** A model: builds its layers in a network and returns the logits, or whatever else its outputs are, `[batch, classes]`. */
export interface Model {
  readonly name: string;
  /** Shape of one input, without the batch. */
  readonly input: Shape;
  /** How many outputs there are. */
  readonly classes: number;
  /** How many networks it is, side by side; left out: one. A pack's outputs are `[pack, batch, classes]`. */
  readonly pack?: number;
  build(network: Network, input: Tensor): Tensor;
}
