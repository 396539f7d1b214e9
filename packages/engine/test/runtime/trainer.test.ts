import { execFile } from 'node:child_process';
import { serialize } from 'node:v8';
import * as onnxRuntime from 'onnxruntime-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import { mlp } from '../../src/models/mlp.js';
import { sgd } from '../../src/optimizers/sgd.js';
import { ProgramSession } from '../../src/runtime/session.js';
import type { Trainer } from '../../src/runtime/trainer.js';
import { createProgram } from '../../src/training/create-program.js';
import type { Program } from '../../src/training/program.js';
import { linearFeeds, linearProgram } from './programs.js';
import { TranspiledEngine } from './transpiled-engine.js';

const program = linearProgram();
/** Some 6 ms a step on two slow cores. */
const LARGE = { batch: 256, evaluationBatch: 256, features: 1024, classes: 512 };
const large = linearProgram(LARGE);
const largeFeeds = linearFeeds(0, LARGE);

let engine: TranspiledEngine;
let errors: typeof import('../../src/runtime/errors.js');
let trainerModule: typeof import('../../src/runtime/trainer.js');
const started: Trainer[] = [];

beforeAll(async () => {
  engine = new TranspiledEngine();
  errors = await import(engine.url('runtime/errors.js'));
  trainerModule = await import(engine.url('runtime/trainer.js'));
});
afterAll(() => engine.remove());
afterEach(async () => {
  for (const trainer of started.splice(0)) await trainer.close();
});

async function start(of: Program = program, threads = 1): Promise<Trainer> {
  const trainer = await trainerModule.Trainer.start(of, { threads });
  started.push(trainer);
  return trainer;
}

describe('a trainer', () => {
  it('computes in its thread what a session computes in this one, bit for bit', async () => {
    const trainer = await start();
    const session = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
    for (let step = 0; step < 4; step++) {
      expect(await trainer.step(linearFeeds(step))).toBe(await session.step(linearFeeds(step)));
    }
    const rows = Float32Array.from({ length: 14 }, (_, i) => i);
    expect(await trainer.predict(rows)).toEqual(await session.predict(rows));
    expect(rows).toHaveLength(14);
    expect(await trainer.state()).toEqual(await session.state());
    await session.close();
  });

  it('leaves a Buffer that it is given to its owner, whatever `slice` means there', async () => {
    const pixels = createProgram(mlp({ input: [4], classes: 3, hidden: [2] }), {
      ...{
        batchSize: 2,
        evaluationBatch: 2,
        inputType: 'uint8',
        normalisation: { mean: [0, 0, 0, 0], std: [1, 1, 1, 1] },
      },
      ...{ loss: crossEntropy, optimizer: sgd(), labels: 'indices', seed: 1 },
    });
    const trainer = await start(pixels);
    const images = Buffer.alloc(8); // has its memory to itself: it could be handed over
    images.set([1, 2, 3, 4, 250, 251, 252, 253]);
    const first = await trainer.predict(images);
    expect(await trainer.predict(Uint8Array.from(images))).toEqual(first);
    await trainer.step({ input: images, labels: Int32Array.of(0, 1), learningRate: 0.1, step: 0 });
    expect([...images]).toEqual([1, 2, 3, 4, 250, 251, 252, 253]);
  });

  it('takes the next steps while one runs, in their order', async () => {
    const [pipelined, patient] = [await start(), await start()];
    const losses = await Promise.all(Array.from({ length: 20 }, (_, step) => pipelined.step(linearFeeds(step))));
    for (let step = 0; step < 20; step++) expect(await patient.step(linearFeeds(step))).toBe(losses[step]);
  });

  it('fault 4: loads a state that another one saved', async () => {
    const [first, second] = [await start(), await start()];
    for (let step = 0; step < 3; step++) await first.step(linearFeeds(step));
    const saved = await first.state();
    await second.load(saved);
    expect(saved.get('layer/w')?.data).toHaveLength(6); // copied, not handed over
    expect(await second.step(linearFeeds(3))).toBe(await first.step(linearFeeds(3)));
  });

  it('copies feeds, and hands over those that it is told to', async () => {
    const trainer = await start();
    const { input, labelRows, learningRate, step } = linearFeeds(0);
    const all = new Float32Array([...input, ...input]);
    await trainer.step({ input: all.subarray(8), labelRows, learningRate, step }, { handOver: ['input'] });
    expect(all).toHaveLength(16); // a part of an array is copied: there may be a whole dataset around it
    await trainer.step({ input, labelRows, learningRate, step }, { handOver: ['input'] });
    expect(input).toHaveLength(0);
    expect(labelRows).toHaveLength(12);
  });
});

describe('errors', () => {
  it('cross the boundary with their class, message and fields, and training goes on', async () => {
    const trainer = await start();
    const feeds = linearFeeds(0);
    const failure = trainer.step({ ...feeds, input: feeds.input.fill(Number.NaN), step: 7 });
    await expect(failure).rejects.toThrow(errors.NonFiniteLossError);
    await expect(failure).rejects.toMatchObject({ step: 7, loss: Number.NaN, name: 'NonFiniteLossError' });
    await expect(failure).rejects.toThrow(/^the loss of step 7 is NaN/);
    expect(await trainer.step(linearFeeds(0))).toBeGreaterThan(0);
  });

  it('for wrong arguments come before anything is sent or handed over', async () => {
    const trainer = await start();
    const feeds = { ...linearFeeds(0), labelRows: new Float32Array(3) };
    await expect(trainer.step(feeds, { handOver: ['input'] })).rejects.toThrow(errors.FeedError);
    expect(feeds.input).toHaveLength(8);
    await expect(trainer.predict(new Float32Array(3))).rejects.toThrow(errors.FeedError);
    await expect(trainer.load(new Map())).rejects.toThrow(errors.StateError);
  });

  it('say which device is not there', async () => {
    const failure = trainerModule.Trainer.start(program, { device: process.platform === 'win32' ? 'coreml' : 'dml' });
    await expect(failure).rejects.toThrow(errors.DeviceError);
    await expect(failure).rejects.toThrow(/^the device "\w+" cannot be used/);
  });

  it('of ONNX Runtime, for a model that is none', async () => {
    const broken = { ...program, training: Uint8Array.of(1, 2, 3) };
    await expect(trainerModule.Trainer.start(broken)).rejects.toThrow(/protobuf|model/i);
  });
});

describe('close', () => {
  it('rejects the step that runs and those that wait, and ends the thread', async () => {
    const trainer = await start(large);
    const steps = Array.from({ length: 20 }, () => trainer.step(largeFeeds));
    const settled = Promise.allSettled(steps);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await trainer.close();
    const reasons = (await settled).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(reasons.length).toBeGreaterThan(5);
    for (const reason of reasons) {
      expect(reason).toEqual(new errors.ClosedError('the trainer was closed before "steps" had finished'));
    }
    await expect(trainer.state()).rejects.toThrow(errors.ClosedError);
    await trainer.close();
  });

  it('can be done many times over, with several trainers at work', async () => {
    for (let round = 0; round < 5; round++) {
      const trainers = await Promise.all([start(large), start(large)]);
      for (const trainer of trainers) void trainer.step(largeFeeds).catch(() => undefined);
      await Promise.all(trainers.map((trainer) => trainer.close()));
    }
  });
});

describe('the process', () => {
  /** Runs a script that has a `trainer` and `feeds` in a process of its own. */
  function run(script: string): Promise<{ code: number | string | null; stderr: string; stdout: string }> {
    const data = serialize({ program: large, feeds: largeFeeds }).toString('base64');
    const setup = `
      import { deserialize } from 'node:v8';
      import { Trainer } from './runtime/trainer.js';
      const { program, feeds } = deserialize(Buffer.from('${data}', 'base64'));
      const trainer = await Trainer.start(program, { threads: 1 });
    `;
    const file = engine.file('script.js', `${setup}\n${script}`);
    return new Promise((resolve) => {
      execFile(process.execPath, [file], { timeout: 20_000 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr });
      });
    });
  }

  it('ends by itself although a trainer was not closed', async () => {
    expect(await run(`console.log(typeof (await trainer.step(feeds)));`)).toEqual({
      code: 0,
      stdout: 'number\n',
      stderr: '',
    });
  });

  it('does not end while a step waits', async () => {
    const result = await run(`trainer.step(feeds).then((loss) => console.log(loss > 0));`);
    expect(result).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  });

  it('exits with its own code, not with a crash of ONNX Runtime, while steps run', async () => {
    const script = `for (let i = 0; i < 50; i++) void trainer.step(feeds); setTimeout(() => process.exit(7), 60);`;
    expect(await run(script)).toEqual({ code: 7, stdout: '', stderr: '' });
  });
});
