import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import type { Graph, Tensor } from '../../src/graph/graph.js';
import { onnxModel } from '../../src/onnx/model.js';
import type { FeedEntry, Program } from '../../src/training/program.js';

/** Values of an input, as many as its shape holds. */
export type Fed = readonly number[] | Float32Array | Uint8Array | Int32Array;

export type Results = Readonly<Record<string, Float32Array>>;

/** Loads a model; the function that runs it. Tests share the machine, so one thread. */
export async function load(
  model: Uint8Array,
  entries: readonly FeedEntry[],
): Promise<(feeds: Readonly<Record<string, Fed>>) => Promise<Results>> {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1 });
  return async (feeds) => {
    const tensors = entries.map((entry) => {
      const values = feeds[entry.name];
      if (values === undefined) throw new Error(`the test feeds no "${entry.name}"`);
      return [entry.name, tensorOf(entry, values)] as const;
    });
    const outputs = await session.run(Object.fromEntries(tensors));
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { data }]) => {
        if (!(data instanceof Float32Array)) throw new Error(`"${name}" is not float32`);
        return [name, data];
      }),
    );
  };
}

function tensorOf({ type, shape }: FeedEntry, values: Fed): OrtTensor {
  if (type === 'int64') return new OrtTensor('int64', BigInt64Array.from(values, BigInt), shape);
  if (type === 'int32') return new OrtTensor('int32', Int32Array.from(values), shape);
  if (type === 'uint8') return new OrtTensor('uint8', Uint8Array.from(values), shape);
  return new OrtTensor('float32', Float32Array.from(values), shape);
}

/** Computes outputs of a graph, once. */
export async function run(
  graph: Graph,
  outputs: Readonly<Record<string, Tensor>>,
  feeds: Readonly<Record<string, Fed>>,
): Promise<Results> {
  const compute = await load(
    onnxModel(graph, outputs, { name: 'test' }),
    graph.inputs.filter(({ name }) => name in feeds),
  );
  return compute(feeds);
}

/** A value that a test knows is there. */
export function known<Value>(value: Value | undefined, what = 'value'): Value {
  if (value === undefined) throw new Error(`the ${what} that the test expects is not there`);
  return value;
}

/** Trains with a program: holds its state from step to step. */
export async function trainer(program: Program) {
  const step = await load(program.training, [...program.feeds, ...entriesOf(program)]);
  const predict = await load(program.inference, [
    program.input,
    ...entriesOf(program).filter((_, i) => program.state[i]?.kind !== 'slot'),
  ]);
  const state: Record<string, Float32Array> = Object.fromEntries(
    program.state.map(({ name, initial }) => [name, initial]),
  );
  let count = 0;
  return {
    state,
    /** One step; returns the loss. */
    step: async (feeds: Readonly<Record<string, Fed>>): Promise<number> => {
      const results = await step({ step: [count], ...feeds, ...state });
      count += 1;
      for (const { name } of program.state) state[name] = known(results[`next/${name}`], name);
      return known(known(results.loss, 'loss')[0]);
    },
    probabilities: async (input: Fed): Promise<Float32Array> =>
      known((await predict({ ...state, input })).probabilities, 'probabilities'),
  };
}

function entriesOf({ state }: Program): FeedEntry[] {
  return state.map(({ name, shape }) => ({ name, shape, type: 'float32' }));
}
