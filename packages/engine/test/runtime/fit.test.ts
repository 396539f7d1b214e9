import * as onnxRuntime from 'onnxruntime-node';
import { afterEach, describe, expect, it } from 'vitest';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import { squaredError } from '../../src/losses/squared-error.js';
import { createModel } from '../../src/models/registry.js';
import { normal, seededRandom } from '../../src/network/random.js';
import { adam } from '../../src/optimizers/adam.js';
import { sgd } from '../../src/optimizers/sgd.js';
import { FeedError } from '../../src/runtime/errors.js';
import { fit } from '../../src/runtime/fit.js';
import { ProgramSession } from '../../src/runtime/session.js';
import type { Feeds } from '../../src/runtime/training.js';
import { createProgram } from '../../src/training/create-program.js';
import type { ProgramOptions } from '../../src/training/program-options.js';

const OPTIONS: ProgramOptions = {
  batchSize: 4,
  loss: crossEntropy,
  optimizer: sgd(),
  labels: 'indices',
  seed: 1,
};
const MODEL = createModel('mlp', { input: [2], classes: 2, hidden: [], logitNorm: false });

const open: ProgramSession[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

async function start(options: Partial<ProgramOptions> = {}) {
  const session = await ProgramSession.create(onnxRuntime, createProgram(MODEL, { ...OPTIONS, ...options }), {
    threads: 1,
  });
  open.push(session);
  return session;
}

/** The same training, and all that it was fed. */
async function watched(options: Partial<ProgramOptions> = {}) {
  const session = await start(options);
  const fed: Feeds[] = [];
  const { program } = session;
  const training: Parameters<typeof fit>[0] = {
    program,
    step: (feeds) => session.step(feeds),
    steps: (batches) => {
      fed.push(...batches);
      return session.steps(batches);
    },
    predict: (rows) => session.predict(rows),
    state: () => session.state(),
    load: (state) => session.load(state),
    close: () => session.close(),
  };
  return { training, fed };
}

/** Rows `(i, −i)` of class `i mod 2`. */
function numbered(count: number) {
  return {
    inputs: Float32Array.from({ length: 2 * count }, (_, k) => (k % 2 === 0 ? k / 2 : -(k - 1) / 2)),
    labels: Int32Array.from({ length: count }, (_, i) => i % 2),
  };
}

const rowsOf = (feeds: readonly Feeds[]) =>
  feeds.map(({ input, labels }) => {
    if (!(input instanceof Float32Array && labels instanceof Int32Array)) throw new Error('not what was fed');
    return Array.from(labels, (label, i) => {
      expect(input[2 * i + 1]).toBeCloseTo(-(input[2 * i] ?? Number.NaN));
      expect(label).toBe((input[2 * i] ?? Number.NaN) % 2);
      return input[2 * i];
    });
  });

describe('fit', () => {
  it('learns two clouds, and returns the mean loss of every epoch', async () => {
    const random = normal(seededRandom(1, 'clouds'));
    const labels = Int32Array.from({ length: 101 }, (_, i) => i % 2);
    const inputs = Float32Array.from({ length: 202 }, (_, k) => random() + 4 * (labels[k >> 1] ?? 0));
    const training = await start({ optimizer: adam() });
    const told: number[] = [];
    const results = await fit(
      training,
      { inputs, labels },
      { epochs: 20, learningRate: 0.05, shuffleSeed: 1, onEpoch: ({ epoch }) => void told.push(epoch) },
    );
    expect(told).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(results.map(({ epoch }) => epoch)).toEqual(told);
    expect(results.at(-1)?.loss).toBeLessThan((results[0]?.loss ?? 0) / 3);
    const probabilities = await training.predict(inputs);
    const right = labels.filter((label, i) => Number((probabilities[2 * i + 1] ?? 0) > 0.5) === label).length;
    expect(right).toBeGreaterThan(95);
  });

  it('shows every instance of an epoch once, in another order each time, and fills up the last batch', async () => {
    const { training, fed } = await watched();
    await fit(training, numbered(10), { epochs: 2, learningRate: 0, shuffleSeed: 3 });
    const batches = rowsOf(fed);
    expect(batches.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4]);
    const [first, second] = [batches.slice(0, 3).flat(), batches.slice(3).flat()];
    for (const epoch of [first, second]) {
      expect([...epoch.slice(0, 10)].sort((a, b) => Number(a) - Number(b))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(epoch.slice(10)).toEqual(epoch.slice(0, 2));
    }
    expect(second).not.toEqual(first);
    expect(first.slice(0, 10)).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('leaves the order as it is without a seed, and a batch that is not full away where told so', async () => {
    const { training, fed } = await watched();
    await fit(training, numbered(10), { epochs: 1, learningRate: 0, shuffleSeed: null, incomplete: 'drop' });
    expect(rowsOf(fed)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });

  it('takes fewer rows than a batch', async () => {
    const { training, fed } = await watched();
    await fit(training, numbered(3), { epochs: 1, learningRate: 0, shuffleSeed: null });
    expect(rowsOf(fed)).toEqual([[0, 1, 2, 0]]);
    const drop = fit(training, numbered(3), { epochs: 1, learningRate: 0, shuffleSeed: null, incomplete: 'drop' });
    await expect(drop).rejects.toThrow(
      new FeedError("3 rows do not fill a batch of 4; expected more of them, or incomplete: 'pad'"),
    );
  });

  it('counts steps for the schedule and goes on where another call stopped: the same weights as in one', async () => {
    const learningRate = (step: number) => 0.1 / (1 + step);
    const [whole, parts] = [await watched({ optimizer: adam() }), await watched({ optimizer: adam() })];
    await fit(whole.training, numbered(10), { epochs: 4, learningRate, shuffleSeed: 1 });
    await fit(parts.training, numbered(10), { epochs: 3, learningRate, shuffleSeed: 1 });
    await fit(parts.training, numbered(10), { epochs: 1, firstEpoch: 3, learningRate, shuffleSeed: 1 });
    expect(whole.fed.map(({ step, learningRate: rate }) => [step, rate])).toEqual(
      Array.from({ length: 12 }, (_, step) => [step, learningRate(step)]),
    );
    expect(await parts.training.state()).toEqual(await whole.training.state());
  });

  it('passes on what else a program is fed, anew for every epoch', async () => {
    const { training, fed } = await watched({ labels: 'indices-with-generator' });
    const generator = (epoch: number) => Float32Array.of(1 + epoch, -epoch, 0, 1);
    await fit(training, numbered(8), {
      epochs: 2,
      learningRate: 0,
      shuffleSeed: 1,
      feeds: (epoch) => ({ generator: generator(epoch) }),
    });
    expect(fed.map((feeds) => feeds.generator)).toEqual([0, 0, 1, 1].map(generator));
  });

  it('takes rows of targets where the program does', async () => {
    const training = await start({ labels: 'rows', loss: squaredError, outputs: 'raw' });
    const { inputs } = numbered(6);
    const labels = Float32Array.from(inputs, (value) => value / 10);
    await fit(training, { inputs, labels }, { epochs: 2000, learningRate: 0.02, shuffleSeed: 1 });
    const predicted = await training.predict(inputs);
    predicted.forEach((value, i) => {
      expect(value).toBeCloseTo(labels[i] ?? Number.NaN, 2);
    });
  });

  it.each([
    [
      { inputs: new Float32Array(8), labels: new Int32Array(3) },
      'the labels have 3 values; expected 4, one for each of 4 rows',
    ],
    [
      { inputs: new Float32Array(7), labels: new Int32Array(3) },
      'the inputs have 7 values in all; expected a multiple of 2',
    ],
    [{ inputs: new Float32Array(), labels: new Int32Array() }, 'there are no rows to train on'],
    [
      { inputs: new Uint8Array(8), labels: new Int32Array(4) },
      'the feed "input" is a Uint8Array; expected a Float32Array',
    ],
    [
      { inputs: new Float32Array(8), labels: new Float32Array(4) },
      'the feed "labels" is a Float32Array; expected an Int32Array',
    ],
  ])('refuses data that do not fit the program: %#', async (data, message) => {
    const training = await start();
    await expect(fit(training, data, { epochs: 1, learningRate: 0.1, shuffleSeed: 1 })).rejects.toThrow(message);
  });

  it('refuses labels that do not fit rows of targets', async () => {
    const training = await start({ labels: 'rows' });
    const data = { inputs: new Float32Array(8), labels: new Float32Array(4) };
    await expect(fit(training, data, { epochs: 1, learningRate: 0.1, shuffleSeed: 1 })).rejects.toThrow(
      new FeedError('the labels have 4 values; expected 8, 2 numbers for each of 4 rows'),
    );
  });
});
