import { letGo } from './let-go.js';
import { hasLostTables } from './lost-tables.js';
import { Presence } from './presence.js';
import type { PresenceEntry } from './presence-entry.js';
import { QueueServer, type TrialEvents, type TrialQueue } from './queue-server.js';

/** Is told what happens to trials in the queue, by the ids of their jobs. */
export interface QueueListener {
  onFinished(id: string): void;
  onProgress(id: string, progress: unknown): void;
}

/** What a connection consists of; made anew where the server has lost its tables. */
interface Parts {
  readonly queue: TrialQueue;
  readonly events: TrialEvents;
  readonly presence: Presence;
}

/** The coordinator's side of a queue: its trials, what happens to them, and who takes part. */
export class CoordinatorConnection {
  readonly #url: string;
  readonly #entry: Omit<PresenceEntry, 'seen'>;
  readonly #listener: QueueListener;
  #parts: Parts;
  #reconnecting: Promise<void> | undefined;
  #isClosed = false;

  private constructor(url: string, entry: Omit<PresenceEntry, 'seen'>, listener: QueueListener, server: QueueServer) {
    this.#url = url;
    this.#entry = entry;
    this.#listener = listener;
    this.#parts = this.#connect(server);
  }

  /** @param entry - what others are told of this coordinator */
  static async open(
    url: string,
    entry: Omit<PresenceEntry, 'seen'>,
    listener: QueueListener,
    server: QueueServer,
  ): Promise<CoordinatorConnection> {
    const connection = new CoordinatorConnection(url, entry, listener, server);
    await connection.presence.announce(entry);
    return connection;
  }

  get queue(): TrialQueue {
    return this.#parts.queue;
  }

  get presence(): Presence {
    return this.#parts.presence;
  }

  /** Takes in an error that nobody waits for. Most pass; tables that are gone are made anew. */
  onTrouble(error: unknown): void {
    if (!this.#isClosed && hasLostTables(error)) void this.#reconnect().catch(() => undefined);
  }

  /** @param before - what is still to be done with the queue, as far as the server answers */
  async close(before: Promise<unknown>): Promise<void> {
    this.#isClosed = true;
    const { queue, events, presence } = this.#parts;
    await Promise.all([presence.close(), letGo(events), letGo(queue, before)]);
  }

  #connect(server: QueueServer): Parts {
    const onTrouble = (error: Error) => this.onTrouble(error);
    const queue = server.queue(this.#entry.queue, onTrouble);
    const events = server.events(this.#entry.queue, onTrouble);
    events.on('completed', ({ jobId }) => this.#listener.onFinished(jobId));
    events.on('failed', ({ jobId }) => this.#listener.onFinished(jobId));
    events.on('progress', ({ jobId, data }) => this.#listener.onProgress(jobId, data));
    return { queue, events, presence: new Presence(server) };
  }

  #reconnect(): Promise<void> {
    this.#reconnecting ??= (async () => {
      const { queue, events, presence } = this.#parts;
      this.#parts = this.#connect(await QueueServer.connect(this.#url));
      await this.presence.announce(this.#entry);
      await Promise.allSettled([presence.abandon(), events.close(), queue.close()]);
    })().finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  }
}
