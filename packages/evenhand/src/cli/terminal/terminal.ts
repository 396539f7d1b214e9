import { styleText } from 'node:util';
import { withoutControls } from './text.js';

/** How a command speaks; every command has these options. */
export interface OutputOptions {
  /** One JSON object on stdout, and nothing else there. */
  readonly json?: boolean;
  /** No progress and no notes. */
  readonly quiet?: boolean;
  /** Stack traces with errors. */
  readonly debug?: boolean;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const CLEAR_LINE = '\r\u001b[2K';
const CLEAR_LINE_ABOVE = '\u001b[1A\u001b[2K';
const FEWEST_COLUMNS = 20;

/** Where a command's words go: results to stdout, everything else to stderr. Nothing but text reaches what is no terminal. */
export class Terminal {
  /** Lines on the screen that will be replaced, the one that the cursor is in among them. */
  #replaceable = 1;

  /** @param program - the name that complaints begin with */
  constructor(
    readonly options: OutputOptions,
    readonly program = 'evenhand',
  ) {}

  /** Whether a line can be shown and replaced. */
  get isLive(): boolean {
    return process.stderr.isTTY === true && process.env.TERM !== 'dumb' && this.options.quiet !== true;
  }

  /** A result, for people. */
  say(text = ''): void {
    if (this.options.json !== true) process.stdout.write(`${withoutControls(text, hasColour(process.stdout))}\n`);
  }

  /** A result, for programs: the one JSON object. */
  json(value: object): void {
    if (this.options.json !== true) return;
    const text = JSON.stringify(value, null, 2);
    const escaped = text.replace(
      /[\u007f-\u009f\u2028\u2029]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    process.stdout.write(`${escaped}\n`);
  }

  /** A result that is a file's content. */
  write(content: string): void {
    process.stdout.write(content);
  }

  /** A note or a line of progress. */
  note(text: string): void {
    if (this.options.quiet === true) return;
    process.stderr.write(`${this.#clear()}${withoutControls(text, hasColour(process.stderr))}\n`);
  }

  /** Shows a line, or as many as there is room for, that the next ones replace; only where {@link isLive}. */
  replaceLine(...lines: readonly string[]): void {
    const shown = lines.slice(0, Math.max(1, (process.stderr.rows ?? 24) - 1));
    process.stderr.write(`${this.#clear()}${withoutControls(shown.join('\n'), hasColour(process.stderr))}`);
    this.#replaceable = Math.max(1, shown.length);
  }

  #clear(): string {
    if (!this.isLive) return '';
    const above = CLEAR_LINE_ABOVE.repeat(this.#replaceable - 1);
    this.#replaceable = 1;
    return `${CLEAR_LINE}${above}`;
  }

  /** Columns of the terminal that shows progress. */
  get columns(): number {
    return Math.max(FEWEST_COLUMNS, process.stderr.columns ?? 80);
  }

  /** What went wrong; said even if quiet. */
  complain(text: string): void {
    const name = this.style('red', `${this.program}:`, process.stderr);
    process.stderr.write(`${this.#clear()}${name} ${withoutControls(text, false)}\n`);
  }

  /** @param stream - where the text is going to */
  style(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
    return hasColour(stream) ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Not into files and pipes, and not where somebody asked for none (no-color.org). */
function hasColour(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}
