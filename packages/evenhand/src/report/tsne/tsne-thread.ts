import { Worker } from 'node:worker_threads';
import { tsne } from './tsne.js';

/** What a thread is asked for. */
export interface TsneOrder {
  readonly data: Float64Array;
  readonly points: number;
  readonly seed: number;
}

/** What a thread says: how far it is, and at last the points. */
export type TsneMessage = { readonly done: number; readonly total: number } | { readonly embedding: Float64Array };

/** Fewer points are placed before a thread has started. */
const FEW = 500;

/** {@link tsne} beside everything else that goes on: in a thread of its own, if it takes long. */
export async function tsneInThread(
  { data, points, seed }: TsneOrder,
  onStep: (done: number, total: number) => void,
): Promise<Float64Array> {
  if (points < FEW) return tsne(data, points, seed);
  const workerData: TsneOrder = { data, points, seed };
  const worker = new Worker(new URL('./tsne-worker.js', import.meta.url), { workerData, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: TsneMessage) => {
      if ('embedding' in message) resolve(message.embedding);
      else onStep(message.done, message.total);
    });
    worker.once('error', reject);
    // After its points nobody listens to this.
    worker.once('exit', (code) => reject(new Error(`internal: the thread of the t-SNE ended with code ${code}`)));
  });
}
