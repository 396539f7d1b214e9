import { isAlive, Presence } from './presence.js';
import type { PresenceEntry } from './presence-entry.js';
import { QueueServer, type TrialQueue } from './queue-server.js';

/** Trials of a queue by their state. */
interface QueueCounts {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
  /** Why trials failed, at most a few of them. */
  readonly reasons: readonly { readonly trial: string; readonly reason: string }[];
}

/** What is at a server. */
export interface QueueStatus {
  readonly server: string;
  readonly queues: readonly QueueCounts[];
  /** Those that gave a sign of life within the last minute. */
  readonly coordinators: readonly Participant[];
  readonly workers: readonly Participant[];
}

/** A process that takes part; nothing in it is secret. */
type Participant = Pick<PresenceEntry, 'host' | 'pid' | 'queue' | 'about'>;

/** Failed trials whose reasons are told. */
const REASONS = 5;

/** Looks at all queues of a server. */
export function queueStatus(url: string): Promise<QueueStatus> {
  return atServer(url, async (server, known, queues) => {
    const participants = (kind: PresenceEntry['kind']): Participant[] =>
      known
        .filter((entry) => entry.kind === kind && isAlive(entry))
        .map(({ host, pid, queue, about }) => ({ host, pid, queue, about }));
    return {
      server: server.address.text,
      queues: await Promise.all(queues.map(countsOf)),
      coordinators: participants('coordinator'),
      workers: participants('worker'),
    };
  });
}

/** Gives failed trials another chance. @returns how many */
export function retryFailed(url: string): Promise<number> {
  return atServer(url, async (_server, _known, queues) => {
    let retried = 0;
    for (const queue of queues) {
      for (const job of await queue.getFailed()) {
        await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
        retried++;
      }
    }
    return retried;
  });
}

/** Removes the trials that no worker has begun. @returns how many */
export function drainQueues(url: string): Promise<number> {
  return atServer(url, async (_server, _known, queues) => {
    let removed = 0;
    for (const queue of queues) {
      removed += await queue.getWaitingCount();
      await queue.drain();
    }
    return removed;
  });
}

async function countsOf(queue: TrialQueue): Promise<QueueCounts> {
  const { waiting = 0, active = 0, completed = 0, failed = 0 } = await queue.getJobCounts();
  const jobs = await queue.getFailed(0, REASONS - 1);
  const reasons = jobs.map(({ name, failedReason }) => ({ trial: name, reason: failedReason }));
  return { name: queue.name, waiting, active, completed, failed, reasons };
}

/** Does something with all queues that anybody has used lately. */
async function atServer<Result>(
  url: string,
  work: (server: QueueServer, known: readonly PresenceEntry[], queues: readonly TrialQueue[]) => Promise<Result>,
): Promise<Result> {
  const server = await QueueServer.connect(url);
  const presence = new Presence(server);
  const queues: TrialQueue[] = [];
  try {
    const known = await presence.known();
    for (const name of [...new Set(known.map(({ queue }) => queue))].sort())
      queues.push(server.queue(name, () => undefined));
    return await work(server, known, queues);
  } finally {
    await presence.close();
    await Promise.all(queues.map((queue) => queue.close()));
  }
}
