import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import {
  createModel,
  createProgram,
  crossEntropy,
  DeviceError,
  exportModel,
  ProgramSession,
  sgd,
} from '../../src/index.js';
import { detectTarget } from '../../src/runtime/target.js';

const model = createModel('resnet20', { input: [3, 8, 8], classes: 3 });
const options = {
  batchSize: 4,
  loss: crossEntropy,
  optimizer: sgd({ momentum: 0.9 }),
  labels: 'indices' as const,
  seed: 1,
};
const feeds = (step: number) => ({
  input: Float32Array.from({ length: 4 * 3 * 8 * 8 }, (_, i) => Math.sin(i * (step + 1))),
  labels: Int32Array.of(0, 1, 2, 1),
  learningRate: 0.01,
  step,
});

async function losses(target: Awaited<ReturnType<typeof detectTarget>>): Promise<number[]> {
  const session = await ProgramSession.create(onnxRuntime, createProgram(model, { ...options, target }), {
    threads: 1,
  });
  const all = [await session.step(feeds(0)), ...(await session.steps([feeds(1), feeds(2)]))];
  await session.close();
  return all;
}

describe('blocks of channels', () => {
  it('train as plain ones do, where this machine has them', async (context) => {
    const target = await detectTarget(onnxRuntime);
    if (target.channelBlock === null) return context.skip('this machine computes in no blocks of channels');
    const [blocked, plain] = [await losses(target), await losses({ channelBlock: null })];
    for (const [i, loss] of plain.entries()) expect(blocked[i]).toBeCloseTo(loss, 4);
  });

  it('of another size than the machine has are refused, for they would compute something else', async () => {
    const { channelBlock } = await detectTarget(onnxRuntime);
    const program = createProgram(model, { ...options, target: { channelBlock: channelBlock === 16 ? 8 : 16 } });
    const opening = ProgramSession.create(onnxRuntime, program);
    await expect(opening).rejects.toThrow(DeviceError);
    await expect(opening).rejects.toThrow(
      /^the program was made for channels in blocks of \d+, but "cpu" of this machine has /,
    );
  });

  it('stay out of exported models, which are for any machine', async () => {
    const program = createProgram(model, { ...options, target: { channelBlock: 8 } });
    const state = new Map(program.state.map(({ name, shape, initial }) => [name, { shape, data: initial.slice() }]));
    expect(new TextDecoder('latin1').decode(exportModel(program, state))).not.toContain('nchwc');
    expect(new TextDecoder('latin1').decode(program.training)).toContain('nchwc');
  });
});

describe('several steps in one call', () => {
  it('are those one after the other', async () => {
    const program = createProgram(model, options);
    const [together, apart] = await Promise.all(
      [0, 1].map(() => ProgramSession.create(onnxRuntime, program, { threads: 1 })),
    );
    const all = await together?.steps([feeds(0), feeds(1), feeds(2)]);
    const each = [];
    for (const step of [0, 1, 2]) each.push(await apart?.step(feeds(step)));
    expect(all).toEqual(each);
    expect(await together?.state()).toEqual(await apart?.state());
    await together?.close();
    await apart?.close();
  });

  it('end with the first one that fails, and keep those before it', async () => {
    const session = await ProgramSession.create(onnxRuntime, createProgram(model, options), { threads: 1 });
    const wrong = { ...feeds(1), input: feeds(1).input.fill(Number.NaN) };
    await expect(session.steps([feeds(0), wrong, feeds(2)])).rejects.toMatchObject({
      name: 'NonFiniteLossError',
      step: 1,
    });
    const other = await ProgramSession.create(onnxRuntime, createProgram(model, options), { threads: 1 });
    await other.step(feeds(0));
    expect(await session.state()).toEqual(await other.state());
    await session.close();
    await other.close();
  });
});
