import { EnhancementEncoder } from '@evenhand/encoding';
import { type Enhancement, type EnhanceOptions, enhance } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Example, glassLikeSplit, inputsOf, labelsOf, oneHotOf } from './examples.js';
import { classifier, weightsOf } from './models.js';
import { SeededRandom } from './seeded-random.js';

beforeAll(async () => {
  await tf.setBackend('cpu');
});

const random = new SeededRandom(11);
const split = glassLikeSplit(random);
const training = random.shuffled(split.training).slice(0, 64);
const CLASSES = 6;

function validation() {
  return { inputs: inputsOf(split.validation), labels: labelsOf(split.validation) };
}

type Choice = Partial<EnhanceOptions>;

/** A model that is ready to be fitted, the same every time. */
function ready(choice: Choice = {}, loss: (of: Enhancement) => tf.ModelCompileArgs['loss'] = (of) => of.crossEntropy) {
  const model = classifier({ features: 9, classes: CLASSES });
  const enhancement = enhance(model, { validation: validation(), ...choice });
  model.compile({ optimizer: tf.train.adam(0.01), loss: loss(enhancement), metrics: ['accuracy'] });
  return { model, enhancement };
}

async function fitted(epochs: number, choice?: Choice, loss?: (of: Enhancement) => tf.ModelCompileArgs['loss']) {
  const { model, enhancement } = ready(choice, loss);
  const callbacks = enhancement.callback;
  await model.fit(inputsOf(training), oneHotOf(training, CLASSES), { epochs, shuffle: false, verbose: 0, callbacks });
  return { model, enhancement };
}

function dataset(examples: readonly Example[], batchSize: number) {
  return tf.data.generator(function* () {
    for (let start = 0; start < examples.length; start += batchSize) {
      const batch = examples.slice(start, start + batchSize);
      yield { xs: inputsOf(batch), ys: oneHotOf(batch, CLASSES) };
    }
  });
}

describe('the callback', () => {
  it('has updated the labels before the first batch of every epoch, the first included', async () => {
    const { model, enhancement } = ready();
    const seen: string[] = [];
    await model.fit(inputsOf(training), oneHotOf(training, CLASSES), {
      epochs: 3,
      batchSize: 32,
      verbose: 0,
      callbacks: [
        { onBatchBegin: (batch: number) => void seen.push(`batch ${batch} after ${enhancement.encoder.epoch}`) },
        enhancement.callback,
      ],
    });
    expect(seen).toEqual([
      'batch 0 after 1',
      'batch 1 after 1',
      'batch 0 after 2',
      'batch 1 after 2',
      'batch 0 after 3',
      'batch 1 after 3',
    ]);
  });

  it('measures the validation set in inference mode with the weights that the epoch starts from', async () => {
    const { model, enhancement } = await fitted(3);
    const expected = EnhancementEncoder.fromJSON(enhancement.encoder.toJSON());
    const { inputs, labels } = validation();
    const probabilities = model.predict(inputs);
    if (Array.isArray(probabilities)) throw new TypeError('expected one output');
    expected.observe(labels, Float32Array.from(probabilities.dataSync()));
    expected.update();

    await model.fit(inputsOf(training), oneHotOf(training, CLASSES), { verbose: 0, callbacks: enhancement.callback });
    expect(enhancement.encoder.generatorMatrix).toEqual(expected.generatorMatrix);
  });

  it('gives the same weights and matrix whatever the batch size of the validation set', async () => {
    const whole = await fitted(2, { batchSize: 100 });
    const parts = await fitted(2, { batchSize: 7 });
    expect(parts.enhancement.encoder.toJSON()).toEqual(whole.enhancement.encoder.toJSON());
    expect(weightsOf(parts.model)).toEqual(weightsOf(whole.model));
  });

  it('works beside other callbacks, behind plain objects and before or behind early stopping', async () => {
    const epochsWith = async (list: (own: tf.CustomCallback) => tf.ModelFitArgs['callbacks']) => {
      const { model, enhancement } = ready();
      await model.fit(inputsOf(training), oneHotOf(training, CLASSES), {
        epochs: 2,
        verbose: 0,
        callbacks: list(enhancement.callback) ?? [],
      });
      return enhancement.encoder.epoch;
    };
    const stopping = () => tf.callbacks.earlyStopping({ monitor: 'loss', patience: 5 });
    expect(await epochsWith((own) => [own])).toBe(2);
    expect(await epochsWith((own) => [{ onEpochEnd: () => undefined }, own])).toBe(2);
    expect(await epochsWith((own) => [stopping(), own])).toBe(2);
    expect(await epochsWith((own) => [own, stopping()])).toBe(2);
  });

  it('refuses to be used with a model that it does not measure', async () => {
    const { enhancement } = ready();
    const other = ready().model;
    other.name = 'other';
    await expect(
      other.fit(inputsOf(training), oneHotOf(training, CLASSES), { verbose: 0, callbacks: enhancement.callback }),
    ).rejects.toThrow(
      /the callback of model "sequential_\d+" was given to fit\(\) of model ".*"; expected its own model/,
    );
  });

  it('fault 14: says what happened when the model has diverged', async () => {
    const { model, enhancement } = ready();
    model.setWeights(model.getWeights().map((weight) => tf.mul(weight, Number.NaN)));
    await expect(enhancement.callback.onEpochBegin(0)).rejects.toThrow(
      /outputs for the validation set are not probabilities: .*NaN.* lower the learning rate or enhancementRate/,
    );
  });

  it('says so when the validation inputs are gone', async () => {
    const own = validation();
    const { enhancement } = ready({ validation: own });
    own.inputs.dispose();
    await expect(enhancement.callback.onEpochBegin(0)).rejects.toThrow('validation.inputs is disposed');
  });
});

describe('fitDataset', () => {
  it('does what fit does, bit for bit', async () => {
    const byTensors = await fitted(3);
    const byDataset = ready();
    await byDataset.model.fitDataset(dataset(training, 32), {
      epochs: 3,
      verbose: 0,
      callbacks: byDataset.enhancement.callback,
    });
    expect(byDataset.enhancement.encoder.epoch).toBe(3);
    expect(byDataset.enhancement.encoder.toJSON()).toEqual(byTensors.enhancement.encoder.toJSON());
    expect(weightsOf(byDataset.model)).toEqual(weightsOf(byTensors.model));
  });

  it('explains tf.oneHot where the dataset gives class indices', async () => {
    const { model, enhancement } = ready();
    const indices = tf.data.generator(function* () {
      yield { xs: inputsOf(training), ys: tf.tensor1d(labelsOf(training)) };
    });
    await expect(model.fitDataset(indices, { epochs: 1, verbose: 0, callbacks: enhancement.callback })).rejects.toThrow(
      /labels have shape \[64\]; expected one-hot rows \[batch, 6\]: tf\.oneHot/,
    );
  });
});

describe('without enhancement', () => {
  it.each([
    ['ε = 0', { enhancementRate: 0 }],
    ['μ = 0', { updatingRate: 0 }],
  ])('%s trains as one-hot labels do, bit for bit', async (_, rates) => {
    const ours = await fitted(3, rates, (of) => of.meanSquareError);
    const theirs = await fitted(3, rates, () => 'meanSquaredError');
    expect(weightsOf(ours.model)).toEqual(weightsOf(theirs.model));

    const plain = (labels: tf.Tensor, y: tf.Tensor): tf.Tensor => tf.neg(tf.sum(tf.mul(labels, tf.log(y)), -1));
    const ourEntropy = await fitted(3, rates, (of) => of.crossEntropy);
    const plainEntropy = await fitted(3, rates, () => plain);
    expect(weightsOf(ourEntropy.model)).toEqual(weightsOf(plainEntropy.model));
  });

  it('is something else than with it', async () => {
    const off = await fitted(1, { enhancementRate: 0 });
    const on = await fitted(1);
    expect(weightsOf(on.model)).not.toEqual(weightsOf(off.model));
  });
});

describe('models', () => {
  it('may be functional, with several inputs', async () => {
    const left = tf.input({ shape: [4] });
    const right = tf.input({ shape: [5] });
    const joined = tf.layers.concatenate().apply([left, right]);
    const logits = tf.layers.batchNormalization().apply(tf.layers.dense({ units: CLASSES }).apply(joined));
    const outputs = tf.layers.softmax().apply(logits);
    if (!(outputs instanceof tf.SymbolicTensor)) throw new TypeError('expected one symbolic tensor');
    const model = tf.model({ inputs: [left, right], outputs });
    const sides = (examples: readonly Example[]) => tf.split(inputsOf(examples), [4, 5], 1);
    const labels = labelsOf(split.validation);

    const enhancement = enhance(model, { validation: { inputs: sides(split.validation), labels } });
    model.compile({ optimizer: 'sgd', loss: enhancement.focal({ gamma: 2 }) });
    const callbacks = enhancement.callback;
    await model.fit(sides(training), oneHotOf(training, CLASSES), { epochs: 2, verbose: 0, callbacks });
    expect(enhancement.encoder.epoch).toBe(2);
  });

  it('may end in logits, and then measure and train as the same model with softmax', async () => {
    const matrices = [];
    for (const fromLogits of [false, true]) {
      const model = classifier({ features: 9, classes: CLASSES, logits: fromLogits });
      const enhancement = enhance(model, { validation: validation(), fromLogits });
      // Not Adam: it would make the last bit of a gradient that is zero as large as any other.
      model.compile({ optimizer: tf.train.sgd(0.1), loss: enhancement.crossEntropy });
      const callbacks = enhancement.callback;
      await model.fit(inputsOf(training), oneHotOf(training, CLASSES), {
        epochs: 4,
        shuffle: false,
        verbose: 0,
        callbacks,
      });
      matrices.push(enhancement.encoder.generatorMatrix);
    }
    const [bySoftmax, byLogits] = matrices;
    byLogits?.forEach((value, i) => {
      expect(value).toBeCloseTo(bySoftmax?.[i] ?? Number.NaN, 5);
    });
  });

  it('take validation labels as indices, as tensors of them and as one-hot tensors', async () => {
    const { inputs, labels } = validation();
    const forms = [
      labels,
      Int32Array.from(labels),
      tf.tensor1d(labels, 'int32'),
      tf.tensor2d(labels, [labels.length, 1]),
      oneHotOf(split.validation, CLASSES),
    ];
    const matrices = await Promise.all(
      forms.map(async (form) => {
        const { enhancement } = ready({ validation: { inputs, labels: form } });
        await enhancement.callback.onEpochBegin(0);
        return enhancement.encoder.generatorMatrix;
      }),
    );
    for (const matrix of matrices) expect(matrix).toEqual(matrices[0]);
  });
});

describe('memory', () => {
  it.each(['fit', 'fitDataset'] as const)('%s leaves no tensor behind', async (way) => {
    const atFirst = tf.memory().numTensors;
    const own = validation();
    const xs = inputsOf(training);
    const ys = oneHotOf(training, CLASSES);
    const model = classifier({ features: 9, classes: CLASSES });
    const enhancement = enhance(model, { validation: own });
    model.compile({ optimizer: 'adam', loss: enhancement.focal({ gamma: 2, alpha: [1, 1, 1, 2, 2, 2] }) });
    const epochs = async (count: number) => {
      const options = { epochs: count, verbose: 0, callbacks: enhancement.callback } as const;
      if (way === 'fit') await model.fit(xs, ys, options);
      else await model.fitDataset(dataset(training, 32), options);
    };
    await epochs(1); // the optimizer makes its slots
    const before = tf.memory().numTensors;
    await epochs(4);
    expect(tf.memory().numTensors).toBe(before);

    enhancement.dispose();
    expect(tf.memory().numTensors).toBe(before - 1);
    model.dispose();
    tf.dispose([own.inputs, xs, ys]);
    expect(tf.memory().numTensors).toBe(atFirst);
  });

  it('after dispose the losses say so', () => {
    const { enhancement } = ready();
    enhancement.dispose();
    expect(() => enhancement.crossEntropy(tf.zeros([1, CLASSES]), tf.zeros([1, CLASSES]))).toThrow(
      'this enhancement was disposed; enhance() the model again, or compile() it with another loss',
    );
  });
});

describe('evaluate', () => {
  it('encodes labels too, so that its loss is that of the current labels', async () => {
    const { model, enhancement } = await fitted(3);
    const inputs = inputsOf(split.test);
    const oneHot = oneHotOf(split.test, CLASSES);
    const result = model.evaluate(inputs, oneHot, { batchSize: 1000 });
    if (!Array.isArray(result)) throw new TypeError('expected loss and accuracy');
    const predictions = model.predict(inputs);
    if (Array.isArray(predictions)) throw new TypeError('expected one output');
    const encoded = enhancement.crossEntropy(oneHot, predictions).mean().dataSync()[0];
    const plain = tf.metrics.categoricalCrossentropy(oneHot, predictions).mean().dataSync()[0];
    expect(result[0]?.dataSync()[0]).toBeCloseTo(encoded ?? Number.NaN, 5);
    expect(encoded).not.toBeCloseTo(plain ?? Number.NaN, 2);
  });
});
