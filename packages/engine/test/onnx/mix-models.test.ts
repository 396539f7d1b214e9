import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createProgram, crossEntropy, exportModel, mixModels, models, pack, sgd } from '../../src/index.js';
import { initialState } from '../../src/runtime/state.js';
import { noise } from '../network/run.js';

const programOf = (model: Parameters<typeof createProgram>[0], seed: number) =>
  createProgram(model, {
    batchSize: 4,
    evaluationBatch: 4,
    loss: crossEntropy,
    optimizer: sgd(),
    labels: 'indices',
    seed,
  });

function exported(model: Parameters<typeof createProgram>[0], seed: number): Uint8Array {
  const program = programOf(model, seed);
  return exportModel(program, initialState(program.state));
}

async function answers(model: Uint8Array, rows: Float32Array, features: number): Promise<number[]> {
  const session = await onnxRuntime.InferenceSession.create(model, { intraOpNumThreads: 1 });
  const input = new onnxRuntime.Tensor('float32', rows, [rows.length / features, features]);
  const [name = ''] = session.outputNames;
  const result = (await session.run({ input }))[name];
  await session.release();
  return Array.from(result?.data ?? [], Number);
}

describe('mixed models', () => {
  const linear = exported(models.mlp({ input: [3], classes: 2, hidden: [] }), 1);
  const deep = exported(pack(models.tabular({ input: [3], classes: 2, hidden: [5], categories: [4] }), 3), 2);
  const rows = noise(7 * 3, 'rows').map((value, i) => (i % 3 === 2 ? i % 4 : value));

  it('give the weighted sum of what each gives, for any number of rows', async () => {
    const mixed = mixModels([
      { name: 'linear', model: linear, weight: 0.3 },
      { name: 'deep', model: deep, weight: 0.7 },
    ]);
    const [first, second] = [await answers(linear, rows, 3), await answers(deep, rows, 3)];
    const together = await answers(mixed, rows, 3);
    expect(together).toHaveLength(14);
    for (const [i, value] of together.entries()) {
      expect(value).toBeCloseTo(0.3 * (first[i] ?? 0) + 0.7 * (second[i] ?? 0), 6);
    }
  });

  it('may be one model twice', async () => {
    const twice = mixModels([
      { name: 'a', model: linear, weight: 0.5 },
      { name: 'b', model: linear, weight: 0.5 },
    ]);
    const alone = await answers(linear, rows, 3);
    for (const [i, value] of (await answers(twice, rows, 3)).entries()) expect(value).toBeCloseTo(alone[i] ?? 2, 6);
  });

  it('must take and give the same', () => {
    const other = exported(models.mlp({ input: [4], classes: 2, hidden: [] }), 1);
    const parts = [linear, other].map((model, i) => ({ name: `part ${i}`, model, weight: 0.5 }));
    expect(() => mixModels(parts)).toThrow(
      '"part 1" takes and gives [4] and [2]; expected [3] and [2], as "part 0" does',
    );
  });
});
