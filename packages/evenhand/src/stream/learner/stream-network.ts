import {
  adamw,
  createModel,
  createProgram,
  crossEntropy,
  type Model,
  NonFiniteLossError,
  type OnnxRuntime,
  type Outputs,
  operations,
  type Program,
  ProgramSession,
  pack,
  type State,
  type StateTensor,
} from '@evenhand/engine';
import { at, float32At } from '../../checked-access.js';
import { UserError } from '../../user-error.js';
import { isBagging, replayOf, type StreamOptions } from '../options.js';
import type { ClassTargets } from './class-targets.js';

/** What a network is built for. */
export interface NetworkPlan {
  readonly options: StreamOptions;
  /** Inputs of a row, and how many codes each of the last has. */
  readonly inputs: number;
  readonly categories: readonly number[];
}

/** Rows of one learning step, as many as the plan says; those that only fill it up weigh 0. */
export interface LearningRows {
  /** `[rows, inputs]` */
  readonly inputs: Float32Array<ArrayBuffer>;
  readonly labels: Int32Array<ArrayBuffer>;
  /** `[members, rows]` */
  readonly weights: Float32Array<ArrayBuffer>;
}

/** Rows that are predicted, at most as many as are learned from in a step. */
export interface PredictedRows {
  readonly rows: number;
  /** What the network takes of each, one behind the other; there may be something else behind them. */
  readonly inputs: Float32Array;
}

/** Rows of a learning step. */
export function rowsPerStep(options: StreamOptions): number {
  return options.batch + replayOf(options);
}

/** Networks that learn side by side. */
export function membersOf(options: StreamOptions): number {
  return isBagging(options) ? options.members : 1;
}

/**
 * The program of a network for so many classes. Numbers are squashed to `z/√(1 + (z/3)²)`, below 3 in size: one absurd value cannot upset what
 * was learned.
 */
export function networkProgram(
  { options, inputs, categories }: NetworkPlan,
  classes: number,
  outputs: Outputs,
): Program {
  const { hidden, seed, weightDecay, batch } = options;
  const inner = createModel('mlp', { input: [inputs], classes, hidden, categories, logitNorm: false });
  const numbers = inputs - categories.length;
  const squashing: Model = {
    ...inner,
    build: (network, x) => {
      const { add, concat, div, mul, slice, sqrt } = operations;
      const squash = (z: typeof x) => div(z, sqrt(add(mul(mul(z, z), 1 / 9), 1)));
      if (numbers === 0) return inner.build(network, x);
      if (numbers === inputs) return inner.build(network, squash(x));
      const squashed = squash(slice(x, { axis: -1, start: 0, end: numbers }));
      const codes = slice(x, { axis: -1, start: numbers, end: inputs });
      return inner.build(network, concat([squashed, codes], x.rank - 1));
    },
  };
  const members = membersOf(options);
  return createProgram(members === 1 ? squashing : pack(squashing, members), {
    batchSize: rowsPerStep(options),
    evaluationBatch: batch,
    labels: 'indices-with-generator',
    classWeights: 'fed',
    instanceWeights: 'fed',
    logitOffsets: 'fed',
    outputs,
    loss: crossEntropy,
    optimizer: adamw({ weightDecay }),
    seed,
  });
}

/**
 * The network of a stream. It has room for more classes than are known; when that is full, it is built anew with twice the room, and the
 * weights of the known classes are kept.
 */
export class StreamNetwork {
  readonly #runtime: OnnxRuntime;
  readonly #plan: NetworkPlan;
  #session: ProgramSession;
  /** What a prediction is fed. */
  readonly #fed: Float32Array;

  private constructor(runtime: OnnxRuntime, plan: NetworkPlan, session: ProgramSession) {
    this.#runtime = runtime;
    this.#plan = plan;
    this.#session = session;
    this.#fed = new Float32Array(membersOf(plan.options) * plan.options.batch * plan.inputs);
  }

  /** @param room - classes that there is room for */
  static async create(runtime: OnnxRuntime, plan: NetworkPlan, room: number): Promise<StreamNetwork> {
    return new StreamNetwork(runtime, plan, await createSession(runtime, plan, room));
  }

  get room(): number {
    return this.#session.program.classes;
  }

  /** Makes room for classes. */
  async grow(classes: number): Promise<void> {
    let { room } = this;
    if (classes <= room) return;
    while (room < classes) room *= 2;
    const before = await this.state();
    const session = await createSession(this.#runtime, this.#plan, room);
    await session.load(widened(await session.state(), before));
    await this.#session.close();
    this.#session = session;
  }

  /**
   * Probabilities of rows that are few enough for one call, `[rows, classes]`.
   *
   * A row stands at a fixed place of a batch of fixed size: what it is given does not depend, in any bit, on which other rows came with it.
   *
   * @param first - the number of the first row, counted from the beginning of the stream
   * @param classes - that are known to the network
   */
  async predict({ rows, inputs }: PredictedRows, first: number, classes: number): Promise<Float32Array<ArrayBuffer>> {
    const { batch } = this.#plan.options;
    const [width, members, { room }] = [this.#plan.inputs, membersOf(this.#plan.options), this];
    const fed = this.#fed;
    const placeOf = (row: number) => (first + row) % batch;
    // The places are a ring: rows up to its end, then those from its beginning on.
    const untilEnd = Math.min(rows, batch - placeOf(0)) * width;
    for (let member = 0; member < members; member++) {
      fed.set(inputs.subarray(0, untilEnd), (member * batch + placeOf(0)) * width);
      fed.set(inputs.subarray(untilEnd, rows * width), member * batch * width);
    }
    const logits = await this.#session.predict(fed);
    const probabilities = new Float32Array(rows * classes);
    for (let row = 0; row < rows; row++) {
      for (let member = 0; member < members; member++) {
        const from = (member * batch + placeOf(row)) * room;
        addSoftmax(logits.subarray(from, from + classes), probabilities, row * classes, 1 / members);
      }
    }
    return probabilities;
  }

  /**
   * One step.
   *
   * @param step - counted from 0
   * @throws {@link UserError} if learning has left the finite numbers; nothing has changed then
   */
  async learn({ inputs, labels, weights }: LearningRows, targets: ClassTargets, step: number): Promise<void> {
    const members = membersOf(this.#plan.options);
    try {
      await this.#session.step({
        input: members === 1 ? inputs : repeated(inputs, members),
        labels:
          members === 1
            ? labels
            : Int32Array.from({ length: members * labels.length }, (_, i) => at(labels, i % labels.length)),
        instanceWeights: weights,
        generator: targets.generator,
        classWeights: targets.classWeights,
        logitOffsets: targets.logitOffsets,
        learningRate: this.#plan.options.learningRate,
        step,
      });
    } catch (error) {
      if (!(error instanceof NonFiniteLossError)) throw error;
      throw new UserError(
        `learning has diverged at step ${step}: the loss is ${error.loss}; start again with a lower learningRate, or a lower enhancementRate`,
        { cause: error },
      );
    }
  }

  /** Weights and what the optimizer keeps. */
  state(): Promise<State> {
    return this.#session.state();
  }

  /** Goes on from a saved state of the same room. */
  load(state: Parameters<ProgramSession['load']>[0]): Promise<void> {
    return this.#session.load(state);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

function createSession(runtime: OnnxRuntime, plan: NetworkPlan, room: number): Promise<ProgramSession> {
  // One thread: networks this small gain nothing by more, and the bytes do not depend on the machine's processors.
  return ProgramSession.create(runtime, networkProgram(plan, room, 'raw'), { threads: 1 });
}

/**
 * A state with the weights of another one that has fewer classes, or of its first classes where it has more.
 *
 * @param wanted - the shapes, and the values of what is new
 */
export function widened(wanted: State, known: State): State {
  return new Map(
    Array.from(wanted, ([name, tensor]): [string, StateTensor] => {
      const before = known.get(name);
      if (before === undefined) throw new Error(`internal: the network has no "${name}"`);
      const [to, from] = [tensor.shape.at(-1) ?? 1, before.shape.at(-1) ?? 1];
      const data = tensor.data.slice();
      const shared = Math.min(to, from);
      for (let row = 0; row < data.length / to; row++) {
        data.set(before.data.subarray(row * from, row * from + shared), row * to);
      }
      return [name, { shape: tensor.shape, data }];
    }),
  );
}

function addSoftmax(logits: Float32Array, into: Float32Array, offset: number, share: number): void {
  let highest = Number.NEGATIVE_INFINITY;
  for (let q = 0; q < logits.length; q++) highest = Math.max(highest, float32At(logits, q));
  let sum = 0;
  for (let q = 0; q < logits.length; q++) sum += Math.exp(float32At(logits, q) - highest);
  for (let q = 0; q < logits.length; q++) {
    const probability = Math.exp(float32At(logits, q) - highest) / sum;
    into[offset + q] = float32At(into, offset + q) + share * probability;
  }
}

function repeated(values: Float32Array, times: number): Float32Array {
  const result = new Float32Array(times * values.length);
  for (let i = 0; i < times; i++) result.set(values, i * values.length);
  return result;
}
