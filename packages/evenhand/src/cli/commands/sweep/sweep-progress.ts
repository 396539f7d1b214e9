import type { SweepDefinition } from '../../../sweep/definition.js';
import type { SweepEvent } from '../../../sweep/sweep.js';
import { count, duration, inPercent } from '../../../wording/numbers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit } from '../../terminal/text.js';

/** Milliseconds between two pictures of the line on a terminal, and between two lines elsewhere. */
const REDRAW = 100;
const NEXT_LINE = 10_000;

/** Shows a sweep while it goes on: on a terminal one line that changes, elsewhere a line now and then. */
export class SweepDisplay {
  readonly #terminal: Terminal;
  readonly #trials: number;
  readonly #judged = new Set<number>();
  #diverged = 0;
  #best: number | undefined;
  #epochs: Extract<SweepEvent, { kind: 'epochs' }> | undefined;
  /** When training began, and the epochs that were there by then. */
  #begun: { readonly at: number; readonly epochs: number } | undefined;
  #shownAt = performance.now();

  constructor(terminal: Terminal, { trials }: Pick<SweepDefinition, 'trials'>) {
    this.#terminal = terminal;
    this.#trials = trials;
  }

  /** Trials with at least one result. */
  get judged(): number {
    return this.#judged.size;
  }

  /** Takes in what happens, and shows it. */
  onEvent(event: SweepEvent): void {
    if (event.kind === 'epochs') {
      this.#epochs = event;
      this.#begun ??= { at: performance.now(), epochs: event.done };
    } else {
      this.#judged.add(event.trial);
      if (event.score === null) this.#diverged++;
      else if (event.isComplete) this.#best = Math.max(this.#best ?? 0, event.score);
    }
    this.#show();
  }

  /** Shows where it is, whenever that was last shown. */
  end(): void {
    if (this.#terminal.isLive) this.#terminal.replaceLine('');
    this.#terminal.note(this.#line(false));
  }

  #show(): void {
    const { isLive } = this.#terminal;
    const now = performance.now();
    if (now - this.#shownAt < (isLive ? REDRAW : NEXT_LINE)) return;
    this.#shownAt = now;
    if (isLive) this.#terminal.replaceLine(fit(this.#line(true), this.#terminal.columns - 1));
    else this.#terminal.note(this.#line(true));
  }

  #line(withTime: boolean): string {
    return [
      `trials ${this.judged}/${this.#trials}`,
      ...(this.#diverged === 0 ? [] : [`diverged ${this.#diverged}`]),
      `best ${this.#best === undefined ? '–' : `${inPercent(this.#best)} %`}`,
      `epochs ${count(this.#epochs?.done ?? 0)}`,
      ...(withTime ? this.#timeLeft() : []),
    ].join('  ');
  }

  /** How many trials will go on is not known: the time is about right at best. */
  #timeLeft(): string[] {
    if (this.#epochs === undefined || this.#begun === undefined) return [];
    const { done, expected } = this.#epochs;
    const trained = done - this.#begun.epochs;
    if (trained <= 0 || done >= expected) return [];
    const seconds = (performance.now() - this.#begun.at) / 1000;
    return [`about ${duration(((expected - done) * seconds) / trained)} left`];
  }
}
