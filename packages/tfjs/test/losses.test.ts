import { crossEntropy, EnhancementEncoder, focal, type Loss, meanSquareError } from '@evenhand/encoding';
import { type EncodedLoss, type Enhancement, enhance } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { classifier } from './models.js';
import { SeededRandom } from './seeded-random.js';

beforeAll(async () => {
  await tf.setBackend('cpu');
});

const CLASSES = 4;

function enhancement(fromLogits: boolean): Enhancement {
  const model = classifier({ features: 2, classes: CLASSES, logits: fromLogits });
  const inputs = tf.tensor2d([0.5, -1, 1, 2, -1, 0, 3, 1], [4, 2]);
  return enhance(model, { validation: { inputs, labels: [0, 1, 2, 3] }, fromLogits });
}

/** Loss and gradient at the logits of a batch, through TensorFlow.js. */
function measured(loss: EncodedLoss, logits: number[], rows: number[], fromLogits: boolean) {
  const size: [number, number] = [logits.length / CLASSES, CLASSES];
  const batchLoss = (z: tf.Tensor): tf.Tensor => loss(tf.tensor2d(rows, size), fromLogits ? z : tf.softmax(z)).mean();
  const { value, grad } = tf.valueAndGrad(batchLoss)(tf.tensor2d(logits, size));
  return { loss: value.dataSync()[0] ?? Number.NaN, logitGradient: Array.from(grad.dataSync()) };
}

function expectClose(received: readonly number[], expected: ArrayLike<number>, relative = 2e-6): void {
  expect(received).toHaveLength(expected.length);
  const scale = Math.max(1, ...Array.from(expected, Math.abs));
  received.forEach((value, i) => {
    expect(Math.abs(value - (expected[i] ?? Number.NaN)), `element ${i}: ${value}`).toBeLessThan(relative * scale);
  });
}

/** Rows as encoding makes them, and rows that sum to anything. */
function generalBatch(): { logits: number[]; rows: number[] } {
  const random = new SeededRandom(3);
  const logits = Array.from({ length: 6 * CLASSES }, () => 3 * random.gaussian());
  const rows = Array.from({ length: 6 * CLASSES }, () => 2 * random.gaussian());
  rows.splice(0, 2 * CLASSES, 0, 1, 0, 0, -0.5, -0.25, 2, -0.25);
  return { logits, rows };
}

const LOSSES: readonly [string, Loss, (of: Enhancement) => EncodedLoss][] = [
  ['cross-entropy', crossEntropy, (of) => of.crossEntropy],
  ['mean square error', meanSquareError, (of) => of.meanSquareError],
  ['focal γ=2', focal({ gamma: 2 }), (of) => of.focal({ gamma: 2 })],
  ['focal γ=1', focal({ gamma: 1 }), (of) => of.focal({ gamma: 1 })],
  ['focal γ=0.5', focal({ gamma: 0.5 }), (of) => of.focal({ gamma: 0.5 })],
  ['focal γ=0', focal({ gamma: 0 }), (of) => of.focal({ gamma: 0 })],
  [
    'focal γ=2 with α',
    focal({ gamma: 2, alpha: [0.5, 1, 2, 3] }),
    (of) => of.focal({ gamma: 2, alpha: new Float32Array([0.5, 1, 2, 3]) }),
  ],
];

describe.each([
  ['softmax outputs', false],
  ['logits', true],
] as const)('losses of %s', (_, fromLogits) => {
  it.each(LOSSES)(
    '%s and its gradient at the logits agree with the reference for general label rows',
    (_name, reference, choose) => {
      const { logits, rows } = generalBatch();
      const expected = reference(logits, rows, CLASSES);
      const received = measured(choose(enhancement(fromLogits)), logits, rows, fromLogits);
      expectClose([received.loss], [expected.loss]);
      expectClose(received.logitGradient, expected.logitGradient);
    },
  );

  it.each(LOSSES)('%s gives one value per instance', (_name, _reference, choose) => {
    const { logits, rows } = generalBatch();
    const predictions = tf.tensor2d(logits, [6, CLASSES]);
    const values = choose(enhancement(fromLogits))(
      tf.tensor2d(rows, [6, CLASSES]),
      fromLogits ? predictions : tf.softmax(predictions),
    );
    expect(values.shape).toEqual([6]);
  });

  it.each(LOSSES)('%s keeps the gradient of classes whose probability is 1e-30', (_name, reference, choose) => {
    const logits = [0, -69, -69.5, 1];
    const rows = [1.9, -0.3, -0.2, -0.4];
    const expected = reference(logits, rows, CLASSES);
    const received = measured(choose(enhancement(fromLogits)), logits, rows, fromLogits);
    expectClose([received.loss], [expected.loss]);
    expectClose(received.logitGradient, expected.logitGradient);
  });

  it.each(LOSSES)('%s stays finite where a probability is 1 and the others underflow', (_name, _reference, choose) => {
    const received = measured(choose(enhancement(fromLogits)), [200, 0, -300, 90], [1, 0, 0, 0], fromLogits);
    expect(Number.isFinite(received.loss)).toBe(true);
    expect(received.logitGradient.every(Number.isFinite)).toBe(true);
  });

  it('encodes one-hot labels by the generator matrix that the callback has set', async () => {
    const enhanced = enhancement(fromLogits);
    await enhanced.callback.onEpochBegin(0);
    const labels = [2, 0, 3];
    const rows = new EnhancementEncoder({ classes: CLASSES }).encode(labels);
    const encodedRows = enhanced.encoder.encode(labels);
    expect(encodedRows).not.toEqual(rows);
    const { logits } = generalBatch();
    const expected = crossEntropy(logits.slice(0, 12), Array.from(encodedRows), CLASSES);
    const received = measured(enhanced.crossEntropy, logits.slice(0, 12), Array.from(rows), fromLogits);
    expectClose([received.loss], [expected.loss]);
    expectClose(received.logitGradient, expected.logitGradient);
  });
});

describe('cross-entropy of softmax outputs', () => {
  it('has a finite gradient of the right sign where a large label meets the smallest probability', () => {
    // softmax gives 2^-126 and 11 / 2^-126 is beyond float32
    const { logitGradient } = measured(enhancement(false).crossEntropy, [0, -87.3, -30, -30], [-5, 11, -3, -2], false);
    expect(logitGradient.every(Number.isFinite)).toBe(true);
    expect(logitGradient[1]).toBeLessThan(-1);
  });

  it('floors at the smallest half where the backend has half precision', () => {
    vi.spyOn(tf.backend(), 'floatPrecision').mockReturnValue(16);
    const values = enhancement(false).crossEntropy(tf.tensor2d([[0, 1, 0, 0]]), tf.tensor2d([[1, 0, 0, 0]]));
    expectClose(Array.from(values.dataSync()), [14 * Math.LN2]);
    vi.restoreAllMocks();
  });
});

describe('labels given to a loss', () => {
  it('may be of any type of number', () => {
    const { crossEntropy: loss } = enhancement(false);
    const predictions = tf.softmax(tf.tensor2d(generalBatch().logits, [6, CLASSES]));
    const labels = tf.oneHot([0, 1, 2, 3, 0, 1], CLASSES);
    expect(labels.dtype).toBe('int32');
    expect(loss(labels, predictions).dataSync()).toEqual(loss(labels.toFloat(), predictions).dataSync());
  });

  it.each([[[4]], [[4, 1]], [[4, 3]], [[4, 2, 4]]])('fault 36: of shape %j are refused, with the way out', (shape) => {
    expect(() => enhancement(false).crossEntropy(tf.zeros(shape), tf.zeros([4, CLASSES]))).toThrow(
      `labels have shape [${shape.join(', ')}]; expected one-hot rows [batch, 4]: tf.oneHot(tf.cast(labels, 'int32').flatten(), 4)`,
    );
  });
});

describe('focal', () => {
  it('refuses a bad γ', () => {
    expect(() => enhancement(false).focal({ gamma: -1 })).toThrow(
      'gamma is -1; expected a finite number of at least 0',
    );
  });

  it('fault 36: refuses an α of another length, or that is no number', () => {
    expect(() => enhancement(false).focal({ gamma: 2, alpha: [1, 1] })).toThrow('alpha has length 2; expected 4');
    expect(() => enhancement(false).focal({ gamma: 2, alpha: [1, 1, Number.NaN, 1] })).toThrow(
      'alpha[2] is NaN; expected a finite number',
    );
  });
});
