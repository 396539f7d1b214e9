import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The command as npm links it. */
const COMMAND = fileURLToPath(new URL('../bin/evenhand-paper.js', import.meta.url));

/** How a process ended, and what it had said by then. */
interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command runs. */
interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process of its own that runs what was built. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], { cwd, env = {} }: Partial<CommandOptions>) {
    this.#process = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
    this.#ended = once(this.#process, 'close');
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Waits until it has said something. */
  async said(text: string): Promise<void> {
    while (!this.#stdout.includes(text)) {
      if (this.#process.exitCode !== null) {
        throw new Error(`the child ended before it said "${text}": ${this.#stdout}${this.#stderr}`);
      }
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
    const { exitCode: code, signalCode: signal } = this.#process;
    return { code, signal, stdout: this.#stdout, stderr: this.#stderr };
  }
}

/** Starts a script, an ES module, that does not outlive the test. It imports the package by its name. */
export function startScript(script: string, args: readonly string[]): Child {
  const child = scriptWith(script, args);
  onTestFinished(() => child.kill('SIGKILL'));
  return child;
}

/** Runs a script to its end. */
export function runScript(script: string, args: readonly string[]): Promise<Ending> {
  return scriptWith(script, args).ended();
}

function scriptWith(script: string, args: readonly string[]): Child {
  const cwd = fileURLToPath(new URL('..', import.meta.url)); // from where the package is found
  return new Child(['--input-type=module', '--eval', script, ...args], { cwd });
}

/** Starts a command that does not outlive the test. */
export function startCommand(args: readonly string[], options: CommandOptions): Child {
  const command = new Child([COMMAND, ...args], options);
  onTestFinished(() => command.kill('SIGKILL'));
  return command;
}

/** Runs a command to its end. */
export function runCommand(args: readonly string[], options: CommandOptions): Promise<Ending> {
  return new Child([COMMAND, ...args], options).ended();
}
