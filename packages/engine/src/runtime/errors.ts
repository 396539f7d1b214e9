/** A feed or a batch of rows that the program cannot take. Nothing has run. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}

/** Weights that do not fit the program. Nothing has changed. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

/** A device, or ONNX Runtime itself, that is not there. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
}

/** A call after, or cut short by, `close()`. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

/** The worker thread ended although nobody closed it. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
}

/** The loss of a step is NaN or infinite. The state is the one from before that step. */
export class NonFiniteLossError extends Error {
  override readonly name = 'NonFiniteLossError';

  constructor(
    /** The step, from 0: the value of the feed `step` where there is one. */
    readonly step: number,
    readonly loss: number,
  ) {
    super(
      `the loss of step ${step} is ${loss}; expected a finite number. The weights are still those from before this ` +
        'step. Look for NaN or very large values in its batch, or lower the learning rate',
    );
  }
}

const CLASSES = { FeedError, StateError, DeviceError, ClosedError, WorkerError, TypeError, RangeError };

/** An error as plain data: a structured clone keeps neither the class nor the fields of our own errors. */
export type ErrorRecord =
  | { readonly type: 'NonFiniteLossError'; readonly step: number; readonly loss: number; readonly stack: string }
  | { readonly type: string; readonly message: string; readonly stack: string };

/** Makes an error ready for another thread. */
export function errorRecord(error: unknown): ErrorRecord {
  if (!(error instanceof Error)) return { type: 'Error', message: String(error), stack: '' };
  const stack = error.stack ?? '';
  if (error instanceof NonFiniteLossError) {
    return { type: 'NonFiniteLossError', step: error.step, loss: error.loss, stack };
  }
  return { type: error.name, message: error.message, stack };
}

/** The error that was sent from another thread, of the same class, with the stack it had there. */
export function errorFrom(record: ErrorRecord): Error {
  const error = 'step' in record ? new NonFiniteLossError(record.step, record.loss) : named(record);
  if (record.stack !== '') error.stack = record.stack;
  return error;
}

function named({ type, message }: { readonly type: string; readonly message: string }): Error {
  const found = Object.entries(CLASSES).find(([name]) => name === type);
  if (found !== undefined) return new found[1](message);
  const error = new Error(message);
  error.name = type;
  return error;
}
