import { signal } from '@preact/signals';
import type { EpochEvent, EpochLinesAnswer, RunList, RunSummary, SweepSummary } from 'evenhand/studio';
import { ask, messageOf } from './api.js';
import { takeSlot } from './stream-slot.js';

/** All runs, as far as the server has read them; undefined until the first answer. */
export const runs = signal<ReadonlyMap<string, RunSummary> | undefined>(undefined);
/** Sweeps. */
export const sweeps = signal<readonly SweepSummary[]>([]);
/** Grows with every change of the list. */
export const listVersion = signal(-1);
/** Folders that are shown. */
export const folders = signal<readonly string[]>([]);
/** Runs that the server has yet to read. */
export const unread = signal(0);
/** Why nothing comes any more; undefined while all is well. */
export const disconnected = signal<string | undefined>(undefined);

type EpochListener = (event: EpochEvent) => void;

/** Milliseconds between two questions of a page without a stream. */
const POLLING = 2000;

let stream: EventSource | undefined;
let hasSlot = false;
let shownRun: string | undefined;
/** The last line that was asked for, without a stream. */
let lastLine = '';
let fetching = false;
let again = false;
const listeners = new Set<EpochListener>();

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
  folders.value = list.folders;
  unread.value = list.unread;
  if (list.isWhole || list.runs.length > 0 || list.removed.length > 0 || runs.value === undefined) runs.value = next;
}

/** Listens to the server: to the list of runs always, and to the epochs of a run if one is shown. One stream a page. */
export function listen(run: string | undefined, onEpoch?: EpochListener): () => void {
  if (onEpoch !== undefined) listeners.add(onEpoch);
  if (shownRun !== run) {
    shownRun = run;
    lastLine = '';
    if (hasSlot) open();
    else void poll();
  }
  return () => {
    if (onEpoch !== undefined) listeners.delete(onEpoch);
  };
}

function open(): void {
  stream?.close();
  const run = shownRun;
  const opened = new EventSource(run === undefined ? '/api/events' : `/api/events?run=${encodeURIComponent(run)}`);
  stream = opened;
  opened.addEventListener('runs', ({ data }) => {
    disconnected.value = undefined;
    if (Number(data) !== listVersion.value) void refresh();
  });
  opened.addEventListener('epoch', ({ data }) => {
    const event: EpochEvent = JSON.parse(data);
    tell(event);
  });
  opened.addEventListener('error', () => {
    // The browser tries again by itself, but not after an answer such as 403.
    disconnected.value = 'The connection to the studio is lost. Is it still running in the terminal?';
    if (opened.readyState === EventSource.CLOSED) void refresh();
  });
}

function tell(event: EpochEvent): void {
  for (const listener of listeners) listener(event);
}

/** Asks every few seconds: what a page does that has no place for a stream, because others of the same browser have them all. */
async function poll(): Promise<void> {
  await refresh();
  const run = shownRun;
  if (run === undefined) return;
  const address = `/api/runs/${encodeURIComponent(run)}/epochs?after=${lastLine}`;
  const { events } = await ask<EpochLinesAnswer>(address).catch((): EpochLinesAnswer => ({ events: [] }));
  if (run !== shownRun) return;
  for (const { id, event } of events) {
    tell(event);
    lastLine = id;
  }
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
