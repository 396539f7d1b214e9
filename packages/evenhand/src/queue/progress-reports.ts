import type { TrainingEvent } from '../training/events.js';
import type { TrialProgress } from './job.js';

/** Milliseconds between two reports. */
const NEXT_REPORT = 1_000;
/** Events in one report; of those that keep coming, the oldest are left out. */
const MOST_EVENTS = 50;

/** Tells of a trial now and then, so that the queue is not flooded with steps. */
export class ProgressReports {
  readonly #worker: string;
  readonly #send: (progress: TrialProgress) => Promise<unknown>;
  #events: TrainingEvent[] = [];
  #run: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = -NEXT_REPORT;

  /** @param send - what fails is not told again */
  constructor(worker: string, send: (progress: TrialProgress) => Promise<unknown>) {
    this.#worker = worker;
    this.#send = send;
  }

  /** Takes in what happens. */
  add(event: TrainingEvent): void {
    // It has the whole evaluation, which is in the run.
    if (event.kind === 'finished') return;
    const last = this.#events.at(-1);
    if (event.kind === last?.kind && isCounter(event)) this.#events.pop();
    this.#events.push(event);
    if (this.#events.length > MOST_EVENTS) this.#events.splice(Math.max(0, this.#events.findIndex(keepsComing)), 1);
    this.#schedule();
  }

  /** A checkpoint is in the store. */
  uploaded(run: string): void {
    this.#run = run;
    this.#schedule();
  }

  /** Nothing is told any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#sentAt = performance.now();
        const progress = {
          worker: this.#worker,
          events: this.#events,
          ...(this.#run === undefined ? {} : { run: this.#run }),
        };
        this.#events = [];
        this.#send(progress).catch(() => undefined);
      },
      this.#sentAt + NEXT_REPORT - performance.now(),
    );
  }
}

/** Of these only the newest counts. */
function isCounter({ kind }: TrainingEvent): boolean {
  return kind === 'steps' || kind === 'reading' || kind === 'importance';
}

/** What a long training has any number of, while nobody should miss that it began. */
function keepsComing({ kind }: TrainingEvent): boolean {
  return kind === 'steps' || kind === 'epoch' || kind === 'checkpoint';
}
