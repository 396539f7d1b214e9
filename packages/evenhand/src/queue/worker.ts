import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../files/make-folder.js';
import { dataFolder } from '../sources/data-folder.js';
import { DataCache } from '../store/data-cache.js';
import { LocalProcesses } from '../trials/local-processes.js';
import { UserError } from '../user-error.js';
import { type Numerics, numericsClass, numericsDifference, numericsHere, queueName } from './numerics.js';
import { Presence } from './presence.js';
import { QueueServer } from './queue-server.js';
import { type SessionEnd, WorkerSession } from './worker-session.js';

/** How a worker takes part. */
export interface QueueWorkerOptions {
  readonly url: string;
  /** Trials at once. @defaultValue 1 */
  readonly processes?: number;
  /** Ends after one trial. */
  readonly once?: boolean;
  /** Ends after so many seconds without a trial. @defaultValue never */
  readonly idleSeconds?: number;
  /** Takes trials of coordinators that mix numerics classes. */
  readonly mixed?: boolean;
  /** After so many seconds without a sign of life its trials go to others. @defaultValue 60 */
  readonly lockSeconds?: number;
  /** Between two uploads of checkpoints. @defaultValue 120 */
  readonly uploadSeconds?: number;
  /** How long a coordinator that serves its store may be away. @defaultValue 600 */
  readonly patienceSeconds?: number;
  /** Bytes of data sets that are kept. @defaultValue 10 GB */
  readonly cacheBytes?: number;
  /** Is told one line for every trial, and what else a person should know. */
  readonly onLine?: (line: string) => void;
  /** When aborted, trials are left at a checkpoint and given back. */
  readonly signal?: AbortSignal;
}

/** What a worker did. */
export interface WorkerOutcome {
  /** Trials that came to an end here, and how many of them failed. */
  readonly trials: number;
  readonly failed: number;
}

/** Milliseconds between two looks around. */
const LOOK_AROUND = 500;
/** Looks between two of them at who takes part. */
const REGISTER_EVERY = 4;

const CACHE_BYTES = 10e9;

/**
 * Takes trials from a queue and trains them, until it is told to stop.
 *
 * @throws {@link UserError} if the queue cannot be used, or all that order trials compute with something else
 */
export async function runWorker(options: QueueWorkerOptions): Promise<WorkerOutcome> {
  const { cacheBytes = CACHE_BYTES, processes = 1, signal, onLine = () => undefined } = options;
  let server = await QueueServer.connect(options.url);
  const numerics = await numericsHere();
  const cache = new DataCache(join(dataFolder(), 'worker'), cacheBytes);
  await makeFolder(dataFolder());
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-worker-'));
  const pool = new LocalProcesses(processes);
  const outcome = { trials: 0, failed: 0 };
  const name = `${hostname()}:${process.pid}`;
  try {
    for (;;) {
      const tools = {
        processes: pool,
        cache,
        folder,
        uploadSeconds: options.uploadSeconds ?? 120,
        worker: name,
        numerics: numericsClass(numerics),
      };
      const end = await attend(options, server, numerics, tools, outcome);
      if (end.kind === 'refused') throw end.error;
      if (end.kind === 'closed') return outcome;
      onLine(`${server.address.text} has lost what it held; connecting anew`);
      server = await connectAgain(options.url, signal);
    }
  } finally {
    await pool.close();
    await cache.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes part until it is over, or the server is not what it was. */
async function attend(
  options: QueueWorkerOptions,
  server: QueueServer,
  numerics: Numerics,
  tools: ConstructorParameters<typeof WorkerSession>[0]['tools'],
  outcome: { trials: number; failed: number },
): Promise<SessionEnd> {
  const { processes = 1, lockSeconds = 60, patienceSeconds = 600, mixed = false, onLine = () => undefined } = options;
  const { once = false, idleSeconds = Number.POSITIVE_INFINITY, signal } = options;
  const queue = queueName(numerics, mixed);
  const presence = new Presence(server);
  const present = (about: readonly string[]) => ({
    kind: 'worker' as const,
    id: tools.worker.replaceAll(':', '-'),
    host: hostname(),
    pid: process.pid,
    queue,
    mixed,
    numerics,
    about: [...about],
  });
  let isOver = false;
  try {
    await refuseOthers(presence, queue, numerics);
    await presence.announce(present([]));
    const session = new WorkerSession({
      server,
      presence,
      queue,
      tools,
      atOnce: once ? 1 : processes,
      lockSeconds,
      patienceSeconds,
      onLine,
    });
    await session.ready();
    onLine(`${tools.worker} takes trials from ${server.address.text}, ${queue}, ${once ? 1 : processes} at once`);
    const end = session.over.finally(() => {
      isOver = true;
    });
    const drain = () => void session.drain();
    if (signal?.aborted === true) drain();
    else signal?.addEventListener('abort', drain, { once: true });
    let refused: UserError | undefined;
    for (let look = 1; !isOver; look++) {
      await Promise.race([end, sleep(LOOK_AROUND)]);
      if (isOver || signal?.aborted === true) continue;
      const isIdle = session.trials.length === 0;
      const idleFor = (performance.now() - session.busyAt) / 1000;
      if ((once && session.ended > 0) || (isIdle && idleFor > idleSeconds)) await session.finish();
      else if (look % REGISTER_EVERY === 0) {
        // A server that is away may leave both without an answer.
        const register = presence
          .announce(present(session.trials))
          .then(() => (isIdle ? refusal(presence, queue, numerics) : undefined))
          .catch(() => undefined);
        refused = await Promise.race([end.then(() => undefined), register]);
        if (refused !== undefined) await session.finish();
      }
    }
    signal?.removeEventListener('abort', drain);
    outcome.trials += session.ended;
    outcome.failed += session.failed;
    return refused === undefined ? await end : { kind: 'refused', error: refused };
  } finally {
    await presence.close().catch(() => undefined);
  }
}

async function refuseOthers(presence: Presence, queue: string, numerics: Numerics): Promise<void> {
  const error = await refusal(presence, queue, numerics);
  if (error !== undefined) throw error;
}

/** Why a worker would wait in vain: there are coordinators, and all of them compute with something else. */
async function refusal(presence: Presence, queue: string, numerics: Numerics): Promise<UserError | undefined> {
  const coordinators = await presence.alive('coordinator');
  const [other] = coordinators;
  if (other === undefined || coordinators.some((coordinator) => coordinator.queue === queue)) return undefined;
  const difference = numericsDifference(numerics, other.numerics);
  if (numerics.evenhand === other.numerics.evenhand && other.mixed) {
    return new UserError(
      `the coordinator on ${other.host} mixes machines of all numerics classes, and this worker does not; start it with --mixed`,
    );
  }
  const advice =
    numerics.evenhand === other.numerics.evenhand
      ? 'Use machines of one kind, or start coordinator and workers with --mixed'
      : 'Install the same version on both';
  return new UserError(
    `this worker would train to other results than the coordinator on ${other.host} expects: ${difference || `it takes trials of ${queue}, not of ${other.queue}`}. ${advice}`,
  );
}

/** Milliseconds between two tries. */
const TRY_AGAIN = 1_000;

async function connectAgain(url: string, signal: AbortSignal | undefined): Promise<QueueServer> {
  for (;;) {
    try {
      return await QueueServer.connect(url);
    } catch {
      signal?.throwIfAborted();
      await sleep(TRY_AGAIN);
    }
  }
}
