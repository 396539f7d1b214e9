import type { BackendFactory, IQueueBackend, Processor, Queue, QueueEvents, Worker, WorkerOptions } from 'bullmq';
import { UserError } from '../user-error.js';
import { checkPostgres, checkRedis } from './check-server.js';
import type { TrialJob, TrialReply } from './job.js';
import type { PresenceEntry } from './presence-entry.js';
import { parseQueueUrl, type QueueAddress, withoutSecrets } from './queue-url.js';
import { redisPlace } from './redis-options.js';

type BullMq = typeof import('bullmq');

/** What the classes of BullMQ are told of the connection, which the backend knows already. */
type Bound = QueueAddress;

/** Trials of one kind that wait for workers. */
export type TrialQueue = Queue<TrialJob, TrialReply, string, TrialJob, TrialReply, string, IQueueBackend, Bound>;

/** Tells what happens to trials. */
export type TrialEvents = QueueEvents<TrialReply, IQueueBackend, Bound>;

/** Takes trials one by one. */
export type TrialWorker = ReturnType<QueueServer['worker']>;

/** Trials are lost if the server forgets them: what was an error of the server, and what of ours, goes here. */
type OnTrouble = (error: Error) => void;

/** A Redis or a PostgreSQL that is there, and can hold a queue. */
export class QueueServer {
  readonly #bullmq: BullMq;
  readonly #factory: BackendFactory<IQueueBackend, Bound>;

  private constructor(
    readonly address: QueueAddress,
    bullmq: BullMq,
  ) {
    this.#bullmq = bullmq;
    this.#factory = factoryOf(bullmq, address);
  }

  /**
   * Connects, and checks that the server is fit for a queue.
   *
   * @throws {@link UserError} if a package is missing, or the server is not there, refuses, is too old, or may forget what it holds
   */
  static async connect(url: string): Promise<QueueServer> {
    const address = parseQueueUrl(url);
    const bullmq = await loadPackages(address);
    if (address.kind === 'redis') await checkRedis(address);
    else await checkPostgres(address);
    const server = new QueueServer(address, bullmq);
    if (address.kind === 'postgres') await server.#migrate();
    return server;
  }

  /** @param onTrouble - is told of every error that nobody waits for */
  queue(name: string, onTrouble: OnTrouble): TrialQueue {
    const { Queue } = this.#bullmq.withBackend(this.#factory);
    return listening(new Queue<TrialJob, TrialReply>(name, { connection: this.address, streams: STREAMS }), onTrouble);
  }

  /** A queue that nobody takes anything from: its jobs are notes that everybody can read. */
  presence(name: string, onTrouble: OnTrouble) {
    const { Queue } = this.#bullmq.withBackend(this.#factory);
    return listening(
      new Queue<PresenceEntry, null>(name, { connection: this.address, streams: { events: { maxLen: 1 } } }),
      onTrouble,
    );
  }

  events(name: string, onTrouble: OnTrouble): TrialEvents {
    const { QueueEvents } = this.#bullmq.withBackend(this.#factory);
    return listening(new QueueEvents<TrialReply>(name, { connection: this.address }), onTrouble);
  }

  worker(
    name: string,
    processor: Processor<TrialJob, TrialReply, string>,
    options: Omit<WorkerOptions, 'connection'>,
    onTrouble: OnTrouble,
  ): Worker<TrialJob, TrialReply, string, IQueueBackend, object, Bound> {
    const { Worker } = this.#bullmq.withBackend(this.#factory);
    return listening(
      new Worker<TrialJob, TrialReply, string, object>(name, processor, { ...options, connection: this.address }),
      onTrouble,
    );
  }

  /** The error by which a job fails for good. */
  unrecoverable(message: string): Error {
    return new this.#bullmq.UnrecoverableError(message);
  }

  /** The error by which a worker says that it has given its job back. */
  givenBack(): Error {
    return new this.#bullmq.WaitingError();
  }

  /** A message of BullMQ or of a driver, without what is secret in the address. */
  messageOf(error: unknown): string {
    return withoutSecrets(error instanceof Error ? error.message : String(error), this.address);
  }

  /** Makes the tables that a PostgreSQL needs once. */
  async #migrate(): Promise<void> {
    const queue = this.presence('evenhand-migration', () => undefined);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      throw new UserError(`${this.address.text} cannot hold a queue: ${this.messageOf(error)}`);
    } finally {
      await queue.close();
    }
  }
}

/** About how many events are kept for those who listen. */
const STREAMS = { events: { maxLen: 10_000 } };

/** An `error` event without a listener would end the process. */
function listening<Part extends { on(event: 'error', listener: OnTrouble): unknown }>(
  part: Part,
  onTrouble: OnTrouble,
): Part {
  part.on('error', onTrouble);
  return part;
}

function factoryOf(bullmq: BullMq, address: QueueAddress): BackendFactory<IQueueBackend, Bound> {
  if (address.kind === 'postgres') {
    const connection = {
      connectionString: address.secret.href,
      migrate: true,
      // What is waited for has a connection of its own; the rest is short.
      max: 2,
    };
    return (name, options, kind) => bullmq.createPostgresBackend(name, { ...options, connection }, kind);
  }
  const connection = {
    ...redisPlace(address),
    // A server that is away comes back: commands wait for it.
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(100 * times, 2_000),
  };
  return (name, options, kind) => bullmq.createRedisBackend(name, { ...options, connection }, kind);
}

async function loadPackages({ kind }: QueueAddress): Promise<BullMq> {
  const driver = kind === 'redis' ? 'ioredis' : 'pg';
  try {
    await (kind === 'redis' ? import('ioredis') : import('pg'));
    return await import('bullmq');
  } catch (cause) {
    throw new UserError(`--queue needs packages that are not installed: npm install bullmq ${driver}`, { cause });
  }
}
