import { type Random, seededRandom } from '@evenhand/engine';
import { loadRuntime } from '@evenhand/engine/node';
import { columnsOfStream, StreamLearner } from 'evenhand/stream';
import type { StreamWork } from '../streams.js';
import { answer } from './answer.js';

type Row = Record<string, number | string>;

/** Rows that are drawn before the clock starts, and come again and again. */
const DRAWN = 20_000;

/** Our time to predict and learn from a stream, in ms, or by how much memory grew, in MB. */
await answer(async ({ work, rows, columns, classes, batch }: StreamWork) => {
  const drawn = draw(Math.min(rows, DRAWN), columns, classes);
  const learner = await StreamLearner.create(
    { target: 'class', batch },
    columnsOfStream(drawn.slice(0, 100), { target: 'class' }),
    { runtime: await loadRuntime() },
  );
  const take = async (from: number, to: number) => {
    for (let row = from; row < to; row += batch) {
      const start = row % (drawn.length - batch + 1);
      await learner.take(drawn.slice(start, start + batch));
    }
  };
  await take(0, 10 * batch);
  const start = performance.now();
  await take(0, rows / 10);
  const before = held();
  await take(rows / 10, rows);
  const taken = performance.now() - start;
  const after = held();
  await learner.close();
  return { Evenhand: work === 'time' ? taken : after - before };
});

/**
 * Memory in use, in MB: what the process has from the system, but for the part of the heap that holds nothing after a collection and is kept for
 * what comes. That part grows with the speed at which rows come, up to the collector's own limit, and says nothing of what is held.
 */
function held(): number {
  if (globalThis.gc === undefined) throw new Error('the garbage collector cannot be called; expected node --expose-gc');
  globalThis.gc();
  globalThis.gc(); // what the first one finalised
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return (rss - heapTotal + heapUsed) / 2 ** 20;
}

/** As draw() in sklearn_streams.py. */
function draw(rows: number, columns: number, classes: number): Row[] {
  const random = seededRandom(1, 'bench streams');
  const centres = Array.from({ length: classes }, () => Array.from({ length: columns }, () => 0.5 * normal(random)));
  return Array.from({ length: rows }, () => {
    // Each class is three times as rare as the one before.
    const label = Math.min(classes - 1, Math.floor(-Math.log(1 - random()) / Math.log(3)));
    const cells = (centres[label] ?? []).map((centre, i): [string, number] => [`x${i}`, centre + normal(random)]);
    return { ...Object.fromEntries(cells), class: `class ${label}` };
  });
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
