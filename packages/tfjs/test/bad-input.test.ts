import { type EnhanceOptions, enhance } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { classifier } from './models.js';

beforeAll(async () => {
  await tf.setBackend('cpu');
});

function validation() {
  return { inputs: tf.zeros([3, 4]), labels: [0, 1, 2] };
}

function ending(...layers: tf.layers.Layer[]): tf.Sequential {
  return tf.sequential({ layers: [tf.layers.dense({ units: 5, inputShape: [4] }), ...layers], name: 'mine' });
}

/** What `enhance` warns of. */
function warnings(model: tf.LayersModel, choice: Partial<EnhanceOptions> = {}): string[] {
  const said: string[] = [];
  enhance(model, { validation: validation(), warn: (message) => said.push(message), ...choice });
  return said;
}

describe('the warning about batch normalisation', () => {
  const { dense, batchNormalization, softmax, activation, dropout } = tf.layers;

  it('is not given where batch normalisation stands directly before the softmax', () => {
    expect(warnings(ending(dense({ units: 3 }), batchNormalization(), softmax()))).toEqual([]);
    expect(warnings(ending(dense({ units: 3 }), batchNormalization(), activation({ activation: 'softmax' })))).toEqual(
      [],
    );
  });

  it('is not given where the model is used as a layer of another', () => {
    expect(warnings(tf.sequential({ layers: [classifier({ features: 4, classes: 3 })] }))).toEqual([]);
  });

  it('is not given where a model of logits ends in batch normalisation', () => {
    expect(warnings(ending(dense({ units: 3 }), batchNormalization()), { fromLogits: true })).toEqual([]);
  });

  it('is given once, says what happens and how to end the model', () => {
    const said = warnings(ending(dense({ units: 3, activation: 'softmax' })));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('model "mine" has no batch normalisation directly before its softmax');
    expect(said[0]).toContain('the logits grow without bound, and a large enhancementRate diverges');
    expect(said[0]).toContain('or lower enhancementRate');
    expect(said[0]).toContain(
      '  model.add(tf.layers.dense({ units: 3 }));\n  model.add(tf.layers.batchNormalization());\n  model.add(tf.layers.softmax());\n',
    );
  });

  it('is given where something else stands before the softmax', () => {
    expect(warnings(ending(dense({ units: 3 }), softmax()))).toHaveLength(1);
    expect(warnings(ending(batchNormalization(), dense({ units: 3 }), softmax()))).toHaveLength(1);
    expect(warnings(ending(batchNormalization(), dense({ units: 3, activation: 'softmax' })))).toHaveLength(1);
    expect(warnings(ending(dense({ units: 3 }), batchNormalization(), dropout({ rate: 0.5 }), softmax()))).toHaveLength(
      1,
    );
    const [said] = warnings(ending(batchNormalization(), dense({ units: 3 })), { fromLogits: true });
    expect(said).not.toContain('tf.layers.softmax()');
  });

  it('goes to console.warn unless told otherwise, and not again while training', async () => {
    const consoleWarn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const enhancement = enhance(ending(dense({ units: 3, activation: 'softmax' })), { validation: validation() });
    await enhancement.callback.onEpochBegin(0);
    await enhancement.callback.onEpochBegin(1);
    expect(consoleWarn).toHaveBeenCalledTimes(1);
    consoleWarn.mockRestore();
  });
});

describe('a model', () => {
  const refused = (model: tf.LayersModel, choice: Partial<EnhanceOptions> = {}) =>
    expect(() => enhance(model, { validation: validation(), ...choice }));

  it('without a shape is refused', () => {
    refused(tf.sequential({ name: 'mine' })).toThrow(
      'model "mine" has no output yet; expected a built model: give its first layer an inputShape',
    );
  });

  it('of one output unit is refused', () => {
    refused(ending(tf.layers.dense({ units: 1, activation: 'sigmoid' }))).toThrow(
      'the output of model "mine" has shape [batch, 1]; expected [batch, classes] with at least 2 classes: give the last layer 2 units and a softmax instead of 1 unit and a sigmoid',
    );
  });

  it('of outputs that are no rows is refused', () => {
    refused(ending(tf.layers.repeatVector({ n: 2 }))).toThrow(
      'the output of model "mine" has shape [batch, 2, 5]; expected [batch, classes] with at least 2 classes',
    );
  });

  it('of several outputs is refused', () => {
    const input = tf.input({ shape: [4] });
    const head = () => {
      const output = tf.layers.dense({ units: 3, activation: 'softmax' }).apply(input);
      if (!(output instanceof tf.SymbolicTensor)) throw new TypeError('expected one symbolic tensor');
      return output;
    };
    refused(tf.model({ inputs: input, outputs: [head(), head()], name: 'mine' })).toThrow(
      'model "mine" has 2 outputs; expected one: enhance a tf.model() of the output that classifies',
    );
  });

  it('of logits needs fromLogits, and only that', () => {
    const logits = ending(tf.layers.dense({ units: 3, name: 'last' }));
    refused(logits).toThrow(
      'model "mine" ends in layer "last" (Dense, activation linear); expected probabilities: end it with tf.layers.softmax(), or pass fromLogits: true',
    );
    refused(ending(tf.layers.dense({ units: 3 }), tf.layers.batchNormalization())).toThrow(
      'BatchNormalization, activation linear',
    );
    refused(classifier({ features: 4, classes: 3 }), { fromLogits: true }).toThrow(
      /\(Softmax, activation softmax\) and fromLogits is true; expected logits: leave fromLogits out, or drop the softmax/,
    );
  });

  it('fault 36: whose outputs turn out not to be probabilities is refused at the first epoch', async () => {
    const model = ending(tf.layers.dense({ units: 3 }), tf.layers.reLU());
    const { callback } = enhance(model, {
      validation: { ...validation(), inputs: tf.ones([3, 4]) },
      warn: () => undefined,
    });
    await expect(callback.onEpochBegin(0)).rejects.toThrow(
      /outputs for the validation set are not probabilities: probabilities row 0 sums to .*; expected 1 ± 0.001.*fromLogits: true/,
    );
  });
});

describe('options', () => {
  const refused = (choice: Partial<EnhanceOptions>) =>
    expect(() => enhance(classifier({ features: 4, classes: 3 }), { validation: validation(), ...choice }));
  const inputs = tf.zeros([3, 4]);

  it.each<[string, Partial<EnhanceOptions>, string]>([
    ['ε below 0', { enhancementRate: -1 }, 'enhancementRate is -1; expected a finite number of at least 0'],
    ['μ above 1', { updatingRate: 1.5 }, 'updatingRate is 1.5; expected a number from 0 to 1'],
    ['μ below 0', { updatingRate: -0.1 }, 'updatingRate is -0.1; expected a number from 0 to 1'],
    ['too few names', { classNames: ['a', 'b'] }, 'classNames has 2 names; expected 3'],
    [
      'the same name twice',
      { classNames: ['a', 'b', 'a'] },
      'classes[2] is "a", and so is classes[0]; names must differ',
    ],
    [
      'a label too high',
      { validation: { inputs, labels: [0, 1, 3] } },
      'labels[2] is 3; expected an integer from 0 to 2 (3 classes)',
    ],
    [
      'a label below 0',
      { validation: { inputs, labels: [0, -1, 2] } },
      'labels[1] is -1; expected an integer from 0 to 2',
    ],
    [
      'a fractional label',
      { validation: { inputs, labels: [0, 0.5, 2] } },
      'labels[1] is 0.5; expected an integer from 0 to 2',
    ],
    [
      'a fractional label in a tensor',
      { validation: { inputs, labels: tf.tensor1d([0, 0.5, 2]) } },
      'labels[1] is 0.5; expected an integer',
    ],
    [
      'fewer labels than rows',
      { validation: { inputs, labels: [0, 1] } },
      'validation.inputs[0] has shape [3, 4] and validation.labels has 2 labels; expected as many rows as labels',
    ],
    [
      'nothing',
      { validation: { inputs: tf.zeros([0, 4]), labels: [] } },
      'validation is empty; expected some examples of every class',
    ],
    [
      'one-hot rows of another width',
      { validation: { inputs, labels: tf.zeros([3, 4]) } },
      'validation.labels has shape [3, 4]; expected [examples] of class indices or [examples, 3] of one-hot rows',
    ],
    [
      'rows that are not one-hot',
      {
        validation: {
          inputs,
          labels: tf.tensor2d([
            [1, 0, 0],
            [0, 0.5, 0.5],
            [0, 0, 1],
          ]),
        },
      },
      'validation.labels row 1 is [0, 0.5, 0.5]; expected a one-hot row: a single 1, and 0 elsewhere',
    ],
    [
      'too many inputs',
      { validation: { inputs: [inputs, inputs], labels: [0, 1, 2] } },
      'validation.inputs holds 2 tensors; expected 1, one for each input of model',
    ],
  ])('%s is refused', (_, choice, message) => {
    refused(choice).toThrow(message);
  });

  const expected =
    'expected { inputs, labels }: a tensor of examples that are not trained on, some of every class, and the class of each';
  it.each([
    ['no options', undefined, `validation is undefined; ${expected}`],
    ['no validation', {}, `validation is undefined; ${expected}`],
    ['null as validation', { validation: null }, `validation is null; ${expected}`],
    ['validation without inputs', { validation: { labels: [0, 1, 2] } }, `validation has no inputs; ${expected}`],
    ['validation without labels', { validation: { inputs } }, `validation has no labels; ${expected}`],
    [
      'inputs that are numbers',
      { validation: { inputs: [[0, 0, 0, 0]], labels: [0] } },
      'validation.inputs is not a tensor; expected one, for instance tf.tensor2d(rows), or an array of them',
    ],
  ])('of a JavaScript caller: %s is refused', (_, options, message) => {
    // As a caller without TypeScript can: through a function that takes anything.
    const call = () => Reflect.apply(enhance, undefined, [classifier({ features: 4, classes: 3 }), options]);
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  it('a schedule that leaves its range is refused when it does', async () => {
    const enhancement = enhance(classifier({ features: 4, classes: 3 }), {
      validation: validation(),
      updatingRate: () => 2,
    });
    await expect(enhancement.callback.onEpochBegin(0)).rejects.toThrow(
      'updatingRate is 2; expected a number from 0 to 1',
    );
  });

  it('that are refused leave no tensor behind', () => {
    const model = classifier({ features: 4, classes: 3 });
    const before = tf.memory().numTensors;
    expect(() => enhance(model, { validation: { inputs, labels: [0, 1, 7] } })).toThrow();
    expect(tf.memory().numTensors).toBe(before);
  });
});
