import { afterAll, beforeAll, expect, it } from 'vitest';
import { createModel, createProgram, crossEntropy, sgd } from '../../src/index.js';
import { TranspiledEngine } from './transpiled-engine.js';

const PERIOD = 20;
const DURATION = 3000;
const MOST_LATE = 100;

let engine: TranspiledEngine;
beforeAll(() => {
  engine = new TranspiledEngine();
});
afterAll(() => engine.remove());

it("a trainer at work on ResNet-32 leaves the caller's event loop free", async () => {
  const { Trainer }: typeof import('../../src/node.js') = await import(engine.url('node.js'));
  const program = createProgram(createModel('resnet32', { input: [3, 32, 32], classes: 10 }), {
    batchSize: 32,
    loss: crossEntropy,
    optimizer: sgd({ momentum: 0.9 }),
    labels: 'indices',
    seed: 1,
  });
  const input = Float32Array.from({ length: 32 * 3 * 32 * 32 }, (_, i) => ((i * 7) % 64) / 64);
  const labels = Int32Array.from({ length: 32 }, (_, i) => i % 10);
  const trainer = await Trainer.start(program, { threads: 2 });

  const lateness: number[] = [];
  let due = performance.now() + PERIOD;
  const timer = setInterval(() => {
    lateness.push(performance.now() - due);
    due = performance.now() + PERIOD;
  }, PERIOD);
  const end = performance.now() + DURATION;
  // Two at a time, so that the thread never waits for this one.
  for (let step = 0; performance.now() < end; step += 2) {
    const feeds = { input, labels, learningRate: 0.01 };
    await Promise.all([trainer.step({ ...feeds, step }), trainer.step({ ...feeds, step: step + 1 })]);
  }
  clearInterval(timer);
  await trainer.close();

  // Other tests share the cores, so a few may be late. Were the loop blocked, all would be, by a whole step.
  const late = lateness.filter((milliseconds) => milliseconds > MOST_LATE);
  expect(lateness.length).toBeGreaterThan(DURATION / (PERIOD + MOST_LATE));
  expect(late.length).toBeLessThan(lateness.length / 20);
});
