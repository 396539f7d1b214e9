import { signal } from '@preact/signals';
import type {
  EpochEvent,
  EpochLinesAnswer,
  RunList,
  RunSummary,
  StreamLine,
  StreamLinesAnswer,
  StreamSummary,
  SweepSummary,
} from 'evenhand/studio';
import { ask, messageOf } from './api.js';
import { takeSlot } from './stream-slot.js';

/** All runs, as far as the server has read them; undefined until the first answer. */
export const runs = signal<ReadonlyMap<string, RunSummary> | undefined>(undefined);
/** Sweeps. */
export const sweeps = signal<readonly SweepSummary[]>([]);
/** Streams that are learned from. */
export const streams = signal<readonly StreamSummary[]>([]);
/** Grows with every change of the list. */
export const listVersion = signal(-1);
/** Folders that are shown. */
export const folders = signal<readonly string[]>([]);
/** Runs that the server has yet to read. */
export const unread = signal(0);
/** Why nothing comes any more; undefined while all is well. */
export const disconnected = signal<string | undefined>(undefined);

/** What a page shows, and hears every line of. */
export interface Shown {
  readonly kind: 'run' | 'stream';
  readonly id: string;
}

/** A line of what is shown. */
export type ShownEvent =
  | { readonly kind: 'run'; readonly event: EpochEvent }
  | { readonly kind: 'stream'; readonly event: StreamLine };

type Listener = (event: ShownEvent) => void;

/** Milliseconds between two questions of a page without a stream. */
const POLLING = 2000;

let stream: EventSource | undefined;
let hasSlot = false;
let shown: Shown | undefined;
/** The last line that was asked for, without a stream. */
let lastLine = '';
let fetching = false;
let again = false;
const listeners = new Set<Listener>();

/** Asks for what has changed; what changes meanwhile is asked for once, after that. */
async function refresh(): Promise<void> {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    do {
      again = false;
      apply(await ask<RunList>(`/api/runs?since=${listVersion.value}`));
    } while (again);
    disconnected.value = undefined;
  } catch (error) {
    disconnected.value = messageOf(error);
  } finally {
    fetching = false;
  }
}

function apply(list: RunList): void {
  const next = new Map(list.isWhole ? [] : runs.value);
  for (const run of list.runs) next.set(run.id, run);
  for (const id of list.removed) next.delete(id);
  listVersion.value = list.version;
  sweeps.value = list.sweeps;
  streams.value = list.streams;
  folders.value = list.folders;
  unread.value = list.unread;
  if (list.isWhole || list.runs.length > 0 || list.removed.length > 0 || runs.value === undefined) runs.value = next;
}

/** Listens to the server: to the list of runs always, and to the lines of what is shown. One connection per page. */
export function listen(wanted: Shown | undefined, onLine?: Listener): () => void {
  if (onLine !== undefined) listeners.add(onLine);
  if (shown?.id !== wanted?.id) {
    shown = wanted;
    lastLine = '';
    if (hasSlot) open();
    else void poll();
  }
  return () => {
    if (onLine !== undefined) listeners.delete(onLine);
  };
}

function open(): void {
  stream?.close();
  const wanted = shown === undefined ? '' : `?${shown.kind}=${encodeURIComponent(shown.id)}`;
  const opened = new EventSource(`/api/events${wanted}`);
  stream = opened;
  opened.addEventListener('runs', ({ data }) => {
    disconnected.value = undefined;
    if (Number(data) !== listVersion.value) void refresh();
  });
  opened.addEventListener('epoch', ({ data }) => {
    const event: EpochEvent = JSON.parse(data);
    tell({ kind: 'run', event });
  });
  opened.addEventListener('stream', ({ data }) => {
    const event: StreamLine = JSON.parse(data);
    tell({ kind: 'stream', event });
  });
  opened.addEventListener('error', () => {
    // The browser tries again by itself, but not after an answer such as 403.
    disconnected.value = 'The connection to the studio is lost. Is it still running in the terminal?';
    if (opened.readyState === EventSource.CLOSED) void refresh();
  });
}

function tell(event: ShownEvent): void {
  for (const listener of listeners) listener(event);
}

/** Asks every few seconds: what a page does that has no place for a stream, because others of the same browser have them all. */
async function poll(): Promise<void> {
  await refresh();
  const asked = shown;
  if (asked === undefined) return;
  const lines = await linesOf(asked).catch((): Numbered[] => []);
  if (asked !== shown) return;
  for (const { id, event } of lines) {
    tell(event);
    lastLine = id;
  }
}

interface Numbered {
  readonly id: string;
  readonly event: ShownEvent;
}

/** What there is beyond the last line. */
async function linesOf({ kind, id }: Shown): Promise<Numbered[]> {
  const name = encodeURIComponent(id);
  if (kind === 'run') {
    const { events } = await ask<EpochLinesAnswer>(`/api/runs/${name}/epochs?after=${lastLine}`);
    return events.map(({ id: line, event }) => ({ id: line, event: { kind, event } }));
  }
  const { events } = await ask<StreamLinesAnswer>(`/api/streams/${name}/lines?after=${lastLine}`);
  return events.map(({ id: line, event }) => ({ id: line, event: { kind, event } }));
}

/** Asks for the list at once, and listens. */
export async function start(): Promise<void> {
  void refresh();
  while (!(await takeSlot())) {
    await poll();
    await new Promise((resolve) => setTimeout(resolve, POLLING));
  }
  hasSlot = true;
  open();
}
