// One trial of tune.mjs: node train-trial.mjs '<JSON>'. Its accuracy goes to standard output; no test image is looked at.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, readMnist, splitDataset, train } from 'evenhand';

const SETTINGS = {
  even: { imbalance: { kind: 'mnist-even' }, validationPerClass: 10 },
  'long-tail': { imbalance: { kind: 'mnist-long-tail' }, validationPerClass: 5 },
};
const LOSSES = {
  mse: { name: 'mean-square-error' },
  ce: { name: 'cross-entropy' },
  fl: { name: 'focal', gamma: 2 },
};
const HELD_OUT_PER_CLASS = 100;

const trial = JSON.parse(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'evenhand-mnist-'));
try {
  const measured = await (trial.images === 'held-out' ? onHeldOutImages() : onValidationImages());
  process.stdout.write(JSON.stringify(measured));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** With the table's data but for the draw of the validation images; stopped before the test set would be read. */
async function onValidationImages() {
  const config = configOf({ source: 'mnist', ...SETTINGS[trial.setting], validationDraw: trial.draw });
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
  const mnist = await readMnist();
  const { imbalance, validationPerClass } = SETTINGS[trial.setting];
  const split = splitDataset(mnist, { seed: 0, imbalance, validationPerClass });
  const places = Int32Array.from([...split.training, ...split.validation]).sort();
  const size = mnist.pixels.length / mnist.labels.length;
  const pixels = new Uint8Array(places.length * size);
  places.forEach((place, i) => {
    pixels.set(mnist.pixels.subarray(place * size, (place + 1) * size), i * size);
  });
  const labels = places.map((place) => mnist.labels[place]);
  const dataset = { ...mnist, labels, pixels, officialTest: heldOut(labels, trial.draw) };
  const config = configOf({ source: 'mnist', validationPerClass, duplicatesTogether: false });
  const { evaluation } = await train(config, { folder: join(folder, 'run'), dataset });
  return { accuracy: evaluation.report.accuracy };
}

/** Places of as many images of each class; those of two draws have none in common. */
function heldOut(labels, draw) {
  const seen = new Map();
  const isDrawn = (place) => {
    const rank = seen.get(labels[place]) ?? 0;
    seen.set(labels[place], rank + 1);
    return Math.floor(rank / HELD_OUT_PER_CLASS) === draw;
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
  return parseConfig({
    data,
    method: trial.method,
    loss: LOSSES[trial.loss],
    optimizer: { name: optimizer, learningRate, weightDecay },
    batchSize,
    epochs,
    ...(padding === undefined ? {} : { augmentation: { padding, flip: false } }),
    seed: trial.draw,
    threads: 1,
  });
}
