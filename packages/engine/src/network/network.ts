import type { Graph, Tensor } from '../graph/graph.js';
import type { Shape } from '../graph/tensor.js';
import type { Initialiser } from './initialisers.js';

/** Weights that are learned. */
export interface Parameter {
  /** Scopes and name, joined by `/`: `block1/conv2/weight`. */
  readonly name: string;
  readonly tensor: Tensor;
  readonly initialise: Initialiser;
  /** Whether weight decay pulls at it: not at biases and norms. */
  readonly decays: boolean;
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

  constructor(
    readonly graph: Graph,
    readonly mode: Mode,
    /** An int64 scalar that is different at every step, for dropout; null where nothing is random. */
    readonly randomKey: Tensor | null = null,
    /** By default each is an input of the graph. */
    private readonly source: StateSource = (name, shape) => graph.input(name, shape),
  ) {}

  /** Everything that `build` makes is named `…/name/…`. */
  scope<Result>(name: string, build: () => Result): Result {
    return this.graph.scope(name, build);
  }

  /** Weights of the layer that is being built. */
  parameter(name: string, shape: Shape, initialise: Initialiser, { decays = false } = {}): Tensor {
    const full = this.graph.nameInScope(name);
    const tensor = this.source(full, shape);
    this.parameters.push({ name: full, tensor, initialise, decays });
    return tensor;
  }

  /** A statistic of the layer that is being built, with the same value everywhere at first. */
  statistic(name: string, shape: Shape, initial: number): Statistic {
    const full = this.graph.nameInScope(name);
    const statistic: Statistic = { name: full, tensor: this.source(full, shape), initial, update: null };
    this.statistics.push(statistic);
    return statistic;
  }
}

/** A model: builds its layers in a network and returns the logits, or whatever else its outputs are, `[batch, classes]`. */
export interface Model {
  readonly name: string;
  /** Shape of one input, without the batch. */
  readonly input: Shape;
  /** How many outputs there are. */
  readonly classes: number;
  build(network: Network, input: Tensor): Tensor;
}
