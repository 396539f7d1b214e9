/** The engine's sources, or the same transpiled: whoever calls says which. */
type Engine = Pick<typeof import('../../src/index.js'), 'createModel' | 'createProgram' | 'crossEntropy' | 'sgd'>;

/** LeNet-5 as the tests train it. It has parameters, statistics (the norm of its logits) and slots (momentum). */
export function lenetProgram({ createModel, createProgram, crossEntropy, sgd }: Engine, seed: number) {
  return createProgram(createModel('lenet5', { input: [1, 28, 28], classes: 10 }), {
    batchSize: 32,
    evaluationBatch: 16,
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9 }),
    labels: 'indices',
    seed,
  });
}

/**
 * Batch number `step`. Whole numbers divided by 64, so that no two machines differ in a bit of it; a label is visible in the
 * period of its stripes, so that there is something to learn.
 */
export function lenetFeeds(step: number) {
  const labels = Int32Array.from({ length: 32 }, (_, row) => (row * 7 + step * 3) % 10);
  return { input: striped(labels, step), labels, learningRate: 0.02, step };
}

/** Twenty images that were in no batch: more than one evaluation batch. */
export function lenetRows(): Float32Array<ArrayBuffer> {
  return striped(
    Int32Array.from({ length: 20 }, (_, row) => row % 10),
    1000,
  );
}

function striped(labels: Int32Array, step: number): Float32Array<ArrayBuffer> {
  const pixels = new Float32Array(labels.length * 784);
  for (const [row, label] of labels.entries()) {
    for (let i = 0; i < 784; i++) {
      pixels[row * 784 + i] = ((i * (label + 3) * 5 + row * 13 + step * 29 + ((i * i) % 23)) % 64) / 64;
    }
  }
  return pixels;
}
