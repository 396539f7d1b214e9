import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TrialProgress } from '../../src/queue/job.js';
import { ProgressReports } from '../../src/queue/progress-reports.js';
import type { TrainingEvent } from '../../src/training/events.js';

const READING: TrainingEvent = { kind: 'reading', done: 3, total: 7 };
const CHECKPOINT: TrainingEvent = { kind: 'checkpoint', checkpoint: 'last', epoch: 2, step: 0 };

let sent: TrialProgress[];
let reports: ProgressReports;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  reports = new ProgressReports('a worker', (progress) => Promise.resolve(sent.push(progress)));
});
afterEach(() => {
  vi.useRealTimers();
});

it('tells at once that a trial began, and of what follows once a second', () => {
  reports.add(READING);
  vi.advanceTimersByTime(1);
  expect(sent.map(({ events }) => events)).toEqual([[READING]]);
  reports.add(CHECKPOINT);
  reports.add(CHECKPOINT);
  vi.advanceTimersByTime(900);
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(100);
  expect(sent.map(({ events }) => events)).toEqual([[READING], [CHECKPOINT, CHECKPOINT]]);
});

it('leaves out the oldest of what keeps coming, never what comes once', () => {
  reports.add(READING);
  for (let epoch = 1; epoch <= 200; epoch++) reports.add({ ...CHECKPOINT, epoch });
  vi.advanceTimersByTime(1);
  const [{ events } = { events: [] }] = sent;
  expect(events).toHaveLength(50);
  expect(events[0]).toEqual(READING);
  expect(events.slice(1)).toEqual(Array.from({ length: 49 }, (_, i) => ({ ...CHECKPOINT, epoch: 152 + i })));
});
