import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import type { Graph, Tensor } from '../../src/graph/graph.js';
import { onnxModel } from '../../src/onnx/model.js';
import { initialState, packState, unpackState } from '../../src/runtime/state.js';
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
  const vectors = packState(program.state, initialState(program.state));
  const entriesOf = (names: Iterable<string>): FeedEntry[] =>
    Array.from(names, (name) => ({ name, shape: [known(vectors.get(name)).length], type: 'float32' }));
  const kept = program.state.filter(({ kind }) => kind !== 'slot').map(({ vector }) => vector);
  const step = await load(program.training, [...program.feeds, ...entriesOf(vectors.keys())]);
  const predict = await load(program.inference, [program.input, ...entriesOf(new Set(kept))]);
  const state: Record<string, Float32Array> = {};
  const show = () => {
    for (const [name, { data }] of unpackState(program.state, vectors)) state[name] = data;
  };
  show();
  let count = 0;
  return {
    state,
    /** One step; returns the loss. */
    step: async (feeds: Readonly<Record<string, Fed>>): Promise<number> => {
      const results = await step({ step: [count], ...feeds, ...Object.fromEntries(vectors) });
      count += 1;
      for (const name of vectors.keys()) vectors.set(name, known(results[`next/${name}`], name));
      show();
      return known(known(results.loss, 'loss')[0]);
    },
    probabilities: async (input: Fed): Promise<Float32Array> =>
      known((await predict({ ...Object.fromEntries(vectors), input })).probabilities, 'probabilities'),
  };
}
