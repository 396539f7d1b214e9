import { computed, effect, signal } from '@preact/signals';
import { classCounts, type Point, paintedClasses } from './points.js';
import { PRESETS } from './presets.js';
import type { Message, Rates, Snapshot } from './training/protocol.js';
import { startWorker, type TrainingWorker } from './training/start-worker.js';

/** What a pointer does: paints a class, or erases. */
export type Brush = number | 'eraser';

/** Where training is. */
type Status =
  | { readonly kind: 'loading' | 'training' | 'at rest' }
  | { readonly kind: 'failed'; readonly reason: string };

const DEFAULT_RATES: Rates = { enhancementRate: 3, updatingRate: 0.1, adjustment: 1 };

/** The preset that the address asks for, or the first one. */
function askedPreset() {
  const [first] = PRESETS;
  return PRESETS.find(({ id }) => `#${id}` === location.hash) ?? first;
}

export const points = signal<readonly Point[]>(askedPreset()?.points ?? []);
export const presetId = signal<string | undefined>(askedPreset()?.id);
/** The triangles first: in most presets they are rare. */
export const brush = signal<Brush>(1);
export const rates = signal<Rates>(DEFAULT_RATES);
export const isPaused = signal(false);
export const snapshot = signal<Snapshot | undefined>(undefined);
export const status = signal<Status>({ kind: 'loading' });

export const counts = computed(() => classCounts(points.value));
/** Whether there is anything to tell apart. */
export const isTrainable = computed(() => paintedClasses(points.value).length > 1);

const worker = signal<TrainingWorker | undefined>(undefined);
/** Counts the times that training was to begin anew. */
const restarts = signal(0);

export function usePreset(id: string): void {
  const preset = PRESETS.find((candidate) => candidate.id === id);
  if (preset === undefined) return;
  location.replace(`#${id}`);
  points.value = preset.points;
  presetId.value = id;
  startAgain();
}

/** Other points, painted ones: what is learned goes on from where it is. */
export function changePoints(changed: readonly Point[]): void {
  points.value = changed;
  presetId.value = undefined;
}

export function startAgain(): void {
  isPaused.value = false;
  restarts.value++;
}

function take(message: Message): void {
  if (message.kind === 'failed') status.value = { kind: 'failed', reason: message.reason };
  else if (message.kind === 'snapshot') {
    snapshot.value = message.snapshot;
    status.value = { kind: message.isAtRest ? 'at rest' : 'training' };
  }
}

/** Starts the worker, and from then on has it train whatever there is to train. */
export function start(parts: { readonly worker: string; readonly runtime: string }): void {
  startWorker(parts, take).then(
    (started) => {
      worker.value = started;
    },
    (error: unknown) => {
      status.value = { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    },
  );
  let restarted = 0;
  effect(() => {
    const trainer = worker.value;
    if (trainer === undefined) return;
    if (isPaused.value || !isTrainable.value) trainer.send({ kind: 'pause' });
    else {
      const restart = restarts.value !== restarted;
      restarted = restarts.value;
      trainer.send({ kind: 'train', points: points.value, rates: rates.value, restart });
    }
  });
}
