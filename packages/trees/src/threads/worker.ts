/// <reference types="node" />
import { parentPort, workerData } from 'node:worker_threads';
import type { Boosting } from '../boosting/boosting.js';
import { startBoosting } from '../boosting/session.js';
import type { Request, Response, ThreadData } from './protocol.js';
import { sharedTeam } from './shared-team.js';

const { memory, team, index, setting }: ThreadData = workerData;
let boosting: Boosting | undefined;

parentPort?.on('message', (request: Request) => {
  const response = answer(request);
  if (index === 0) parentPort?.postMessage(response);
});

function answer(request: Request): Response {
  if (request.kind === 'start') {
    boosting = startBoosting(memory, setting, sharedTeam(team, index, setting.sizes.threads));
    return { kind: 'started', columns: boosting.columns, baselines: boosting.baselines };
  }
  if (boosting === undefined) throw new Error('internal: boosting has not been started');
  if (request.kind === 'advance') return { kind: 'round', round: boosting.advance() };
  if (request.kind === 'loss') return { kind: 'loss', loss: boosting.trainingLoss() };
  if (request.kind === 'labels') boosting.setLabels(request.labels);
  else boosting.restore(request.rounds);
  return { kind: 'done' };
}
