import type { SSEStreamingApi } from 'hono/streaming';
import { UserError } from '../../user-error.js';
import { linesSince } from './epoch-lines.js';
import type { RunIndex } from './run-index.js';
import { streamLinesSince } from './stream-lines.js';
import type { RunWatch } from './watch-runs.js';

/** Milliseconds between signs of life: who does not take them any more is gone. */
const HEARTBEAT = 15_000;

/** What a page wants to hear of. */
export interface Subscription {
  /** The run that it shows, or the stream. */
  readonly run: string | undefined;
  readonly stream: string | undefined;
  /** The id of the last line that it has. */
  readonly lastId: string;
}

/** Tells pages what has changed: one stream for each, in order, and no faster than they listen. */
export class EventStreams {
  readonly #open = new Set<() => void>();

  constructor(
    private readonly index: RunIndex,
    private readonly watch: RunWatch,
  ) {}

  /** Streams that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Sends events until the page, or the server, ends it. */
  async serve(stream: SSEStreamingApi, { run, stream: shownStream, lastId }: Subscription): Promise<void> {
    let id = lastId;
    let isBusy = false;
    let again = false;
    const send = async (): Promise<void> => {
      if (isBusy) {
        again = true; // a page that listens slowly gets what is newest then
        return;
      }
      isBusy = true;
      do {
        again = false;
        await stream.writeSSE({ event: 'runs', data: String(this.index.version) });
        const folder = run === undefined ? undefined : this.index.folderOf(run);
        const lines = folder === undefined ? [] : await linesSince(folder, id).catch(ignoreDamage);
        for (const { id: next, event } of lines) {
          await stream.writeSSE({ event: 'epoch', id: next, data: JSON.stringify(event) });
          id = next;
        }
        const log = shownStream === undefined ? undefined : this.index.streams.folderOf(shownStream);
        const logged = log === undefined ? [] : await streamLinesSince(log, id).catch(ignoreDamage);
        for (const { id: next, event } of logged) {
          await stream.writeSSE({ event: 'stream', id: next, data: JSON.stringify(event) });
          id = next;
        }
      } while (again && !stream.aborted);
      isBusy = false;
    };
    await new Promise<void>((resolve) => {
      const stopViewing = this.watch.view();
      const stopListening = this.index.onChange(() => void send());
      const heartbeat = setInterval(() => void stream.write(':\n\n'), HEARTBEAT);
      const end = () => {
        if (!this.#open.delete(end)) return;
        clearInterval(heartbeat);
        stopListening();
        stopViewing();
        resolve();
      };
      this.#open.add(end);
      stream.onAbort(end);
      if (stream.aborted) end();
      else void send();
    });
  }

  /** Ends all streams. */
  close(): void {
    for (const end of [...this.#open]) end();
  }
}

/** A run that is deleted or damaged while it is shown has no more lines; its summary says why. */
function ignoreDamage(error: unknown): [] {
  if (error instanceof UserError) return [];
  throw error;
}
