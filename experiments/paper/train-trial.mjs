// One trial of tune.mjs: node train-trial.mjs '<JSON>'. Its accuracy goes to standard output; no test image is looked at.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, readCifar10, readMnist, splitDataset, train } from 'evenhand';

const MNIST = { read: readMnist, source: 'mnist', model: 'lenet5', gamma: 2, flip: false, warmUpEpochs: 0 };
/** `heldOut`: how many images of a class are held out, of those that it has. */
const SETTINGS = {
  even: { ...MNIST, imbalance: { kind: 'mnist-even' }, validationPerClass: 10, heldOut: () => 100 },
  // Its rarest class has twelve images, too few to hold any out.
  'long-tail': { ...MNIST, imbalance: { kind: 'mnist-long-tail' }, validationPerClass: 5 },
  'cifar10-lt': {
    ...{ read: readCifar10, source: 'cifar10', model: 'resnet32', gamma: 1, flip: true, warmUpEpochs: 1 },
    ...{ imbalance: { kind: 'cifar10-lt' }, validationPerClass: 5, heldOut: (images) => Math.floor(images / 5) },
  },
  caltech101: {
    ...{ source: 'caltech101', model: 'resnet34', gamma: 0.5, flip: true, warmUpEpochs: 1 },
    // Its rarest class has eleven images beside those for the test, too few to hold any out.
    ...{ validationPerClass: 5, reading: { testPerClass: 20, imageSize: 32 } },
  },
};

const LOSSES = {
  mse: () => ({ name: 'mean-square-error' }),
  ce: () => ({ name: 'cross-entropy' }),
  fl: (gamma) => ({ name: 'focal', gamma }),
};

const trial = JSON.parse(process.argv[2]);
const setting = SETTINGS[trial.setting];
const { source, reading, imbalance, validationPerClass } = setting;
const folder = await mkdtemp(join(tmpdir(), 'evenhand-trial-'));
try {
  const measured = await (trial.images === 'held-out' ? onHeldOutImages() : onValidationImages());
  process.stdout.write(JSON.stringify(measured));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** With the table's data but for the draw of the validation images; stopped before the test set would be read. */
async function onValidationImages() {
  const config = configOf({ source, ...reading, imbalance, validationPerClass, validationDraw: trial.draw });
  const end = new AbortController();
  let measured;
  const onEvent = (event) => {
    if (event.kind !== 'epoch' || event.metrics.epoch + 1 < config.epochs) return;
    const { accuracy, softAccuracy } = event.metrics.validation;
    measured = { accuracy, softAccuracy };
    end.abort(new Error('done'));
  };
  await train(config, { folder: join(folder, 'run'), onEvent, signal: end.signal }).catch((error) => {
    if (error !== end.signal.reason) throw error;
  });
  return measured;
}

/** With a part of the table's training images in the place of the test set, and validation images out of the rest. */
async function onHeldOutImages() {
  const whole = await setting.read();
  const split = splitDataset(whole, { seed: 0, imbalance, validationPerClass });
  const places = Int32Array.from([...split.training, ...split.validation]).sort();
  const size = whole.pixels.length / whole.labels.length;
  const pixels = new Uint8Array(places.length * size);
  places.forEach((place, i) => {
    pixels.set(whole.pixels.subarray(place * size, (place + 1) * size), i * size);
  });
  const labels = places.map((place) => whole.labels[place]);
  const dataset = { ...whole, labels, pixels, officialTest: heldOut(labels, trial.draw) };
  const config = configOf({ source, validationPerClass, duplicatesTogether: false });
  const { evaluation } = await train(config, { folder: join(folder, 'run'), dataset });
  return { accuracy: evaluation.report.balancedAccuracy };
}

/** Places of images of each class; those of two draws have none in common. */
function heldOut(labels, draw) {
  const sizes = new Map();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const seen = new Map();
  const isDrawn = (place) => {
    const rank = seen.get(labels[place]) ?? 0;
    seen.set(labels[place], rank + 1);
    return Math.floor(rank / setting.heldOut(sizes.get(labels[place]))) === draw;
  };
  return Int32Array.from(shuffled([...labels.keys()]).filter(isDrawn)).sort();
}

/** Always in the same way. */
function shuffled(values) {
  let state = 12345;
  for (let i = values.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [values[i], values[j]] = [values[j], values[i]];
  }
  return values;
}

function configOf(data) {
  const { optimizer = 'sgd', learningRate, weightDecay, batchSize, epochs, padding } = trial.recipe;
  const { model, gamma, flip, warmUpEpochs } = setting;
  return parseConfig({
    data,
    model: { name: model, logitNorm: true },
    method: trial.method,
    loss: LOSSES[trial.loss](gamma),
    optimizer: { name: optimizer, learningRate, weightDecay },
    schedule: { name: 'cosine', warmUpEpochs },
    batchSize,
    epochs,
    ...(padding === undefined ? {} : { augmentation: { padding, flip } }),
    seed: trial.draw,
    threads: 1,
  });
}
