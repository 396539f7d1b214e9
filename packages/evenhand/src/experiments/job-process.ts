// Trains one job after the other, each as it is ordered by the process that started this one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/schema.js';
import type { Dataset } from '../dataset/dataset.js';
import { RUN_FILES } from '../runs/run-folder.js';
import { openDataset } from '../sources/open-source.js';
import { DivergedError } from '../training/diverged.js';
import type { TrainingListener } from '../training/events.js';
import { resume, train } from '../training/train.js';
import { UserError } from '../user-error.js';
import type { Job, JobMessage, JobOrder } from './job.js';

/** Why a job was left before its end; its folder can be gone on with. */
class LeftError extends Error {}

/** The data of the last job: most jobs of an experiment share theirs. */
let opened: { readonly key: string; readonly dataset: Dataset } | undefined;

async function datasetOf(data: Config['data']): Promise<Dataset> {
  const { splitSeed, validationDraw, validationPerClass, imbalance, testShare, testPerClass, ...reading } = data;
  const key = JSON.stringify(reading);
  if (opened?.key !== key) opened = { key, dataset: await openDataset(data) };
  return opened.dataset;
}

async function carryOut({ folder, config, pauseAfter = Number.POSITIVE_INFINITY }: Job, leave: AbortController) {
  if (existsSync(join(folder, RUN_FILES.evaluation))) return;
  const onEvent: TrainingListener = (event) => {
    if (event.kind !== 'epoch') return;
    const epoch = event.metrics.epoch + 1;
    const { softAccuracy } = event.metrics.validation;
    send({ kind: 'progress', progress: { epoch, epochs: config.epochs, softAccuracy } });
    if (epoch >= pauseAfter) leave.abort(new LeftError());
  };
  const options = { onEvent, signal: leave.signal, dataset: await datasetOf(config.data) };
  if (existsSync(join(folder, RUN_FILES.config))) await resume(folder, { ...options, config });
  else await train(config, { ...options, folder });
}

function outcomeOf(error: unknown): JobMessage {
  if (error instanceof LeftError) return { kind: 'done' };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof DivergedError) return { kind: 'failed', fault: 'diverged', message };
  if (error instanceof UserError) return { kind: 'failed', fault: 'input', message };
  const details = error instanceof Error && error.stack !== undefined ? error.stack : message;
  return { kind: 'failed', fault: 'internal', message: details };
}

/** Where nobody hears it any more, `disconnect` is on its way. */
function send(message: JobMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

let current = new AbortController();

process.on('message', (order: JobOrder) => {
  if (order.kind === 'leave') {
    current.abort(new LeftError());
    return;
  }
  current = new AbortController();
  carryOut(order.job, current).then(
    () => send({ kind: 'done' }),
    (error: unknown) => send(outcomeOf(error)),
  );
});
// A Ctrl-C reaches all processes of a terminal; the one that started this one decides what becomes of the job.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Nobody is there to give orders any more. Whatever is half done, the run folder survives it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
