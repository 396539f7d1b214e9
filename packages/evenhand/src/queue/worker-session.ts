import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { BlobError, type BlobStore } from '../store/blob-store.js';
import { HttpStore } from '../store/http-store.js';
import { openStore } from '../store/store-place.js';
import type { TrainingEvent } from '../training/events.js';
import { isOfMachine, OtherDataError } from '../trials/machine-error.js';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { counted, duration } from '../wording/numbers.js';
import { type TrialJob, type TrialReply, trialJobSchema } from './job.js';
import { letGo } from './let-go.js';
import { hasLostTables, isGone } from './lost-tables.js';
import type { Presence } from './presence.js';
import { ProgressReports } from './progress-reports.js';
import type { QueueServer, TrialWorker } from './queue-server.js';
import { GivenUpError, type TrialTools, WorkerTrial } from './worker-trial.js';

/** How a session with a server is held. */
export interface SessionOptions {
  readonly server: QueueServer;
  readonly presence: Presence;
  readonly queue: string;
  readonly tools: TrialTools;
  readonly atOnce: number;
  /** After so many seconds without a sign of life a worker's trial goes to another. */
  readonly lockSeconds: number;
  /** How long a coordinator that serves its store may be away. */
  readonly patienceSeconds: number;
  /** Is told one line for every trial. */
  readonly onLine: (line: string) => void;
}

/** Why a session is over. */
export type SessionEnd =
  | { readonly kind: 'closed' }
  /** The server has lost its tables. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly error: UserError };

/** A trial that is here. */
interface ActiveTrial {
  /** Leaves it at a checkpoint. */
  readonly leave: AbortController;
  /** Gives up whatever is on its way from or to the store. */
  readonly cut: AbortController;
  isTraining: boolean;
}

/** How many times the lock of a trial may run out before it counts as failed. */
const MOST_STALLED = 5;
/** Seconds that a worker pauses after a fault of its machine: at first, and at most. */
const FIRST_BREAK = 0.5;
const LONGEST_BREAK = 60;
/** Errors at one moment, after which the connection is made anew. */
const MOST_TROUBLES = 100;
/** Milliseconds until a server that is away is asked again. */
const ASK_AGAIN = 500;
/** Seconds that a checkpoint may take to be uploaded, and the trial to be given back, when the worker ends. */
const LAST_UPLOAD = 20;
const LAST_WORDS = 25;

/** Takes trials from a queue for as long as the server is what it was. */
export class WorkerSession {
  readonly #options: SessionOptions;
  readonly #worker: TrialWorker;
  readonly #active = new Map<string, ActiveTrial>();
  readonly #hurry = new AbortController();
  #end: (end: SessionEnd) => void = () => undefined;
  #break = FIRST_BREAK;
  /** Errors since the process last came round to anything else. */
  #troubles = 0;
  /** When it last had something to do. */
  busyAt = performance.now();
  /** Trials that came to an end here, and how many of them failed. */
  ended = 0;
  failed = 0;

  /** Resolved when the session is over, however that comes. */
  readonly over = new Promise<SessionEnd>((resolve) => {
    this.#end = resolve;
  });

  constructor(options: SessionOptions) {
    this.#options = options;
    const { server, queue, atOnce, lockSeconds, tools } = options;
    this.#worker = server.worker(
      queue,
      (job, token = '') => this.#carryOut(job, token),
      {
        name: tools.worker,
        concurrency: atOnce,
        lockDuration: 1000 * lockSeconds,
        stalledInterval: 500 * lockSeconds,
        maxStalledCount: MOST_STALLED,
        runRetryDelay: 1_000,
      },
      (error) => this.#onTrouble(error),
    );
    this.#worker.on('lockRenewalFailed', (ids) => {
      // Another worker has the trial, or will have it.
      for (const id of ids) abandon(this.#active.get(id), 'its lock was lost');
    });
  }

  /**
   * Waits until it is connected.
   *
   * @throws {@link UserError} if the server went away meanwhile
   */
  async ready(): Promise<void> {
    try {
      await this.#worker.waitUntilReady();
    } catch (error) {
      void this.#worker.close(true).catch(() => undefined);
      const { address } = this.#options.server;
      throw new UserError(`the queue at ${address.text} cannot be used: ${this.#options.server.messageOf(error)}`);
    }
  }

  /** What is trained now. */
  get trials(): readonly string[] {
    return [...this.#active.keys()];
  }

  /** Leaves all trials at a checkpoint, gives them back, and takes no more. */
  async drain(): Promise<void> {
    // It takes no more trials from now on, and a server that is away keeps it no longer than it may take to upload.
    const closed = letGo(this.#worker, undefined, 1000 * LAST_WORDS);
    const hurry = () => this.#hurry.abort(new BlobError('there was no time to upload it'));
    const timer = setTimeout(hurry, 1000 * LAST_UPLOAD);
    for (const { leave, cut, isTraining } of this.#active.values()) {
      const reason = new GivenUpError('the worker ends', true);
      leave.abort(reason);
      if (!isTraining) cut.abort(reason); // there is nothing to upload yet
    }
    await closed;
    clearTimeout(timer);
    this.#end({ kind: 'closed' });
  }

  /** Takes no more trials; those that are here are carried out. */
  async finish(): Promise<void> {
    await this.#worker.close().catch(() => undefined);
    this.#end({ kind: 'closed' });
  }

  #onTrouble(error: Error): void {
    if (!hasLostTables(error) && !this.#isSpinning()) return;
    for (const trial of this.#active.values()) abandon(trial, 'the queue is gone');
    void this.#worker.close(true).catch(() => undefined);
    this.#end({ kind: 'lost' });
  }

  /** BullMQ asks a PostgreSQL that it could never connect to again and again, without a pause in which anything else could happen. */
  #isSpinning(): boolean {
    if (this.#troubles === 0) {
      setImmediate(() => {
        this.#troubles = 0;
      });
    }
    return ++this.#troubles > MOST_TROUBLES;
  }

  async #carryOut(job: Job<TrialJob, TrialReply>, token: string): Promise<TrialReply> {
    const { server, tools, onLine } = this.#options;
    const id = job.id ?? '';
    const begun = performance.now();
    const active: ActiveTrial = { leave: new AbortController(), cut: new AbortController(), isTraining: false };
    this.#active.set(id, active);
    const reports = new ProgressReports(tools.worker, (progress) => job.updateProgress(progress));
    let from = '';
    const said = (what: string) =>
      onLine(`${job.name}${from}: ${what.replace(/\s*\n\s*/g, ' ')}, ${duration((performance.now() - begun) / 1000)}`);
    try {
      const data = parseJob(job);
      const trial = new WorkerTrial(id, data, await this.#storeOf(data, active.cut.signal), tools, {
        onEvent: (event) => {
          from ||= placeOf(event);
          active.isTraining ||= event.kind === 'started';
          reports.add(event);
        },
        onUploaded: async (run) => {
          await job.updateData({ ...data, run });
          reports.uploaded(run);
        },
        onMissedUpload: (error) =>
          onLine(`${job.name}: a checkpoint could not be uploaded (${server.messageOf(error)})`),
      });
      const reply = await trial.carryOut(active.leave.signal);
      await keepResult(job, { ...data, run: reply.run }, active.leave.signal);
      said(reply.outcome);
      this.#break = FIRST_BREAK;
      return reply;
    } catch (error) {
      said(error instanceof GivenUpError ? `given back, ${error.message}` : `failed: ${server.messageOf(error)}`);
      throw await this.#failure(job, token, error);
    } finally {
      reports.stop();
      this.#active.delete(id);
      this.busyAt = performance.now();
      this.ended++;
    }
  }

  /** What the queue is told of a trial that is not done. */
  async #failure(job: Job<TrialJob, TrialReply>, token: string, error: unknown): Promise<Error> {
    const { server, tools } = this.#options;
    if (error instanceof GivenUpError) {
      if (!error.keepsCheckpoint) return error; // the lock is another's
      await job.moveToWait(token);
      return server.givenBack();
    }
    this.failed++;
    const message = server.messageOf(error);
    if (error instanceof OtherDataError) {
      const refused: SessionEnd = { kind: 'refused', error: new UserError(`${tools.worker}: ${message}`) };
      void this.#worker.close().finally(() => this.#end(refused)); // or it would take the trial again
      await job.moveToWait(token);
      return server.givenBack();
    }
    // A trial that cannot be is refused once and for all; what is the fault of a machine is tried elsewhere.
    if (error instanceof UserError && !isOfMachine(error)) return server.unrecoverable(message);
    void this.#takeBreak();
    return new Error(`on ${tools.worker}: ${message}`);
  }

  /** Lets others take the trial. */
  async #takeBreak(): Promise<void> {
    const seconds = this.#break;
    this.#break = Math.min(2 * seconds, LONGEST_BREAK);
    await this.#worker.pause(true);
    await sleep(1000 * seconds);
    await this.#worker.resume();
  }

  async #storeOf({ owner, store }: TrialJob, cut: AbortSignal): Promise<BlobStore> {
    return store.kind === 'http' ? this.#served(owner, cut) : openStore(store);
  }

  #served(owner: string, cut: AbortSignal): BlobStore {
    const { presence, patienceSeconds } = this.#options;
    return new HttpStore({
      locate: async () => (await presence.find('coordinator', owner))?.store,
      patience: 1000 * patienceSeconds,
      signal: AbortSignal.any([this.#hurry.signal, cut]),
    });
  }
}

/** Tells the queue what was trained before the trial counts as done: a server that restarts just then loses nothing. */
async function keepResult(job: Job<TrialJob, TrialReply>, data: TrialJob, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await job.updateData(data);
    } catch (error) {
      if (hasLostTables(error) || isGone(error)) return; // it will be put into the queue again
      await sleep(ASK_AGAIN);
    }
  }
}

function abandon(trial: ActiveTrial | undefined, why: string): void {
  const reason = new GivenUpError(why, false);
  trial?.leave.abort(reason);
  trial?.cut.abort(reason);
}

function parseJob(job: Job<TrialJob, TrialReply>): TrialJob {
  const { data, error } = trialJobSchema.safeParse(job.data);
  if (error === undefined) return data;
  throw new UserError(`the job ${job.id} is not a trial of this version of evenhand (${errorMessage(error)})`);
}

function placeOf(event: TrainingEvent): string {
  if (event.kind !== 'started') return '';
  const { epoch, step } = event;
  if (epoch + step === 0) return ' from the start';
  return ` from ${counted(epoch, 'epoch')}${step === 0 ? '' : ` and ${counted(step, 'step')}`}`;
}
