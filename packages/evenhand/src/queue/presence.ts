import { letGo } from './let-go.js';
import type { PresenceEntry } from './presence-entry.js';
import { presenceEntrySchema } from './presence-entry.js';
import type { QueueServer } from './queue-server.js';

/** The queue that holds an entry for every process: shared by all versions, so that they can tell each other apart. */
const QUEUE = 'evenhand-presence';

/** Milliseconds. */
const SIGN_OF_LIFE = 5_000;
const GONE_AFTER = 60_000;
const FORGOTTEN_AFTER = 7 * 24 * 3_600_000;

/** Who takes part: what coordinators and workers let each other know. */
export class Presence {
  readonly #queue: ReturnType<QueueServer['presence']>;
  #own: PresenceEntry | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: QueueServer) {
    // What fails here is tried again with the next sign of life.
    this.#queue = server.presence(QUEUE, () => undefined);
  }

  /** Says who this process is, and goes on giving signs of life. Called again, it says what changed. */
  async announce(entry: Omit<PresenceEntry, 'seen'>): Promise<void> {
    this.#own = presenceEntrySchema.parse({ ...entry, seen: Date.now() });
    await this.#write();
    this.#timer ??= setInterval(() => void this.#write().catch(() => undefined), SIGN_OF_LIFE);
  }

  /** All that have been here lately, those that are gone among them. */
  async known(): Promise<PresenceEntry[]> {
    const jobs = await this.#queue.getJobs(['waiting']);
    const entries: PresenceEntry[] = [];
    for (const job of jobs) {
      const { data } = presenceEntrySchema.safeParse(job?.data);
      if (data === undefined) continue;
      if (Date.now() - data.seen > FORGOTTEN_AFTER) await job.remove().catch(() => undefined);
      else entries.push(data);
    }
    return entries;
  }

  /** Those that live. */
  async alive(kind: PresenceEntry['kind']): Promise<PresenceEntry[]> {
    return (await this.known()).filter((entry) => entry.kind === kind && isAlive(entry));
  }

  /** What a process says of itself; undefined if it is not there. */
  async find(kind: PresenceEntry['kind'], id: string): Promise<PresenceEntry | undefined> {
    const job = await this.#queue.getJob(`${kind}-${id}`);
    return presenceEntrySchema.safeParse(job?.data).data;
  }

  /** Takes this process out, and lets go of the server. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await letGo(this.#queue, this.#remove());
  }

  /** Lets go of a server that is not what it was. */
  async abandon(): Promise<void> {
    clearInterval(this.#timer);
    await this.#queue.disconnect().catch(() => undefined);
  }

  async #remove(): Promise<void> {
    if (this.#own === undefined) return;
    const job = await this.#queue.getJob(idOf(this.#own));
    await job?.remove();
  }

  async #write(): Promise<void> {
    if (this.#own === undefined) return;
    this.#own = { ...this.#own, seen: Date.now() };
    const job = await this.#queue.getJob(idOf(this.#own));
    if (job === undefined) await this.#queue.add(this.#own.kind, this.#own, { jobId: idOf(this.#own) });
    else await job.updateData(this.#own);
  }
}

/** Whether a process gave a sign of life lately. */
export function isAlive({ seen }: Pick<PresenceEntry, 'seen'>): boolean {
  return Date.now() - seen < GONE_AFTER;
}

function idOf({ kind, id }: Pick<PresenceEntry, 'kind' | 'id'>): string {
  return `${kind}-${id}`;
}
