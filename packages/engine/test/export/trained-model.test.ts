import * as onnxRuntime from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as engine from '../../src/index.js';
import { lenetFeeds, lenetProgram, lenetRows } from '../runtime/lenet.js';
import { predictWithFile } from '../runtime/predict-with-file.js';

const { exportModel, ProgramSession, StateError, stateOfModel } = engine;
const program = lenetProgram(engine, 5);
const kept = program.state.filter(({ kind }) => kind !== 'slot').map(({ name }) => name);
const opened: engine.ProgramSession[] = [];

async function open(of = program): Promise<engine.ProgramSession> {
  const session = await ProgramSession.create(onnxRuntime, of, { threads: 1 });
  opened.push(session);
  return session;
}

describe('a trained model in one file', () => {
  let trained: engine.ProgramSession;
  let state: engine.State;
  let file: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    trained = await open();
    for (let step = 0; step < 5; step++) await trained.step(lenetFeeds(step));
    state = await trained.state();
    file = exportModel(program, state, { classNames: Array.from({ length: 10 }, (_, i) => `${i}`) });
  });
  afterAll(async () => {
    for (const session of opened) await session.close();
  });

  it('gives the probabilities that training predicts', async () => {
    const predicted = (await trained.predict(lenetRows())).slice(0, program.evaluationBatch * program.classes);
    const probabilities = await predictWithFile(onnxRuntime, file, program.input, lenetRows());
    expect(probabilities).toHaveLength(predicted.length);
    for (const [i, value] of predicted.entries()) expect(Math.abs((probabilities[i] ?? 2) - value)).toBeLessThan(1e-5);
  });

  it.each([
    ['an array', (bytes: Uint8Array) => bytes],
    [
      'a Buffer in the middle of other memory',
      (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(5), bytes]).subarray(5),
    ],
  ])('gives back its parameters and statistics from %s, bit for bit, and nothing else', (_, given) => {
    const weights = stateOfModel(given(file));
    expect([...weights.keys()].sort()).toEqual([...kept].sort());
    for (const name of kept) expect(weights.get(name)).toEqual(state.get(name));
    expect(new Set(program.state.map(({ kind }) => kind))).toEqual(new Set(['parameter', 'statistic', 'slot']));
  });

  it("continues in another session, with that session's slots", async () => {
    const other = await open(lenetProgram(engine, 6));
    const before = await other.predict(lenetRows());
    await other.load(new Map([...(await other.state()), ...stateOfModel(file)]));
    const after = await other.predict(lenetRows());
    expect(after).not.toEqual(before);
    expect(after).toEqual(await trained.predict(lenetRows()));
    expect(await other.step(lenetFeeds(5))).toBe(await trained.step(lenetFeeds(5)));
  });

  it('is refused as a whole state, for it has no slots', async () => {
    const loading = trained.load(stateOfModel(file));
    await expect(loading).rejects.toThrow(StateError);
    await expect(loading).rejects.toThrow(/^the weights do not fit the program: "slot\/.+" is missing, expected \[/);
  });

  it('is not written from a state that lacks an entry or has one of another size', () => {
    const [name = ''] = kept;
    const without = new Map([...state].filter(([other]) => other !== name));
    const shorter = new Map([...state, [name, { shape: [3], data: new Float32Array(3) }]]);
    const transposed = new Map([
      ...state,
      ['fc1/weight', { shape: [120, 400], data: new Float32Array(48_000) }] as const,
    ]);
    const message = (of: string, received: string) =>
      `"${of} belongs to the model, received ${received}; give a state of this program`;
    const first = 'conv1/weight" of shape [6, 1, 5, 5]';
    expect(() => exportModel(program, without)).toThrow(new StateError(message(first, 'nothing')));
    expect(() => exportModel(program, shorter)).toThrow(new StateError(message(first, '[3]')));
    expect(() => exportModel(program, transposed)).toThrow(
      new StateError(message('fc1/weight" of shape [400, 120]', '[120, 400]')),
    );
  });
});

it('keeps what a model itself reshapes its vectors to', async () => {
  const { operations } = engine;
  const biased: engine.Model = {
    name: 'biased',
    input: [3, 2, 2],
    classes: 3,
    build: (network, x) => {
      const bias = network.parameter('bias', [3], () => Float32Array.of(0, 1, 2));
      return operations.mean(operations.add(x, operations.reshape(bias, [3, 1, 1])), { axes: [2, 3] });
    },
  };
  const small = engine.createProgram(biased, {
    ...{ batchSize: 2, evaluationBatch: 2, loss: engine.crossEntropy, optimizer: engine.sgd() },
    ...{ labels: 'indices' as const, seed: 1 },
  });
  const session = await open(small);
  const rows = Float32Array.from({ length: 24 }, (_, i) => (i % 5) / 5);
  const predicted = await session.predict(rows);
  const fromFile = await predictWithFile(onnxRuntime, exportModel(small, await session.state()), small.input, rows);
  for (const [i, value] of predicted.entries()) expect(fromFile[i]).toBeCloseTo(value, 6);
  expect(predicted[2]).toBeGreaterThan(0.5);
  await session.close();
});
