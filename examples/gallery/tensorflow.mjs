// Six kinds of glass with an existing TensorFlow.js model: node examples/gallery/tensorflow.mjs [--quick] [--out folder] [--results folder]
// The table is tabular/glass.csv in the folder that EVENHAND_DATA names. Needs @evenhand/tfjs and @tensorflow/tfjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { enhance } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';
import { writeLineChart } from './line-chart.mjs';
import { dataPath, out, percent, quick, tell } from './story.mjs';

await tf.setBackend('cpu');
const [, ...lines] = readFileSync(dataPath('tabular', 'glass.csv'), 'utf8').trim().split('\n');
const rows = lines.map((line) => line.split(','));
const classes = [...new Set(rows.map((row) => row[9]))].sort();
const features = rows.map((row) => row.slice(0, 9).map(Number));
const labels = rows.map((row) => classes.indexOf(row[9]));

// Of every class, three rows are for validation, every fourth of the others is for testing, and the rest are for training.
const seen = classes.map(() => 0);
const parts = labels.map((label) => {
  const place = seen[label]++;
  if (place < 3) return 'validation';
  return place % 4 === 3 ? 'test' : 'training';
});
const indices = (part) => parts.flatMap((own, i) => (own === part ? [i] : []));
const means = features[0].map((_, column) => tf.moments(indices('training').map((i) => features[i][column])));
const scales = means.map(({ mean, variance }) => [mean.dataSync()[0], Math.sqrt(variance.dataSync()[0]) || 1]);
const inputsOf = (part) =>
  tf.tensor2d(
    indices(part).map((i) => features[i].map((value, column) => (value - scales[column][0]) / scales[column][1])),
  );
const labelsOf = (part) => indices(part).map((i) => labels[i]);
const validation = { inputs: inputsOf('validation'), labels: labelsOf('validation') };

const curves = [];
for (const enhanced of [false, true]) {
  const model = tf.sequential();
  model.add(
    tf.layers.dense({
      units: 32,
      activation: 'relu',
      inputShape: [9],
      kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }),
    }),
  );
  model.add(tf.layers.dense({ units: classes.length, kernelInitializer: tf.initializers.glorotNormal({ seed: 2 }) }));
  model.add(tf.layers.batchNormalization({ momentum: 0.9 }));
  model.add(tf.layers.softmax());

  const enhancement = enhance(model, { validation });
  model.compile({
    optimizer: tf.train.adam(0.01),
    loss: enhanced ? enhancement.crossEntropy : 'categoricalCrossentropy',
  });
  const curve = [];
  for (let epoch = 0; epoch < (quick ? 2 : 60); epoch++) {
    await model.fit(inputsOf('training'), tf.oneHot(labelsOf('training'), classes.length), {
      epochs: 1,
      shuffle: false,
      verbose: 0,
      callbacks: enhanced ? enhancement.callback : {},
    });
    curve.push(balancedAccuracy(model.predict(inputsOf('test')).argMax(-1).dataSync(), labelsOf('test')));
  }
  curves.push(curve);
}

function balancedAccuracy(answers, truth) {
  const recalls = classes.map((_, label) => {
    const own = truth.flatMap((one, i) => (one === label ? [answers[i] === label] : []));
    return own.filter(Boolean).length / own.length;
  });
  return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}

writeLineChart(join(out, 'tensorflow.svg'), {
  title: 'Balanced accuracy on the test rows over the epochs',
  lines: { 'one-hot labels': curves[0], 'enhanced labels': curves[1] },
  last: `epoch ${curves[0].length}`,
});
const names = ['one-hot labels', 'enhanced labels'];
const reached = curves.map((curve) => curve.at(-1));
const testRows = labelsOf('test').length;
tell(
  'tensorflow',
  { testRows, ...Object.fromEntries(names.map((name, i) => [name, reached[i]])) },
  names.map((name, i) => `${name}: balanced accuracy ${percent(reached[i])} on ${testRows} test rows`),
);
