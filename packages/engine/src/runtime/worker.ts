/// <reference types="node" />
import { parentPort, workerData } from 'node:worker_threads';
import { errorRecord } from './errors.js';
import { Gate, gated } from './gate.js';
import { loadRuntime } from './node-runtime.js';
import { buffersOf, type RequestMessage, type Response, type ResponseMessage, type WorkerStart } from './protocol.js';
import { ProgramSession } from './session.js';

// The file that a `Trainer` starts as a worker thread: a program's session, driven by messages. Messages are taken in their
// order, and the session queues its calls.

if (parentPort === null) throw new Error('internal: worker.js is started by a Trainer, not by itself');
const port = parentPort;
const start: WorkerStart = workerData;
const session = create();
session.catch(() => undefined); // whoever asks for it is told

port.on('message', async ({ id, request }: RequestMessage) => {
  const [response, handedOver] = await answer(request).catch(
    (error: unknown): Answer => [{ kind: 'failed', error: errorRecord(error) }],
  );
  const message: ResponseMessage = { id, response };
  port.postMessage(message, handedOver);
});

type Answer = readonly [response: Response, handedOver?: readonly ArrayBuffer[]];

async function answer(request: RequestMessage['request']): Promise<Answer> {
  const training = await session;
  switch (request.kind) {
    case 'start':
      return [{ kind: 'done' }];
    case 'steps': {
      const batches = request.batches.map((feeds) => Object.fromEntries(feeds));
      return [{ kind: 'losses', losses: await training.steps(batches) }];
    }
    case 'predict': {
      const predicted = await training.predict(request.rows);
      return [{ kind: 'predicted', predicted }, [predicted.buffer]];
    }
    case 'state': {
      const state = await training.state();
      return [{ kind: 'state', state }, buffersOf(state)];
    }
    case 'load':
      await training.load(request.state);
      return [{ kind: 'done' }];
    case 'close':
      await training.close();
      return [{ kind: 'done' }];
  }
}

async function create(): Promise<ProgramSession> {
  const gate = new Gate(start.gate);
  const runtime = await gate.enter(loadRuntime);
  return ProgramSession.create(gated(runtime, gate), start.program, start.options);
}
