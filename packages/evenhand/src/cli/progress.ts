import type { TrainingEvent } from '../training/events.js';
import { count, duration, percent } from './numbers.js';
import type { Terminal } from './terminal.js';
import { printable } from './text.js';

/** Milliseconds between two pictures of the line on a terminal, and between two lines elsewhere. */
const REDRAW = 100;
const NEXT_LINE = 10_000;

/** Which of how many runs is trained. */
export interface RunPosition {
  readonly name: string;
  /** From 0. */
  readonly place: number;
  readonly runs: number;
  /** How many are trained at the same time. */
  readonly atOnce: number;
}

/** What the displays of several runs share. */
export interface SharedDisplay {
  /** Draws the lines of all runs anew, where lines can change. */
  redraw(): void;
  /** Notes that were shown: what holds for all runs is said once. */
  readonly said: Set<string>;
}

type EventOf<Kind extends TrainingEvent['kind']> = Extract<TrainingEvent, { kind: Kind }>;

/** Shows a training run while it goes on: on a terminal a line that changes, elsewhere one now and then. */
export class ProgressDisplay {
  isFinished = false;
  /** Where training can go on. */
  saved: { readonly epoch: number; readonly step: number } | undefined;
  /** Instances of each class in the training set, once it is known. */
  trainingCounts: readonly number[] = [];
  readonly #terminal: Terminal;
  readonly #position: RunPosition;
  readonly #shared: SharedDisplay;
  #reading = '';
  #started: (EventOf<'started'> & { readonly at: number }) | undefined;
  #steps: EventOf<'steps'> | undefined;
  #epoch: EventOf<'epoch'> | undefined;
  #shownAt = performance.now();

  constructor(terminal: Terminal, position: RunPosition, shared: SharedDisplay) {
    this.#terminal = terminal;
    this.#position = position;
    this.#shared = shared;
  }

  /** Takes in what happens, and shows it. */
  onEvent(event: TrainingEvent): void {
    switch (event.kind) {
      case 'reading':
        this.#reading = `reading images  ${count(event.done)} of ${count(event.total)}`;
        this.#show();
        break;
      case 'dataset':
      case 'split':
        if (event.kind === 'split') this.trainingCounts = event.training;
        this.#notes(event.notes);
        break;
      case 'started':
        this.#started = { ...event, at: performance.now() };
        if (event.epoch + event.step > 0) this.saved = { epoch: event.epoch, step: event.step };
        this.#notes(event.notes);
        if (event.epoch === event.epochs) this.#notes(['All epochs are trained already; the run is evaluated again.']);
        break;
      case 'steps':
        this.#steps = event;
        if (this.#terminal.isLive) this.#show();
        break;
      case 'epoch':
        this.#epoch = event;
        this.#show(event.metrics.epoch + 1 === this.#started?.epochs);
        break;
      case 'checkpoint':
        if (event.checkpoint === 'last') this.saved = { epoch: event.epoch, step: event.step };
        break;
      case 'finished':
        this.isFinished = true;
        break;
    }
  }

  #notes(notes: readonly string[]): void {
    for (const note of notes) {
      if (this.#shared.said.has(note)) continue;
      this.#shared.said.add(note);
      this.#terminal.note(this.#terminal.style('dim', `note: ${note}`, process.stderr));
    }
  }

  #show(isLast = false): void {
    const { isLive } = this.#terminal;
    const now = performance.now();
    if (!isLast && now - this.#shownAt < (isLive ? REDRAW : NEXT_LINE)) return;
    this.#shownAt = now;
    if (isLive && !isLast) this.#shared.redraw();
    else this.#terminal.note(this.line);
  }

  /** Where the run is. */
  get line(): string {
    const started = this.#started;
    if (started === undefined) return this.#reading;
    const { name, place, runs } = this.#position;
    const done = this.#epoch?.metrics;
    const epoch = this.#steps?.epoch ?? done?.epoch ?? started.epoch;
    const loss = done?.epoch === epoch ? done.loss : this.#steps?.loss;
    return [
      ...(runs > 1 ? [`run ${place + 1}/${runs}`] : []),
      printable(name),
      `epoch ${epoch + 1}/${started.epochs}`,
      ...(loss === undefined ? [] : [`loss ${loss.toFixed(4)}`]),
      ...(done === undefined
        ? []
        : [
            `validation ${percent(done.validation.softAccuracy)} %`,
            `rarest ${percent(this.#rarest(done.validation.softRecall))} %`,
          ]),
      ...this.#speed(started, epoch),
    ].join('  ');
  }

  /** Mean soft recall of the rarer half of the classes, in the validation set. */
  #rarest(softRecall: readonly (number | null)[]): number | null {
    const half = Math.max(1, Math.floor(softRecall.length / 2));
    const rarest = [...this.trainingCounts.entries()].sort(([p, a], [q, b]) => a - b || q - p).slice(0, half);
    const recalls = rarest.map(([p]) => softRecall[p] ?? null).filter((recall) => recall !== null);
    return recalls.length === 0 ? null : recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
  }

  /** Instances a second, and the time that this run and those after it will take if they are like this one. */
  #speed(started: EventOf<'started'> & { readonly at: number }, epoch: number): string[] {
    const { epochs, stepsPerEpoch, batchSize } = started;
    const at = epoch * stepsPerEpoch + (this.#steps?.step ?? 0);
    const done = at - (started.epoch * stepsPerEpoch + started.step);
    if (done <= 0) return [];
    const seconds = (performance.now() - started.at) / 1000;
    const { place, runs, atOnce } = this.#position;
    const left = epochs * stepsPerEpoch * Math.ceil((runs - place) / atOnce) - at;
    const speed = `${count((done * batchSize) / seconds)}/s`;
    return left === 0 ? [speed] : [speed, `${duration((left * seconds) / done)} left`];
  }
}
