import { parentPort, workerData } from 'node:worker_threads';
import { Gate } from '@evenhand/engine/node';
import { openModel, type Predictor } from '../prediction/predictor.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { columnsOf } from './cells.js';
import type { Instances, ModelMessage, ModelWorkerStart } from './model-thread.js';

const { model, threads, gate: memory }: ModelWorkerStart = workerData;
const gate = new Gate(memory);

function say(message: ModelMessage): void {
  parentPort?.postMessage(message);
}

async function orFailed(work: () => Promise<ModelMessage>): Promise<void> {
  try {
    say(await gate.enter(work));
  } catch (error) {
    say({ kind: 'failed', message: errorMessage(error), byUser: error instanceof UserError });
  }
}

function predict(predictor: Predictor, instances: Instances) {
  const { preprocessing } = predictor;
  if (instances instanceof Uint8Array) return predictor.predictPixels(instances);
  if (preprocessing.kind !== 'table') throw new Error('internal: cells for a model of images');
  const types = preprocessing.columns.map(({ type }) => type);
  return predictor.predictTable(columnsOf(types, instances));
}

await orFailed(async () => {
  const predictor = await openModel(model, { threads });
  parentPort?.on('message', (instances: Instances) =>
    orFailed(async () => {
      const { classes, probabilities } = await predict(predictor, instances);
      return { kind: 'answers', classes, probabilities };
    }),
  );
  return { kind: 'ready' };
});
