import type { StreamLearner } from '../../../stream/learner/stream-learner.js';
import { count, counted, percent } from '../../../wording/numbers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { fit } from '../../terminal/text.js';

/** Milliseconds between two pictures of the line on a terminal, and between two lines elsewhere. */
const REDRAW = 100;
const NEXT_LINE = 10_000;

/** Shows how a stream is going: on a terminal one line that changes, elsewhere a line now and then. */
export class StreamDisplay {
  readonly #terminal: Terminal;
  #shown: { readonly at: number; readonly rows: number } | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(learner: StreamLearner): void {
    const { isLive } = this.#terminal;
    const now = performance.now();
    if (this.#shown !== undefined && now - this.#shown.at < (isLive ? REDRAW : NEXT_LINE)) return;
    const { rows } = learner.counts;
    const before = this.#shown;
    this.#shown = { at: now, rows };
    // Elsewhere the first line would only say that there has been nothing yet.
    if (before === undefined && !isLive) return;
    const rate = before === undefined ? undefined : ((rows - before.rows) * 1000) / (now - before.at);
    const line = lineOf(learner, rate);
    if (isLive) this.#terminal.replaceLine(fit(line, this.#terminal.columns - 1));
    else this.#terminal.note(line);
  }

  /** Leaves the last word on the screen. */
  end(learner: StreamLearner): void {
    if (this.#terminal.isLive) this.#terminal.replaceLine('');
    this.#terminal.note(lineOf(learner, undefined));
  }
}

function lineOf(learner: StreamLearner, rowsPerSecond: number | undefined): string {
  const { rows, classes, changes, windowed } = learner.metrics();
  return [
    counted(rows, 'row'),
    ...(rowsPerSecond === undefined ? [] : [`${count(rowsPerSecond)} rows/s`]),
    classes.length === 1 ? '1 class' : `${count(classes.length)} classes`,
    `balanced accuracy ${percent(windowed.balancedAccuracy)}`,
    `G-mean ${percent(windowed.gMean)}`,
    ...(changes === 0 ? [] : [counted(changes, 'change')]),
  ].join(' · ');
}
