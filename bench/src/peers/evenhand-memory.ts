import { readFileSync } from 'node:fs';
import { createModel } from '@evenhand/engine';
import { CLASSES, startTraining } from '../training.js';
import { answer } from './answer.js';

/** The most memory that a process has held which does nothing but train ResNet-32, in MB. */
await answer(async ({ batch, runs }) => {
  const { train, close } = await startTraining(
    createModel('resnet32', { input: [3, 32, 32], classes: CLASSES }),
    batch,
  );
  for (let run = 0; run < runs; run++) await train();
  await close();
  return { Evenhand: peakMemory() };
});

function peakMemory(): number {
  // Linux hands maxRSS on from the process that started this one, which may have held far more; VmHWM is its own.
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}
