import type { TrainingEvent } from '../../../training/events.js';
import { commandLine } from '../../../wording/command-line.js';
import { count, counted, duration, inPercent } from '../../../wording/numbers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, printable } from '../../terminal/text.js';

/** Milliseconds between two pictures of the line on a terminal, and between two lines elsewhere. */
const REDRAW = 100;
const NEXT_LINE = 10_000;

/** How many runs are trained, and how many of them at the same time. */
export interface RunCount {
  readonly runs: number;
  readonly atOnce: number;
}

/** Where training can go on. */
type SavedAt = { readonly epoch: number; readonly step: number };

/** Shows runs while they are trained, each in a line of its own. */
export class TrainingDisplays {
  readonly #terminal: Terminal;
  readonly #count: RunCount;
  readonly #displays = new Map<string, TrainingDisplay>();
  /** Notes that were shown: what holds for all runs is said once. */
  readonly #said = new Set<string>();

  constructor(terminal: Terminal, count: RunCount) {
    this.#terminal = terminal;
    this.#count = count;
  }

  /** @param name - what the run is called in its line */
  add(name: string, key = name): TrainingDisplay {
    const position = { name, index: this.#displays.size, ...this.#count };
    const display = new TrainingDisplay(this.#terminal, position, { said: this.#said, redraw: () => this.#redraw() });
    this.#displays.set(key, display);
    return display;
  }

  of(key: string): TrainingDisplay | undefined {
    return this.#displays.get(key);
  }

  /** Takes a run's line away. */
  end(key: string): void {
    const display = this.#displays.get(key);
    if (display !== undefined) display.isFinished = true;
  }

  /** Where one of the runs that are not finished can go on; undefined if none can. */
  get saved(): SavedAt | undefined {
    return [...this.#displays.values()].find(({ isFinished, saved }) => !isFinished && saved !== undefined)?.saved;
  }

  #redraw(): void {
    const unfinished = [...this.#displays.values()].filter(({ isFinished }) => !isFinished);
    const lines = unfinished.map(({ line }) => fit(line, this.#terminal.columns - 1));
    this.#terminal.replaceLine(...lines.filter((line) => line !== ''));
  }
}

/** What to say when training was interrupted. */
export function howToGoOn({
  folder,
  isBegun,
  isResumed,
  saved,
}: {
  readonly folder: string;
  readonly isBegun: boolean;
  readonly isResumed: boolean;
  readonly saved: SavedAt | undefined;
}): string {
  if (!isBegun) return 'interrupted before training began; nothing was written';
  const before = isResumed ? 'what was saved before is kept' : 'no epoch was saved yet';
  const where = saved === undefined ? before : `saved after ${positionText(saved)}`;
  const command = printable(commandLine('resume', folder));
  return `interrupted; ${where}, in ${printable(folder)}. Continue with:\n  ${command}`;
}

function positionText({ epoch, step }: SavedAt): string {
  return step === 0 ? counted(epoch, 'epoch') : `${counted(epoch, 'epoch')} and ${counted(step, 'step')}`;
}

/** Which of how many runs is trained. */
interface RunPosition extends RunCount {
  readonly name: string;
  /** From 0. */
  readonly index: number;
}

/** What the displays of several runs share. */
interface SharedDisplay {
  /** Draws the lines of all runs anew, where lines can change. */
  redraw(): void;
  readonly said: Set<string>;
}

type EventOf<Kind extends TrainingEvent['kind']> = Extract<TrainingEvent, { kind: Kind }>;

/** Shows a training run while it goes on: on a terminal a line that changes, elsewhere one now and then. */
class TrainingDisplay {
  isFinished = false;
  saved: SavedAt | undefined;
  /** Instances of each class in the training set, once it is known. */
  trainingCounts: readonly number[] = [];
  readonly #terminal: Terminal;
  readonly #position: RunPosition;
  readonly #shared: SharedDisplay;
  #reading = '';
  #measuring = '';
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
        [this.#steps, this.#epoch] = [undefined, undefined];
        if (event.epoch + event.step > 0) this.saved = { epoch: event.epoch, step: event.step };
        this.#notes(event.notes);
        if (event.epoch === event.epochs) this.#notes(['All epochs are trained already; the run is evaluated again.']);
        break;
      case 'steps':
        this.#steps = event;
        if (this.#terminal.isLive || this.#started?.refit) this.#show();
        break;
      case 'epoch':
        this.#epoch = event;
        this.#show(event.metrics.epoch + 1 === this.#started?.epochs);
        break;
      case 'checkpoint':
        if (event.checkpoint === 'last') this.saved = { epoch: event.epoch, step: event.step };
        break;
      case 'importance':
        this.#measuring = `measuring columns  ${count(event.done)} of ${count(event.columns)}`;
        this.#show();
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
    const { name, index, runs } = this.#position;
    const which = [...(runs > 1 ? [`run ${index + 1}/${runs}`] : []), printable(name)];
    if (this.#measuring !== '') return [...which, this.#measuring].join('  ');
    const done = this.#epoch?.metrics;
    const epoch = this.#steps?.epoch ?? done?.epoch ?? started.epoch;
    const loss = done?.epoch === epoch ? done.loss : this.#steps?.loss;
    return [
      ...which,
      ...(started.member === undefined
        ? []
        : [`${started.member.name} (${started.member.index + 1}/${started.member.of})`]),
      `${started.refit ? 'refit, ' : ''}epoch ${epoch + 1}/${started.epochs}`,
      ...(loss === undefined ? [] : [`loss ${loss.toFixed(4)}`]),
      ...(done === undefined || done.validation === null
        ? []
        : [
            `validation ${inPercent(done.validation.softAccuracy)} %`,
            `rarest ${inPercent(this.#rarest(done.validation.softRecall))} %`,
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
    const { index, runs, atOnce } = this.#position;
    const left = epochs * stepsPerEpoch * Math.ceil((runs - index) / atOnce) - at;
    const speed = `${count((done * batchSize) / seconds)}/s`;
    return left === 0 ? [speed] : [speed, `${duration((left * seconds) / done)} left`];
  }
}
