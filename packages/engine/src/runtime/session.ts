import type { Tensor } from 'onnxruntime-common';
import { at } from '../checked-access.js';
import { sizeOf, type TensorData } from '../graph/tensor.js';
import type { Program } from '../training/program.js';
import { ClosedError, DeviceError, NonFiniteLossError } from './errors.js';
import { type CheckedFeed, checkFeeds, countRows } from './feeds.js';
import {
  createSession,
  type DeviceOptions,
  type OnnxRuntime,
  type OnnxSession,
  type OnnxTensors,
} from './onnx-runtime.js';
import { checkState, initialState, packState, unpackState } from './state.js';
import { detectTarget } from './target.js';
import type { Feeds, State, Training } from './training.js';

/**
 * A program at work in this thread: its two ONNX Runtime sessions and its state. The same code runs with onnxruntime-node
 * and with onnxruntime-web. In Node a run blocks the event loop; a `Trainer` runs one of these in a worker thread.
 */
export class ProgramSession implements Training {
  readonly program: Program;
  readonly #runtime: OnnxRuntime;
  readonly #training: OnnxSession;
  readonly #inference: OnnxSession;
  /** The vectors of the state. */
  #state: ReadonlyMap<string, Tensor>;
  #steps = 0;
  #closed = false;
  /** Settles when the last call that was made has; the next one waits for it. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(runtime: OnnxRuntime, program: Program, training: OnnxSession, inference: OnnxSession) {
    this.#runtime = runtime;
    this.program = program;
    this.#training = training;
    this.#inference = inference;
    this.#state = this.#vectors(initialState(program.state));
  }

  /**
   * Creates both sessions, once: creation is slow.
   *
   * @param runtime - the module `onnxruntime-node` or `onnxruntime-web`
   * @throws {@link DeviceError} if the device is not there
   */
  static async create(runtime: OnnxRuntime, program: Program, options: DeviceOptions = {}): Promise<ProgramSession> {
    await checkTarget(runtime, program, options);
    const sessions: OnnxSession[] = [];
    const create = async (model: Uint8Array) => {
      const session = await createSession(runtime, model, options);
      sessions.push(session);
      return session;
    };
    try {
      const training = await create(program.training);
      const inference = await create(program.inference);
      checkModels(program, training, inference);
      return new ProgramSession(runtime, program, training, inference);
    } catch (error) {
      for (const session of sessions) await session.release();
      throw error;
    }
  }

  /** {@inheritDoc Training.step} The arrays must not change until the step has finished. */
  async step(feeds: Feeds): Promise<number> {
    const checked = checkFeeds(this.program, feeds);
    return this.#enqueue(() => this.#step(checked));
  }

  /** {@inheritDoc Training.steps} */
  async steps(batches: readonly Feeds[]): Promise<readonly number[]> {
    const checked = batches.map((feeds) => checkFeeds(this.program, feeds));
    return this.#enqueue(async () => {
      const losses: number[] = [];
      for (const feeds of checked) losses.push(await this.#step(feeds));
      return losses;
    });
  }

  /** {@inheritDoc Training.predict} */
  async predict(rows: TensorData): Promise<Float32Array<ArrayBuffer>> {
    const count = countRows(this.program.input, rows);
    return this.#enqueue(() => this.#predict(rows, count));
  }

  /** {@inheritDoc Training.state} */
  async state(): Promise<State> {
    return this.#enqueue(async () => {
      const vectors = Array.from(this.#state, async ([name, tensor]) => [name, await floats(tensor)] as const);
      return unpackState(this.program.state, new Map(await Promise.all(vectors)));
    });
  }

  /** {@inheritDoc Training.load} */
  async load(state: Parameters<Training['load']>[0]): Promise<void> {
    const checked = checkState(this.program.state, state);
    return this.#enqueue(async () => this.#replaceState(this.#vectors(checked)));
  }

  /** {@inheritDoc Training.close} */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#queue;
    this.#replaceState(new Map());
    await this.#training.release();
    await this.#inference.release();
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(() => {
      if (this.#closed) throw new ClosedError('the session is closed; create another one to go on');
      return task();
    });
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #step(feeds: readonly CheckedFeed[]): Promise<number> {
    const number = stepNumber(feeds) ?? this.#steps;
    const fed = feeds.map(
      ({ name, type, data, shape }) => [name, new this.#runtime.Tensor(type, data, shape)] as const,
    );
    const outputs = await this.#training.run(Object.fromEntries([...this.#state, ...fed]));
    const value = at(await floats(outputOf(outputs, 'loss')), 0);
    if (!Number.isFinite(value)) {
      for (const output of Object.values(outputs)) output.dispose();
      throw new NonFiniteLossError(number, value);
    }
    this.#replaceState(new Map(Array.from(this.#state.keys(), (name) => [name, outputOf(outputs, `next/${name}`)])));
    outputOf(outputs, 'loss').dispose();
    this.#steps++;
    return value;
  }

  async #predict(rows: TensorData, count: number): Promise<Float32Array<ArrayBuffer>> {
    const { input, evaluationBatch, classes } = this.program;
    const predicted = new Float32Array(count * classes);
    const rowSize = sizeOf(input.shape.slice(1));
    for (let start = 0; start < count; start += evaluationBatch) {
      const end = Math.min(start + evaluationBatch, count);
      const data = padded(rows.subarray(start * rowSize, end * rowSize), evaluationBatch * rowSize);
      const batch = new this.#runtime.Tensor(input.type, data, input.shape);
      const inputs = [...this.#state].filter(([name]) => this.#inference.inputNames.includes(name));
      const outputs = await this.#inference.run(Object.fromEntries([...inputs, [input.name, batch]]));
      const output = outputOf(outputs, this.program.outputs);
      predicted.set((await floats(output)).subarray(0, (end - start) * classes), start * classes);
      output.dispose();
    }
    return predicted;
  }

  #replaceState(state: ReadonlyMap<string, Tensor>): void {
    for (const tensor of this.#state.values()) tensor.dispose();
    this.#state = state;
  }

  #vectors(state: State): Map<string, Tensor> {
    const vectors = packState(this.program.state, state);
    return new Map(
      Array.from(vectors, ([name, data]) => [name, new this.#runtime.Tensor('float32', data, [data.length])]),
    );
  }
}

/** Blocks of another size would not fail, but compute something else. */
async function checkTarget(
  runtime: OnnxRuntime,
  { target }: Program,
  { device = 'cpu' }: DeviceOptions,
): Promise<void> {
  if (target.channelBlock === null) return;
  const here = device === 'cpu' ? await detectTarget(runtime) : { channelBlock: null };
  if (here.channelBlock !== target.channelBlock) {
    throw new DeviceError(
      `the program was made for channels in blocks of ${target.channelBlock}, but "${device}" of this machine has ` +
        `${here.channelBlock === null ? 'none' : `blocks of ${here.channelBlock}`}; create it with the target that detectTarget finds here`,
    );
  }
}

/** The program's description and its models come from one place; a difference is a bug there. */
function checkModels({ state, feeds, input, outputs }: Program, training: OnnxSession, inference: OnnxSession): void {
  const expect = (model: string, kind: string, names: readonly string[], known: readonly string[]) => {
    const missing = names.find((name) => !known.includes(name));
    if (missing !== undefined) {
      throw new Error(`internal: the ${model} model and its program do not agree on the ${kind} "${missing}"`);
    }
  };
  const names = [...new Set(state.map(({ vector }) => vector))];
  const kept = state.filter(({ kind }) => kind !== 'slot').map(({ vector }) => vector);
  expect('training', 'input', training.inputNames, [...names, ...feeds.map(({ name }) => name)]);
  expect('training', 'input', [...names, ...feeds.map(({ name }) => name)], training.inputNames);
  expect('training', 'output', ['loss', ...names.map((name) => `next/${name}`)], training.outputNames);
  expect('inference', 'input', inference.inputNames, [...kept, input.name]);
  expect('inference', 'output', [outputs], inference.outputNames);
}

function stepNumber(feeds: readonly CheckedFeed[]): number | undefined {
  const value = feeds.find(({ name }) => name === 'step')?.data[0];
  return value === undefined ? undefined : Number(value);
}

function padded(data: TensorData, size: number): TensorData {
  if (data.length === size) return data;
  if (data instanceof BigInt64Array) {
    const whole = new BigInt64Array(size);
    whole.set(data);
    return whole;
  }
  const Whole = data instanceof Float32Array ? Float32Array : data instanceof Int32Array ? Int32Array : Uint8Array;
  const whole = new Whole(size);
  whole.set(data);
  return whole;
}

async function floats(tensor: Tensor): Promise<Float32Array> {
  const data = await tensor.getData();
  if (!(data instanceof Float32Array)) throw new Error(`internal: a model gave ${tensor.type}; expected float32`);
  return data;
}

function outputOf(tensors: OnnxTensors, name: string): Tensor {
  const tensor = tensors[name];
  if (tensor === undefined) throw new Error(`internal: the model gave no "${name}"`);
  return tensor;
}
