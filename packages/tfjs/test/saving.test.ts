import { type EnhanceOptions, enhance, type Rate } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { glassLikeSplit, inputsOf, labelsOf, oneHotOf } from './examples.js';
import { classifier, weightsOf } from './models.js';
import { SeededRandom } from './seeded-random.js';

beforeAll(async () => {
  await tf.setBackend('cpu');
});

const CLASSES = 6;
const random = new SeededRandom(5);
const split = glassLikeSplit(random);
const training = random.shuffled(split.training).slice(0, 64);
const names = ['building', 'vehicle', 'container', 'tableware', 'headlamp', 'other'];

type Choice = Partial<EnhanceOptions>;

function enhanced(model: tf.LayersModel, choice: Choice = {}) {
  const validation = { inputs: inputsOf(split.validation), labels: labelsOf(split.validation) };
  return enhance(model, { validation, ...choice });
}

async function fit(model: tf.LayersModel, callbacks: tf.CustomCallback): Promise<void> {
  await model.fit(inputsOf(training), oneHotOf(training, CLASSES), {
    epochs: 2,
    shuffle: false,
    verbose: 0,
    callbacks,
  });
}

async function trainedModel(choice: Choice = {}) {
  const model = classifier({ features: 9, classes: CLASSES });
  const enhancement = enhanced(model, choice);
  model.compile({ optimizer: tf.train.adam(0.01), loss: enhancement.crossEntropy, metrics: ['accuracy'] });
  await fit(model, enhancement.callback);
  return { model, enhancement };
}

/** Saves a model and loads it again, through what would be written to model.json. */
async function throughFile(model: tf.LayersModel, config?: tf.io.SaveConfig): Promise<tf.LayersModel> {
  let loaded: Promise<tf.LayersModel> | undefined;
  const handler = tf.io.withSaveHandler(async ({ weightData, ...json }) => {
    if (weightData === undefined) throw new TypeError('expected weights');
    const written: tf.io.ModelArtifacts = JSON.parse(JSON.stringify(json));
    loaded = tf.loadLayersModel(tf.io.fromMemory({ ...written, weightData }));
    return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
  });
  await model.save(handler, config);
  if (loaded === undefined) throw new TypeError('expected the handler to be called');
  return loaded;
}

describe('a saved model', () => {
  it('brings the generator matrix back, bit for bit', async () => {
    const { model, enhancement } = await trainedModel();
    const resumed = enhanced(await throughFile(model));
    expect(resumed.encoder.epoch).toBe(2);
    expect(resumed.encoder.generatorMatrix).toEqual(enhancement.encoder.generatorMatrix);
    expect(resumed.encoder.toJSON()).toEqual(enhancement.encoder.toJSON());
    // The matrix that the losses use is the restored one already before the next epoch.
    const labels = tf.oneHot([0, 1, 2, 3, 4, 5], CLASSES);
    const predictions = tf.softmax(tf.range(0, 36).reshape([6, 6]).div(10));
    expect(resumed.crossEntropy(labels, predictions).dataSync()).toEqual(
      enhancement.crossEntropy(labels, predictions).dataSync(),
    );
  });

  it('fault 4: with its optimizer goes on exactly as if it had not been interrupted', async () => {
    const { model, enhancement } = await trainedModel();
    const mute = vi.spyOn(console, 'warn').mockImplementation(() => undefined); // tf.js misses the loss function
    const loaded = await throughFile(model, { includeOptimizer: true });
    mute.mockRestore();
    const resumed = enhanced(loaded);
    loaded.compile({ optimizer: loaded.optimizer, loss: resumed.crossEntropy });

    await fit(model, enhancement.callback);
    await fit(loaded, resumed.callback);
    expect(resumed.encoder.epoch).toBe(4);
    expect(resumed.encoder.generatorMatrix).toEqual(enhancement.encoder.generatorMatrix);
    expect(weightsOf(loaded)).toEqual(weightsOf(model));
  });

  it('keeps the metadata of its owner beside the encoder', async () => {
    const model = classifier({ features: 9, classes: CLASSES });
    model.setUserDefinedMetadata({ author: 'Ada', tags: ['glass'] });
    const enhancement = enhanced(model);
    await enhancement.callback.onEpochBegin(0);
    const metadata = (await throughFile(model)).getUserDefinedMetadata();
    expect(metadata).toMatchObject({ author: 'Ada', tags: ['glass'] });
    expect(metadata).toHaveProperty('evenhand', JSON.parse(JSON.stringify(enhancement.encoder)));
  });

  it('starts from one-hot labels where resume is false, with any rates', async () => {
    const { model } = await trainedModel();
    const fresh = enhanced(model, { resume: false, enhancementRate: 1 });
    expect(fresh.encoder.epoch).toBe(0);
    expect(Array.from(fresh.encoder.generatorMatrix)).toEqual(
      Array.from({ length: 36 }, (_, i) => (i % 7 === 0 ? 1 : 0)),
    );
  });
});

describe('resuming', () => {
  it('accepts the same options again', async () => {
    const choice: Choice = { enhancementRate: 2, updatingRate: 0.5, part: 're-weighting', classNames: names };
    const { model, enhancement } = await trainedModel(choice);
    const resumed = enhanced(await throughFile(model), choice);
    expect(resumed.encoder.toJSON()).toEqual(enhancement.encoder.toJSON());
    expect(enhanced(model).encoder.classNames).toEqual(names);
  });

  it('goes on with automatic rates, given again or not', async () => {
    const choice: Choice = { enhancementRate: 'auto', updatingRate: 'auto' };
    const { model, enhancement } = await trainedModel(choice);
    const loaded = await throughFile(model);
    for (const given of [{}, choice]) {
      expect(enhanced(loaded, given).encoder.toJSON()).toEqual(enhancement.encoder.toJSON());
    }
    expect(() => enhanced(loaded, { enhancementRate: 3 })).toThrow(
      'enhancementRate is 3, but the model was trained with "auto"',
    );
  });

  it.each<[string, Choice, string]>([
    ['another ε', { enhancementRate: 5 }, 'enhancementRate is 5, but the model was trained with 3'],
    [
      'automatic rates for a number',
      { enhancementRate: 'auto' },
      'enhancementRate is "auto", but the model was trained with 3',
    ],
    ['another μ', { updatingRate: 1 }, 'updatingRate is 1, but the model was trained with 0.1'],
    [
      'a schedule for a number',
      { updatingRate: () => 1 },
      'updatingRate is a function, but the model was trained with 0.1',
    ],
    ['another part', { part: 're-weighting' }, 'part is "re-weighting", but the model was trained with "full"'],
    ['other names', { classNames: names }, 'classNames is ["building",'],
  ])('fault 8: refuses %s', async (_, contradiction, message) => {
    const { model } = await trainedModel();
    expect(() => enhanced(model, contradiction)).toThrow(message);
    expect(() => enhanced(model, contradiction)).toThrow('pass resume: false to start again from one-hot labels');
  });

  it('asks for schedules again, and goes on with them', async () => {
    const enhancementRate: Rate = ({ epoch }) => 1 + epoch;
    const { model, enhancement } = await trainedModel({ enhancementRate });
    const loaded = await throughFile(model);
    expect(() => enhanced(loaded)).toThrow(
      'the model was trained with a function as enhancementRate, which cannot be saved; give it again: enhance(model, { enhancementRate, … })',
    );
    expect(() => enhanced(loaded, { enhancementRate: 3 })).toThrow(
      'enhancementRate is 3, but the model was trained with a function',
    );
    const resumed = enhanced(loaded, { enhancementRate });
    await resumed.callback.onEpochBegin(0);
    await enhancement.callback.onEpochBegin(0);
    expect(resumed.encoder.generatorMatrix).toEqual(enhancement.encoder.generatorMatrix);
  });

  it('fault 8: refuses the state of a model with other classes', async () => {
    const { model } = await trainedModel();
    const other = classifier({ features: 9, classes: 3 });
    other.setUserDefinedMetadata(model.getUserDefinedMetadata());
    const validation = { inputs: tf.zeros([3, 9]), labels: [0, 1, 2] };
    expect(() => enhance(other, { validation })).toThrow(
      'the model carries enhancement for 6 classes and has 3 outputs; pass resume: false',
    );
  });
});
