// Trains one trial after the other, each as it is ordered by the process that started this one.
import type { Dataset } from '../dataset/dataset.js';
import { isRun } from '../runs/run-files.js';
import { openDataset } from '../sources/open-source.js';
import type { TrainingListener } from '../training/events.js';
import { resume, train } from '../training/train.js';
import { readingOf } from './data-reading.js';
import type { TrialOrder } from './executor.js';
import { OtherDataError } from './machine-error.js';
import { faultOf, type ProcessMessage, type ProcessOrder } from './process-messages.js';

/** Why a trial was left before its end; its folder can be gone on with. */
class LeftError extends Error {}

/** The data of the last trial: most trials share theirs. */
let opened: { readonly key: string; readonly dataset: Dataset } | undefined;

async function datasetOf(
  { config, data: given }: TrialOrder,
  onEvent: TrainingListener,
  signal: AbortSignal,
): Promise<Dataset> {
  const data = given === undefined ? config.data : { ...config.data, source: given.at };
  const key = readingOf(data);
  if (opened?.key !== key) {
    const onProgress = (done: number, total: number) => onEvent({ kind: 'reading', done, total });
    opened = { key, dataset: await openDataset(data, { onProgress, signal }) };
  }
  const { dataset } = opened;
  if (given !== undefined && dataset.contentHash !== given.hash) {
    throw new OtherDataError(
      `the data at ${given.at} has the hash ${dataset.contentHash}; expected ${given.hash}, that of ${config.data.source} where the trial was ordered. ` +
        'Give this machine the same data',
    );
  }
  return dataset;
}

async function carryOut(order: TrialOrder, leave: AbortController): Promise<void> {
  const { folder, config, until = Number.POSITIVE_INFINITY, override = false, importance = true, gitCommit } = order;
  const onEvent: TrainingListener = (event) => {
    send({ kind: 'training', event });
    if (event.kind === 'epoch' && event.metrics.epoch + 1 >= until) leave.abort(new LeftError());
  };
  const { signal } = leave;
  try {
    const dataset = await datasetOf(order, onEvent, signal);
    const options = { onEvent, signal, importance, dataset, ...(gitCommit === undefined ? {} : { gitCommit }) };
    if (isRun(folder)) await resume(folder, { ...options, config, override });
    else await train(config, { ...options, folder });
  } catch (error) {
    if (!(error instanceof LeftError)) throw error;
  }
}

/** Where nobody hears it any more, `disconnect` is on its way. */
function send(message: ProcessMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

let current = new AbortController();

process.on('message', (message: ProcessOrder) => {
  if (message.kind === 'leave') {
    current.abort(new LeftError());
    return;
  }
  current = new AbortController();
  carryOut(message.order, current).then(
    () => send({ kind: 'done' }),
    (error: unknown) => send({ kind: 'failed', fault: faultOf(error) }),
  );
});
// A Ctrl-C reaches all processes of a terminal; the one that started this one decides what becomes of the trial.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Nobody is there to give orders any more. Whatever is half done, the run folder survives it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
