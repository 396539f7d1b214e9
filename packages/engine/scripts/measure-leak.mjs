// Whether long training needs more and more memory: trains LeNet-5 in a Trainer and prints the resident memory as it goes,
// and how much it has grown since step 500. Run `npm run build` before.
//
//   node packages/engine/scripts/measure-leak.mjs [--steps 10000] [--batch 128] [--threads 2]
import { parseArgs } from 'node:util';
import { createModel, createProgram, crossEntropy, sgd } from '@evenhand/engine';
import { Trainer } from '@evenhand/engine/node';

/** By then every buffer that training keeps has been allocated. */
const WARM_UP = 500;

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '10000' },
    batch: { type: 'string', default: '128' },
    threads: { type: 'string', default: '2' },
  },
});
const steps = Number(values.steps);
const batchSize = Number(values.batch);
if (!(steps > WARM_UP)) throw new RangeError(`--steps is ${values.steps}; expected more than ${WARM_UP}`);

const program = createProgram(createModel('lenet5', { input: [1, 28, 28], classes: 10 }), {
  batchSize,
  loss: crossEntropy,
  optimizer: sgd({ momentum: 0.9 }),
  labels: 'indices',
  seed: 1,
});
const labels = Int32Array.from({ length: batchSize }, (_, row) => row % 10);
const input = Float32Array.from(
  { length: batchSize * 784 },
  (_, i) => ((i * (3 + (labels[Math.floor(i / 784)] ?? 0))) % 64) / 64,
);
const megabytes = () => process.memoryUsage.rss() / 2 ** 20;

const trainer = await Trainer.start(program, { threads: Number(values.threads) });
const begin = performance.now();
let warm = 0;
for (let step = 0; step < steps; step++) {
  if (step === WARM_UP) warm = megabytes();
  if (step % WARM_UP === 0) console.log(`step ${step}: ${megabytes().toFixed(1)} MiB`);
  await trainer.step({ input, labels, learningRate: 0.01, step });
}
const seconds = (performance.now() - begin) / 1000;
const growth = megabytes() - warm;
await trainer.close();
console.log(
  `${steps} steps of ${batchSize} in ${seconds.toFixed(1)} s: grown by ${growth.toFixed(1)} MiB since step ${WARM_UP}`,
);
