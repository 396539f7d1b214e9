import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createProgram, crossEntropy, exportModel, type Model, models, sgd } from '../../src/index.js';
import { initialState } from '../../src/runtime/state.js';

const images = { input: [3, 8, 8], classes: 3 };
const patches = { input: [3, 16, 16], classes: 3 };
const small: Readonly<Record<keyof typeof models, Model>> = {
  mlp: models.mlp({ input: [5], classes: 3, categories: [4] }),
  tabular: models.tabular({ input: [5], classes: 3, hidden: [8], categories: [4] }),
  lenet5: models.lenet5({ input: [1, 28, 28], classes: 3 }),
  resnet20: models.resnet20(images),
  resnet32: models.resnet32(images),
  resnet44: models.resnet44(images),
  resnet56: models.resnet56(images),
  resnet18: models.resnet18({ input: [3, 32, 32], classes: 3 }),
  resnet34: models.resnet34({ input: [3, 32, 32], classes: 3 }),
  vit: models.vit(patches),
  eanet: models.eanet(patches),
};

describe('an exported model', () => {
  const cases = Object.values(small).flatMap((model) => [
    { model, name: model.name, evaluationBatch: 4 },
    { model, name: model.name, evaluationBatch: 1 }, // an axis of size 1 like others
  ]);
  it.each(cases)(
    '$name of a program for $evaluationBatch takes batches of any size',
    async ({ model, evaluationBatch }) => {
      const options = { batchSize: 2, loss: crossEntropy, optimizer: sgd(), labels: 'indices' as const, seed: 1 };
      const program = createProgram(model, { ...options, evaluationBatch });
      const file = exportModel(program, initialState(program.state));
      const session = await onnxRuntime.InferenceSession.create(file, { intraOpNumThreads: 1 });
      const size = model.input.reduce((a, b) => a * b, 1);
      const rows = Float32Array.from({ length: 7 * size }, (_, i) => (i * 31) % 3);
      const predict = async (from: number, to: number) => {
        const input = new onnxRuntime.Tensor('float32', rows.slice(from * size, to * size), [
          to - from,
          ...model.input,
        ]);
        const { probabilities } = await session.run({ input });
        return Array.from(probabilities?.data ?? [], Number);
      };
      const together = await predict(0, 7);
      expect(together).toHaveLength(7 * 3);
      const apart = [...(await predict(0, 1)), ...(await predict(1, 3)), ...(await predict(3, 7))];
      for (const [i, value] of together.entries()) expect(Math.abs(value - (apart[i] ?? 2))).toBeLessThan(1e-5);
      await session.release();
    },
  );
});
