import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** How a child process ended, and what it had said by then. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** A process of its own that runs a script against the built package. It does not outlive the test. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #output = '';

  /**
   * @param script - an ES module; `dist` is the address of the package's built files
   * @param user - number of the user it runs as
   */
  constructor(script: string, args: readonly string[] = [], user?: number) {
    const dist = new URL('../../dist/', import.meta.url).href;
    const source = `const dist = ${JSON.stringify(dist)};\n${script}`;
    const options = user === undefined ? {} : { uid: user, gid: user };
    const command = ['--input-type=module', '--eval', source, ...args];
    this.#process = spawn(process.execPath, command, { ...options, stdio: 'pipe' });
    onTestFinished(() => void this.#process.kill('SIGKILL'));
    this.#ended = once(this.#process, 'close');
    const listen = (text: string) => {
      this.#output += text;
    };
    this.#process.stdout.setEncoding('utf8').on('data', listen);
    this.#process.stderr.setEncoding('utf8').on('data', listen);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Waits until the child has said something. */
  async said(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      if (this.#process.exitCode !== null) throw new Error(`the child ended before it said "${text}": ${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  tell(text: string): void {
    this.#process.stdin.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async ended(): Promise<Ending> {
    await this.#ended;
    return { code: this.#process.exitCode, signal: this.#process.signalCode, output: this.#output };
  }
}
