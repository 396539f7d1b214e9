import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gitCommit } from '../runs/environment.js';
import { isRun } from '../runs/run-files.js';
import { BlobError } from '../store/blob-store.js';
import type { StorePlace } from '../store/store-place.js';
import type { ServerPlace } from '../store/store-server.js';
import { DivergedError } from '../training/diverged.js';
import type { TrainingListener } from '../training/events.js';
import type { Executor, TrialOrder } from '../trials/executor.js';
import { UserError } from '../user-error.js';
import { CoordinatorConnection } from './coordinator-connection.js';
import { type CoordinatorStore, openCoordinatorStore } from './coordinator-store.js';
import { isProgress, jobId, type TrialJob, type TrialReply, trialReplySchema } from './job.js';
import { type Numerics, numericsDifference, numericsHere, queueName } from './numerics.js';
import { QueueServer } from './queue-server.js';
import { parseQueueUrl } from './queue-url.js';
import { replaceRun, runPrefix, uploadRun } from './run-transfer.js';
import { SharedData } from './shared-data.js';

/** How trials go to workers elsewhere. None of it changes what is trained. */
export interface QueueOptions {
  /** Redis or PostgreSQL: `redis://host:6379`, `postgres://user@host/database`. */
  readonly url: string;
  /** The folder that holds all runs. Who goes on with it finds its trials in the queue. */
  readonly folder: string;
  /** Where data and runs travel. @defaultValue this process serves them */
  readonly store?: StorePlace;
  /** Where this process serves them. @defaultValue at the address it has toward the queue, at any port */
  readonly serve?: Partial<ServerPlace>;
  /** Let workers of all numerics classes take trials: results may differ in their last digits. @defaultValue false */
  readonly mixed?: boolean;
  /** Is told what a person should know. */
  readonly onNote?: (note: string) => void;
}

/** How many trials are in the queue at once. */
const AT_ONCE = 1_000;
/** How often a trial is tried, by whatever worker, before it counts as failed. */
const ATTEMPTS = 5;
/** Seconds for which the result of a trial is kept that nobody asks for. */
const KEPT_SECONDS = 7 * 24 * 3600;
/** Milliseconds between two looks at the queue, in case that an event was missed. */
const LOOK_AGAIN = 2_000;
/** Milliseconds after which it is said that nobody takes the trials. */
const NOBODY_AFTER = 15_000;

/** A trial that somebody waits for. */
interface Ordered {
  readonly order: TrialOrder;
  readonly job: TrialJob;
  readonly onEvent: TrainingListener;
  /** The newest checkpoint that is known of. */
  run: string | undefined;
  isSettled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/** Trials carried out by workers on any number of machines, which take them from a queue. */
export class QueueExecutor implements Executor {
  readonly atOnce = AT_ONCE;
  readonly #options: QueueOptions;
  readonly #store: CoordinatorStore;
  readonly #data: SharedData;
  readonly #owner: string;
  readonly #numerics: Numerics;
  readonly #gitCommit = gitCommit();
  readonly #ordered = new Map<string, Ordered>();
  readonly #classes = new Set<string>();
  readonly #begun = performance.now();
  #connection: CoordinatorConnection | undefined;
  #stopped: Error | undefined;
  readonly #removing: Promise<void>[] = [];
  #closed: Promise<void> | undefined;
  #saidNobody = false;
  #watching: Promise<void> | undefined;
  readonly #watch = new AbortController();

  private constructor(options: QueueOptions, owner: string, numerics: Numerics, store: CoordinatorStore) {
    this.#options = options;
    this.#owner = owner;
    this.#numerics = numerics;
    this.#store = store;
    this.#data = new SharedData(store.store);
  }

  /**
   * Connects to a queue.
   *
   * @throws {@link UserError} if it, or the store, cannot be used
   */
  static async open(options: QueueOptions): Promise<QueueExecutor> {
    const { store: place = { kind: 'http' }, serve = {}, mixed = false, folder, url } = options;
    const server = await QueueServer.connect(url);
    const owner = ownerOf(folder);
    const numerics = await numericsHere();
    const store = await openCoordinatorStore({ place, serve, queue: server.address, owner });
    const executor = new QueueExecutor(options, owner, numerics, store);
    const entry = {
      kind: 'coordinator' as const,
      id: owner,
      host: hostname(),
      pid: process.pid,
      queue: queueName(numerics, mixed),
      mixed,
      numerics,
      about: [resolve(folder)],
      ...(store.address === undefined ? {} : { store: store.address }),
    };
    const listener = {
      onFinished: (id: string) => executor.#look(id),
      onProgress: (id: string, progress: unknown) => executor.#onProgress(id, progress),
    };
    executor.#connection = await CoordinatorConnection.open(url, entry, listener, server);
    executor.#watching = executor.#keepWatching();
    return executor;
  }

  /** What a person should know of the results. */
  get notes(): string[] {
    if (this.#classes.size < 2) return [];
    return [
      `the runs were trained on machines of ${this.#classes.size} numerics classes (${[...this.#classes].sort().join(', ')}): ` +
        'on machines of one class their numbers may differ in their last digits',
    ];
  }

  async carryOut(order: TrialOrder, onEvent: TrainingListener, signal?: AbortSignal): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    signal?.throwIfAborted();
    const { id, job } = await this.#jobOf(order);
    await new Promise<void>((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#ordered.delete(id);
        signal?.removeEventListener('abort', abort);
        finish();
      };
      const abort = () => ordered.reject(asError(signal?.reason));
      const ordered: Ordered = {
        order,
        job,
        onEvent,
        run: job.run,
        isSettled: false,
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      };
      if (this.#stopped !== undefined) return reject(this.#stopped);
      this.#ordered.set(id, ordered);
      signal?.addEventListener('abort', abort);
      this.#enqueue(id, ordered).catch((error: unknown) => this.#connected.onTrouble(error));
    });
  }

  stop(reason: Error): void {
    this.#stopped ??= reason;
    const waiting = [...this.#ordered.keys()];
    for (const ordered of this.#ordered.values()) ordered.reject(reason);
    // What nobody has begun need not be begun; the rest is there when somebody goes on.
    this.#removing.push(...waiting.map((id) => this.#removeWaiting(id).catch(() => undefined)));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#watch.abort();
    await this.#connected.close(Promise.all([this.#watching, ...this.#removing]));
    await this.#store.close(this.#stopped === undefined && this.#ordered.size === 0);
  }

  get #connected(): CoordinatorConnection {
    if (this.#connection === undefined) throw new Error('internal: the queue is used before it is open');
    return this.#connection;
  }

  async #jobOf(order: TrialOrder): Promise<{ readonly id: string; readonly job: TrialJob }> {
    const { folder, config, until, override = false, importance = true } = order;
    const data = await this.#data.of(config.data);
    const { evenhand, onnxRuntime, node } = this.#numerics;
    const versions = [evenhand, onnxRuntime, node];
    const name = relative(this.#options.folder, folder) || folder;
    const id = jobId(this.#owner, { name, config, dataHash: data.hash, until, importance, versions });
    const run = isRun(folder) ? await uploadRun(this.#store.store, id, folder) : undefined;
    const job: TrialJob = {
      name,
      owner: this.#owner,
      store: this.#store.place,
      config: { ...config },
      override,
      importance,
      gitCommit: this.#gitCommit,
      data,
      ...(until === undefined ? {} : { until }),
      ...(run === undefined ? {} : { run }),
    };
    return { id, job };
  }

  /** Puts a trial into the queue, or finds the one that is there. */
  async #enqueue(id: string, ordered: Ordered): Promise<void> {
    const { queue } = this.#connected;
    const state = await queue.getJobState(id);
    // BullMQ ignores a job whose id is there, in whatever state.
    if (state === 'failed') await (await queue.getJob(id))?.remove();
    if (state === 'completed') return this.#settle(id, ordered);
    const { run = ordered.job.run } = ordered;
    await queue.add(ordered.job.name, run === undefined ? ordered.job : { ...ordered.job, run }, {
      jobId: id,
      attempts: ATTEMPTS,
      removeOnComplete: { age: KEPT_SECONDS },
      removeOnFail: { age: KEPT_SECONDS },
    });
  }

  async #removeWaiting(id: string): Promise<void> {
    const job = await this.#connected.queue.getJob(id);
    if (job !== undefined && (await job.getState()) === 'waiting') await job.remove();
  }

  #onProgress(id: string, progress: unknown): void {
    const ordered = this.#ordered.get(id);
    if (ordered === undefined || !isProgress(progress)) return;
    if (progress.run !== undefined) ordered.run = progress.run;
    for (const event of progress.events) ordered.onEvent(event);
  }

  #look(id: string): void {
    const ordered = this.#ordered.get(id);
    if (ordered !== undefined) this.#settle(id, ordered).catch((error: unknown) => this.#connected.onTrouble(error));
  }

  /** Takes in what came of a trial, if anything did. */
  async #settle(id: string, ordered: Ordered): Promise<void> {
    if (ordered.isSettled) return;
    ordered.isSettled = true;
    try {
      const job = await this.#connected.queue.getJob(id);
      const state = job === undefined ? 'unknown' : await job.getState();
      if (job === undefined || (state !== 'completed' && state !== 'failed')) {
        ordered.isSettled = false;
        return;
      }
      if (state === 'failed') {
        await job.remove();
        return ordered.reject(new UserError(`${ordered.order.folder} could not be trained: ${job.failedReason}`));
      }
      await this.#receive(id, ordered, trialReplySchema.parse(job.returnvalue));
      await job.remove();
    } catch (error) {
      ordered.isSettled = false;
      throw error;
    }
  }

  /** Gets the run of a trial that is done. */
  async #receive(id: string, { order, resolve: resolved, reject }: Ordered, reply: TrialReply): Promise<void> {
    try {
      await replaceRun(this.#store.store, id, reply.run, order.folder);
    } catch (error) {
      if (!(error instanceof BlobError)) return reject(asError(error));
      // What the worker sent is gone or damaged. Whoever trains it again comes to the same.
      this.#note(
        `the result of ${order.folder} is not what ${reply.worker} sent (${error.message}); it is trained again`,
      );
      await (await this.#connected.queue.getJob(id))?.remove();
      return;
    }
    await this.#store.store.removeAll(runPrefix(id));
    this.#classes.add(reply.numerics);
    if (reply.outcome === 'done') resolved();
    else reject(new DivergedError(reply.message, reply.divergence, reply.options));
  }

  /** Looks at the queue now and then: events may be missed, and a server may come back without what it held. */
  async #keepWatching(): Promise<void> {
    const { signal } = this.#watch;
    while (!signal.aborted) {
      await sleep(LOOK_AGAIN, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#compare().catch((error: unknown) => this.#connected.onTrouble(error));
    }
  }

  async #compare(): Promise<void> {
    if (this.#ordered.size === 0) return;
    const { queue } = this.#connected;
    const finished = new Set(await queue.getRanges(['completed', 'failed']));
    const others = new Set(await queue.getRanges(['waiting', 'active', 'delayed', 'prioritized']));
    for (const [id, ordered] of this.#ordered) {
      if (finished.has(id)) this.#look(id);
      else if (!others.has(id) && !ordered.isSettled) await this.#enqueue(id, ordered);
    }
    await this.#sayNobody();
  }

  /** Says once that nobody takes the trials, and why. */
  async #sayNobody(): Promise<void> {
    if (this.#saidNobody || performance.now() - this.#begun < NOBODY_AFTER) return;
    const { presence, queue } = this.#connected;
    const workers = await presence.alive('worker');
    if (workers.some((worker) => worker.queue === queue.name)) return;
    this.#saidNobody = true;
    const [other] = workers;
    this.#note(
      other === undefined
        ? `no worker is there yet; start some, on any machine: evenhand worker --queue ${parseQueueUrl(this.#options.url).text}`
        : `no worker takes these trials: that on ${other.host} takes those of ${other.queue} (${numericsDifference(this.#numerics, other.numerics)})`,
    );
  }

  #note(note: string): void {
    this.#options.onNote?.(note);
  }
}

/** Names a folder on a machine: the same coordinator, however often it was started again. */
function ownerOf(folder: string): string {
  return createHash('sha256')
    .update(JSON.stringify([hostname(), resolve(folder)]))
    .digest('hex')
    .slice(0, 16);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
