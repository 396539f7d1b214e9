// `npm start`: LeNet-5 on long-tailed MNIST with cross-entropy, once with one-hot labels and once with enhancement
// encoding; the same images, initial weights, order and recipe.
import { mkdirSync, writeFileSync } from 'node:fs';
import { type ClassificationReport, classCounts, classificationReport, EnhancementEncoder } from '@evenhand/encoding';
import { createModel, createProgram, crossEntropy, schedules, seededRandom, sgd } from '@evenhand/engine';
import { Trainer } from '@evenhand/engine/node';
import { CLASSES, longTailedMnist, select, shuffled } from './long-tailed-mnist.js';

const SEED = 1;
const EPOCHS = 30;
const BATCH = 128;
const LEARNING_RATE = 0.01;
const REPORT = 'runs/demo/report.md';

const data = longTailedMnist(seededRandom(SEED, 'long tail'));
const trainingCounts = classCounts(data.training.labels, CLASSES);

async function train(name: string, enhancementRate: number): Promise<ClassificationReport> {
  const program = createProgram(createModel('lenet5', { input: [1, 28, 28], classes: CLASSES }), {
    batchSize: BATCH,
    inputType: 'uint8',
    normalisation: { mean: [0.1307], std: [0.3081] },
    labels: 'indices-with-generator',
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
    seed: SEED,
  });
  const trainer = await Trainer.start(program);
  const encoder = new EnhancementEncoder({ classes: CLASSES, enhancementRate });
  const places = Array.from(data.training.labels.keys());
  const stepsPerEpoch = Math.floor(places.length / BATCH);
  const rate = schedules.cosine({ rate: LEARNING_RATE, steps: EPOCHS * stepsPerEpoch });
  const started = performance.now();

  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    encoder.observe(data.validation.labels, await trainer.predict(data.validation.pixels));
    encoder.update();
    const generator = Float32Array.from(encoder.generatorMatrix);
    const order = shuffled(places, seededRandom(SEED, `epoch ${epoch}`));
    let loss = 0;
    for (let s = 0; s < stepsPerEpoch; s++) {
      const batch = select(data.training, order.slice(s * BATCH, (s + 1) * BATCH));
      const step = epoch * stepsPerEpoch + s;
      const feeds = { input: batch.pixels, labels: batch.labels, generator, learningRate: rate(step), step };
      loss += (await trainer.step(feeds)) / stepsPerEpoch;
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    progress(`${name}  epoch ${epoch + 1} of ${EPOCHS}  loss ${loss.toFixed(3)}  ${seconds} s`, epoch + 1 === EPOCHS);
  }
  const probabilities = await trainer.predict(data.test.pixels);
  await trainer.close();
  return classificationReport(data.test.labels, probabilities, { classes: CLASSES, trainingCounts });
}

/** In place on a terminal; elsewhere only the last line. */
function progress(text: string, last: boolean): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}${last ? '\n' : ''}`);
  else if (last) process.stdout.write(`${text}\n`);
}

function comparison(oneHot: ClassificationReport, enhanced: ClassificationReport): string {
  const percent = (value: number | null | undefined) => (100 * (value ?? Number.NaN)).toFixed(2);
  const row = (name: string, value: (report: ClassificationReport) => number | null | undefined) =>
    `| ${name.padEnd(32)} | ${percent(value(oneHot)).padStart(7)} | ${percent(value(enhanced)).padStart(11)} |`;
  return [
    `| ${'%'.padEnd(32)} | one-hot | enhancement |`,
    `|${'-'.repeat(34)}|--------:|------------:|`,
    ...Array.from(trainingCounts, (count, digit) =>
      row(`recall of ${digit}, ${count} to train on`, (report) => report.perClass[digit]?.recall.value),
    ),
    row('top-1 accuracy', (report) => report.accuracy),
    row('accuracy of the 5 rarest digits', (report) => report.minority.accuracy.value),
  ].join('\n');
}

console.log(
  `Long-tailed MNIST: ${data.training.labels.length} images to train on, 50 to validate, 10000 to test. LeNet-5.\n`,
);
const table = comparison(await train('one-hot    ', 0), await train('enhancement', 3));
mkdirSync('runs/demo', { recursive: true });
writeFileSync(
  REPORT,
  `# One-hot labels against enhancement encoding, long-tailed MNIST\n\nLeNet-5, cross-entropy, ${EPOCHS} epochs, batch ${BATCH}, SGD with momentum 0.9, weight decay 5e-4, learning rate ${LEARNING_RATE} with cosine decay, seed ${SEED}; ε = 3, μ = 0.3.\n\n${table}\n`,
);
console.log(`\n${table}\n\nThe same as a file: ${REPORT}`);
