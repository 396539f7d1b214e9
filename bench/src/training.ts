import { createProgram, crossEntropy, type Model, type Program, sgd } from '@evenhand/engine';
import { detectTarget, Trainer } from '@evenhand/engine/node';

export const CLASSES = 10;

/** Batches of 256 in one call of `predict`: a data set is predicted, not a batch. */
export const PREDICTED_BATCHES = 4;

/** A trainer with two threads, steps of training on random images, and predictions for some batches of 256 of them. */
export async function startTraining(model: Model, batch: number) {
  const program = createProgram(model, {
    batchSize: batch,
    evaluationBatch: 256,
    labels: 'indices',
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
    seed: 1,
    target: await detectTarget(),
  });
  const trainer = await Trainer.start(program, { threads: 2 });
  const feeds = randomFeeds(program);
  const rows = randomValues(PREDICTED_BATCHES * program.evaluationBatch * model.input.reduce((a, b) => a * b, 1));
  let step = 0;
  return {
    /** Several steps. */
    train: (steps: number) =>
      trainer.steps(Array.from({ length: steps }, () => ({ ...feeds, learningRate: 0.01, step: step++ }))),
    predict: () => trainer.predict(rows),
    close: () => trainer.close(),
  };
}

function randomFeeds({ batchSize, pack, feeds }: Program) {
  const input = feeds.find(({ name }) => name === 'input');
  const size = input?.shape.reduce((a, b) => a * b, 1) ?? 0;
  return { input: randomValues(size), labels: Int32Array.from({ length: pack * batchSize }, (_, i) => i % CLASSES) };
}

/** About normally distributed. */
function randomValues(length: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, () => 2 * (Math.random() + Math.random() + Math.random()) - 3);
}
