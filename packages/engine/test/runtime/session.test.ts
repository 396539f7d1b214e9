import * as onnxRuntime from 'onnxruntime-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClosedError, DeviceError, FeedError, NonFiniteLossError, StateError } from '../../src/runtime/errors.js';
import { ProgramSession } from '../../src/runtime/session.js';
import { linearByHand, linearFeeds, linearProgram } from './programs.js';

const program = linearProgram();
let session: ProgramSession;

beforeEach(async () => {
  session = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
});
afterEach(() => session.close());

async function weights(of = session): Promise<Record<string, number[]>> {
  return Object.fromEntries(Array.from(await of.state(), ([name, { data }]) => [name, [...data]]));
}

describe('step', () => {
  it('computes what the same training by hand computes', async () => {
    const expected = linearByHand(5);
    const losses: number[] = [];
    for (let step = 0; step < 5; step++) losses.push(await session.step(linearFeeds(step)));
    const state = await session.state();
    const close = (received: ArrayLike<number> | undefined, values: readonly number[]) => {
      expect(received).toHaveLength(values.length);
      for (const [i, value] of values.entries()) expect(received?.[i]).toBeCloseTo(value, 5);
    };
    close(losses, expected.losses);
    close(state.get('layer/w')?.data, expected.w);
    close(state.get('layer/b')?.data, expected.b);
    close(state.get('average')?.data, expected.average);
  });

  it('queues steps that are not awaited, in their order', async () => {
    const losses = await Promise.all([0, 1, 2, 3].map((step) => session.step(linearFeeds(step))));
    const other = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
    for (let step = 0; step < 4; step++) expect(await other.step(linearFeeds(step))).toBe(losses[step]);
    expect(await weights(other)).toEqual(await weights());
    await other.close();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'fault 14: names the step whose loss is not finite because of %d and keeps the state',
    async (value) => {
      await session.step(linearFeeds(0));
      const before = await weights();
      const feeds = linearFeeds(1);
      feeds.input[3] = value;
      const failure = session.step({ ...feeds, step: 41 });
      await expect(failure).rejects.toThrow(NonFiniteLossError);
      await expect(failure).rejects.toMatchObject({ step: 41 });
      await expect(failure).rejects.toThrow(/^the loss of step 41 is (NaN|Infinity); expected a finite number/);
      expect(await weights()).toEqual(before);
      expect(await session.step(linearFeeds(1))).toBeGreaterThan(0);
    },
  );

  it('leaves the program and the feeds as they are', async () => {
    const feeds = linearFeeds(0);
    const initial = program.state.map((entry) => [...entry.initial]);
    await session.step(feeds);
    expect(feeds).toEqual(linearFeeds(0));
    expect(program.state.map((entry) => [...entry.initial])).toEqual(initial);
  });

  it.each([
    ['missing', { input: undefined }, 'the feed "input" is missing; expected float32[4, 2]'],
    ['unknown', { inputs: 1 }, '"inputs" is not a feed of this program; expected input, labelRows, learningRate, step'],
    ['too short', { input: new Float32Array(7) }, 'the feed "input" has 7 values; expected 8, for float32[4, 2]'],
    [
      'of another type',
      { input: new Int32Array(8) },
      'the feed "input" is an Int32Array; expected a Float32Array, for float32[4, 2]',
    ],
    ['a number for a matrix', { input: 1 }, 'the feed "input" is 1; expected a Float32Array, for float32[4, 2]'],
    [
      'a rate that is NaN',
      { learningRate: Number.NaN },
      'the feed "learningRate" is NaN; expected a finite number, for float32[]',
    ],
    ['half a step', { step: 0.5 }, 'the feed "step" is 0.5; expected an integer, for int64[]'],
  ])('refuses a feed that is %s before anything runs', async (_, wrong, message) => {
    const before = await weights();
    const { input, labelRows, learningRate, step } = { ...linearFeeds(0), ...wrong };
    const feeds = {
      labelRows,
      learningRate,
      step,
      ...(input === undefined ? {} : { input }),
      ...('inputs' in wrong ? wrong : {}),
    };
    await expect(session.step(feeds)).rejects.toThrow(new FeedError(message));
    expect(await weights()).toEqual(before);
  });
});

describe('predict', () => {
  it.each([0, 1, 2, 3, 4, 7])('predicts %d rows, whatever the batch', async (count) => {
    await session.step(linearFeeds(0));
    const rows = Float32Array.from({ length: count * 2 }, (_, i) => i + 1);
    const { 'layer/w': w = [], 'layer/b': b = [] } = await weights();
    const probabilities = await session.predict(rows);
    expect(probabilities).toHaveLength(count * 3);
    for (const [i, value] of probabilities.entries()) {
      const [x0 = 0, x1 = 0] = rows.slice(Math.floor(i / 3) * 2);
      expect(value).toBeCloseTo(x0 * (w[i % 3] ?? 0) + x1 * (w[3 + (i % 3)] ?? 0) + (b[i % 3] ?? 0), 5);
    }
  });

  it('refuses half a row, and rows of another type', async () => {
    await expect(session.predict(new Float32Array(5))).rejects.toThrow(
      new FeedError('the rows to predict have 5 values in all; expected a multiple of 2, for rows of float32[2]'),
    );
    await expect(session.predict(new Uint8Array(4))).rejects.toThrow(/is a Uint8Array; expected a Float32Array/);
  });
});

describe('state', () => {
  it('fault 4: continues bit for bit from a state that was saved', async () => {
    for (let step = 0; step < 3; step++) await session.step(linearFeeds(step));
    const other = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
    await other.load(await session.state());
    for (let step = 3; step < 6; step++)
      expect(await other.step(linearFeeds(step))).toBe(await session.step(linearFeeds(step)));
    expect(await weights(other)).toEqual(await weights());
    await other.close();
  });

  it('is a copy', async () => {
    const saved = await session.state();
    saved.get('layer/w')?.data.fill(9);
    expect((await weights())['layer/w']).not.toContain(9);
    await session.load(saved);
    saved.get('layer/w')?.data.fill(7);
    expect((await weights())['layer/w']).toEqual([9, 9, 9, 9, 9, 9]);
  });

  it('lists what does not fit, and loads nothing', async () => {
    const before = await weights();
    const state = new Map<string, { shape: readonly number[]; data: ArrayBufferView }>(await session.state());
    state.set('layer/w', { shape: [3, 2], data: new Float32Array(6).fill(5) });
    state.set('layer/b', { shape: [3], data: new Float32Array(3).fill(5) });
    state.set('average', { shape: [2], data: new Float64Array(2) });
    state.delete('slot/velocity/layer/w');
    state.set('__proto__', { shape: [1], data: new Float32Array(1) });
    await expect(session.load(state)).rejects.toThrow(
      new StateError(
        'the weights do not fit the program: "layer/w" has shape [3, 2], expected [2, 3]; "average" is a Float64Array, ' +
          'expected a Float32Array; "slot/velocity/layer/w" is missing, expected [2, 3]; "__proto__" is not part of this ' +
          'program. Nothing was loaded; load weights that were saved from the same model, with the same optimizer',
      ),
    );
    expect(await weights()).toEqual(before);
  });
});

describe('create and close', () => {
  it('says which device is not there', async () => {
    const failure = ProgramSession.create(onnxRuntime, program, {
      device: process.platform === 'win32' ? 'coreml' : 'dml',
    });
    await expect(failure).rejects.toThrow(DeviceError);
    await expect(failure).rejects.toThrow(
      /^the device "\w+" cannot be used; expected one that this build of ONNX Runtime knows: cpu.*The device "cpu" always works$/,
    );
  });

  it('refuses a number of threads that is none', async () => {
    await expect(ProgramSession.create(onnxRuntime, program, { threads: 0 })).rejects.toThrow(
      new RangeError('threads is 0; expected an integer of at least 1'),
    );
  });

  it('refuses models that differ from their description', async () => {
    const state = program.state.filter(({ name }) => name !== 'average');
    await expect(ProgramSession.create(onnxRuntime, { ...program, state })).rejects.toThrow(
      'internal: the training model and its program do not agree on the input "statistics"',
    );
  });

  it('rejects calls that wait and calls that come later', async () => {
    const first = session.step(linearFeeds(0));
    const closing = session.close();
    await expect(first).rejects.toThrow(ClosedError);
    await closing;
    await expect(session.state()).rejects.toThrow(
      new ClosedError('the session is closed; create another one to go on'),
    );
    await session.close();
  });
});
