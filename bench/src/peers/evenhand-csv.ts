import { readTableFile } from 'evenhand/data';
import { answer } from './answer.js';
import { peakMemory } from './peak-memory.js';

/** Our time to read a table, in ms, or the most memory that it took, in MB. */
await answer(async ({ work, path }: { readonly work: 'time' | 'memory'; readonly path: string }) => {
  const start = performance.now();
  await readTableFile(path, { target: 'class' });
  return { Evenhand: work === 'time' ? performance.now() - start : peakMemory() };
});
