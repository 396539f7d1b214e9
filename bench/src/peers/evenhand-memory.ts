import { createModel } from '@evenhand/engine';
import { CLASSES, startTraining } from '../training.js';
import { answer } from './answer.js';
import { peakMemory } from './peak-memory.js';

/** The most memory that a process has held which does nothing but train ResNet-32, in MB. */
await answer(async ({ batch, runs }) => {
  const { train, close } = await startTraining(
    createModel('resnet32', { input: [3, 32, 32], classes: CLASSES }),
    batch,
  );
  for (let run = 0; run < runs; run++) await train(1);
  await close();
  return { Evenhand: peakMemory() };
});
