import { at } from '../checked-access.js';
import type { Answers, Instances } from './model-thread.js';

/** How much a server takes on. */
export interface BatchLimits {
  /** Instances that are computed at once; a larger request is computed by itself. */
  readonly batch: number;
  /** Instances that may wait, beside those that are being computed. */
  readonly waiting: number;
}

/** Too many instances wait already. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';

  /** @param seconds - until those that wait now should be answered */
  constructor(readonly seconds: number) {
    super('the queue is full');
  }
}

/** What happened in a batch, for whoever counts. */
export interface BatchReport {
  readonly instances: number;
  readonly milliseconds: number;
}

interface Request {
  readonly instances: Instances;
  readonly count: number;
  readonly resolve: (answers: Answers) => void;
  readonly reject: (error: unknown) => void;
}

/** How much the last batch counts in the mean of the time per instance. */
const RECENT = 0.1;

/**
 * Collects what is asked for while the model computes, and hands it over as one batch when it is done: a batch of 64 takes little
 * longer than one of 1. Nobody waits for a batch to fill up: an idle model gets what there is.
 */
export class Batches {
  readonly #compute: (instances: Instances) => Promise<Answers>;
  readonly #limits: BatchLimits;
  readonly #onBatch: (report: BatchReport) => void;
  #requests: Request[] = [];
  #waiting = 0;
  #isBusy = false;
  #millisecondsPerInstance = 0;
  #whenIdle: (() => void)[] = [];

  constructor(
    compute: (instances: Instances) => Promise<Answers>,
    limits: BatchLimits,
    onBatch: (report: BatchReport) => void = () => undefined,
  ) {
    this.#compute = compute;
    this.#limits = limits;
    this.#onBatch = onBatch;
  }

  /** Instances that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * The answers of a request, whichever others it is computed with.
   *
   * @throws QueueFullError if too many instances wait; a request that nobody is before is taken however large it is
   */
  predict(instances: Instances, count: number): Promise<Answers> {
    if (this.#waiting > 0 && this.#waiting + count > this.#limits.waiting) {
      const seconds = Math.ceil((this.#waiting * this.#millisecondsPerInstance) / 1000);
      return Promise.reject(new QueueFullError(Math.max(1, seconds)));
    }
    return new Promise((resolve, reject) => {
      this.#requests.push({ instances, count, resolve, reject });
      this.#waiting += count;
      if (!this.#isBusy) this.#begin();
    });
  }

  /** Waits until everything that was asked for is answered. */
  async idle(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #begin(): void {
    this.#isBusy = true;
    // What other connections have already sent is read before, and comes along.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (;;) {
      const batch = this.#next();
      if (batch.length === 0) break;
      await this.#carryOut(batch);
    }
    this.#isBusy = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** The requests that have waited longest, as many as make a batch. */
  #next(): Request[] {
    let [taken, instances] = [0, 0];
    for (const { count } of this.#requests) {
      if (taken > 0 && instances + count > this.#limits.batch) break;
      taken++;
      instances += count;
    }
    this.#waiting -= instances;
    return this.#requests.splice(0, taken);
  }

  async #carryOut(batch: readonly Request[]): Promise<void> {
    const start = performance.now();
    const count = batch.reduce((sum, request) => sum + request.count, 0);
    try {
      const { classes, probabilities } = await this.#compute(joined(batch));
      const width = probabilities.length / count;
      let from = 0;
      for (const request of batch) {
        const to = from + request.count;
        request.resolve({
          classes: classes.subarray(from, to),
          probabilities: probabilities.subarray(from * width, to * width),
        });
        from = to;
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    const milliseconds = performance.now() - start;
    this.#millisecondsPerInstance += RECENT * (milliseconds / count - this.#millisecondsPerInstance);
    this.#onBatch({ instances: count, milliseconds });
  }
}

/** All instances behind each other, in memory of their own, which can be handed over. */
function joined(batch: readonly Request[]): Instances {
  const length = batch.reduce((sum, { instances }) => sum + instances.length, 0);
  const all = at(batch, 0).instances instanceof Uint8Array ? new Uint8Array(length) : new Float64Array(length);
  let from = 0;
  for (const { instances } of batch) {
    all.set(instances, from);
    from += instances.length;
  }
  return all;
}
