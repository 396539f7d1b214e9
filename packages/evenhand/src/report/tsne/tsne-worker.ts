import { parentPort, workerData } from 'node:worker_threads';
import { tsne } from './tsne.js';
import type { TsneMessage, TsneOrder } from './tsne-thread.js';

const { data, points, seed }: TsneOrder = workerData;

function say(message: TsneMessage): void {
  parentPort?.postMessage(message);
}

say({ embedding: tsne(data, points, seed, (done, total) => say({ done, total })) });
