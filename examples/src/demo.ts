// `npm start`: a small network on a lopsided problem, once with one-hot labels and once with enhancement encoding, with
// the same data, the same initial weights and the same recipe.
import { type ClassificationReport, classificationReport, reportTable } from '@evenhand/encoding';
import { enhance } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';

const CLASSES = ['maple', 'oak', 'birch', 'larch', 'rowan', 'yew'];
const TRAINING = [300, 150, 75, 38, 19, 10];
const FEATURES = 8;
const EPOCHS = 40;

interface Sample {
  readonly inputs: tf.Tensor2D;
  readonly labels: number[];
}

/** Clusters that overlap: leaves of six trees, measured in eight ways that tell them apart only together. */
function sample(counts: readonly number[], seed: number): Sample {
  return tf.tidy(() => {
    const labels = counts.flatMap((count, label) => Array.from({ length: count }, () => label));
    const centres = tf.randomNormal([CLASSES.length, FEATURES], 0, 0.75, 'float32', 7);
    const noise = tf.randomNormal([labels.length, FEATURES], 0, 1, 'float32', seed);
    return { inputs: tf.gather(centres, labels).add<tf.Tensor2D>(noise), labels };
  });
}

function network(): tf.Sequential {
  const kernelInitializer = (seed: number) => tf.initializers.glorotUniform({ seed });
  return tf.sequential({
    layers: [
      tf.layers.dense({
        inputShape: [FEATURES],
        units: 24,
        activation: 'relu',
        kernelInitializer: kernelInitializer(1),
      }),
      tf.layers.dense({ units: CLASSES.length, kernelInitializer: kernelInitializer(2) }),
      tf.layers.batchNormalization({ momentum: 0.9 }),
      tf.layers.softmax(),
    ],
  });
}

async function train(
  enhanced: boolean,
  training: Sample,
  validation: Sample,
  test: Sample,
): Promise<ClassificationReport> {
  const model = network();
  const enhancement = enhance(model, { validation, classNames: CLASSES });
  model.compile({
    optimizer: tf.train.adam(0.01),
    loss: enhanced ? enhancement.crossEntropy : 'categoricalCrossentropy',
  });
  const progress = (epoch: number) => {
    const text = `${enhanced ? 'enhancement' : 'one-hot    '}  epoch ${String(epoch + 1).padStart(2)} of ${EPOCHS}`;
    if (process.stdout.isTTY) process.stdout.write(`\r${text}${epoch + 1 === EPOCHS ? '\n' : ''}`);
    else if (epoch + 1 === EPOCHS) process.stdout.write(`${text}\n`);
  };
  await model.fit(training.inputs, tf.oneHot(training.labels, CLASSES.length), {
    epochs: EPOCHS,
    shuffle: false, // the order is drawn once, below, for both
    verbose: 0,
    callbacks: [new tf.CustomCallback({ onEpochEnd: progress }), ...(enhanced ? [enhancement.callback] : [])],
  });
  const outputs = model.predict(test.inputs);
  const scores = Float32Array.from((await (Array.isArray(outputs) ? outputs[0] : outputs)?.data()) ?? []);
  return classificationReport(test.labels, scores, { classes: CLASSES, trainingCounts: TRAINING });
}

/** The same rows in an order that a seed decides. */
function shuffled({ inputs, labels }: Sample, seed: number): Sample {
  const keys = tf.randomUniform([labels.length], 0, 1, 'float32', seed).dataSync();
  const order = labels.map((_, i) => i).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return { inputs: tf.gather(inputs, order), labels: order.map((i) => labels[i] ?? 0) };
}

await tf.setBackend('cpu');
console.log(`Six kinds of leaves, ${TRAINING.join(', ')} of them to train on; a network of ${FEATURES}–24–6.\n`);
const data = [
  shuffled(sample(TRAINING, 11), 12),
  sample(
    CLASSES.map(() => 5),
    13,
  ),
  sample(
    CLASSES.map(() => 200),
    14,
  ),
] as const;
const oneHot = await train(false, ...data);
const enhanced = await train(true, ...data);

console.log(`\n${reportTable(enhanced)}\n`);
console.log('                      one-hot   enhancement');
const percent = (value: number | null | undefined) => `${(100 * (value ?? Number.NaN)).toFixed(1)} %`.padStart(12);
const line = (name: string, value: (report: ClassificationReport) => number | null | undefined) =>
  console.log(`${name.padEnd(18)}${percent(value(oneHot))} ${percent(value(enhanced))}`);
CLASSES.forEach((name, p) => {
  line(`recall of ${name}`, (report) => report.perClass[p]?.recall.value);
});
line('top-1 accuracy', (report) => report.accuracy);
line('minority accuracy', (report) => report.minority.accuracy.value);
