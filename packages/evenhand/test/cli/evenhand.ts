import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The command as npm links it. */
export const MAIN = fileURLToPath(new URL('../../bin/evenhand.js', import.meta.url));

/** How a command ended, and what it had said by then. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and as whom a command runs. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Number of the user. */
  readonly user?: number;
}

/** A command in a process of its own, not on a terminal. */
export class RunningCommand {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], { cwd, env = {}, user }: CommandOptions) {
    const who = user === undefined ? {} : { uid: user, gid: user };
    this.#process = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env }, ...who });
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

  /** What it has said so far beside its results. */
  get stderr(): string {
    return this.#stderr;
  }

  /** All that it has said on stdout, once that holds this text. */
  async says(text: string): Promise<string> {
    while (!this.#stdout.includes(text)) {
      const [said] = await Promise.race([once(this.#process.stdout, 'data'), this.#ended.then(() => [undefined])]);
      if (said === undefined) throw new Error(`the command ended without saying "${text}": ${this.#stderr}`);
    }
    return this.#stdout;
  }

  /** Waits until the command has said something beside its results. */
  async said(text: string | RegExp): Promise<void> {
    const isSaid = () => (typeof text === 'string' ? this.#stderr.includes(text) : text.test(this.#stderr));
    while (!isSaid()) {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null)
        throw new Error(`the command ended before it said "${text}": ${this.#stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** What it has printed so far. */
  get stdout(): string {
    return this.#stdout;
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async ended(): Promise<Ending> {
    await this.#ended;
    return { code: this.#process.exitCode, stdout: this.#stdout, stderr: this.#stderr };
  }
}

/** Starts a command that does not outlive the test. */
export function start(args: readonly string[], options: CommandOptions): RunningCommand {
  const command = new RunningCommand(args, options);
  onTestFinished(() => command.kill('SIGKILL'));
  return command;
}

/** Runs a command to its end. */
export function evenhand(args: readonly string[], options: CommandOptions): Promise<Ending> {
  return new RunningCommand(args, options).ended();
}

/** Runs a script of a shell, in which `evenhand` is the command, to its end. */
export function shell(script: string, cwd: string): Ending {
  const defined = `evenhand() { '${process.execPath}' '${MAIN}' "$@"; }\n${script}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', defined], { cwd, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

/** Runs a command that must succeed, and gives its one JSON object. */
export async function evenhandJson(args: readonly string[], options: CommandOptions): Promise<unknown> {
  const { code, stdout, stderr } = await evenhand([...args, '--json'], options);
  if (code !== 0) throw new Error(`evenhand ${args.join(' ')} exited with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A network that is trained in a moment. */
export const SMALL = ['--epochs', '2', '--threads', '1', '--set', 'model.hidden=[8]', '--quiet', '--no-report'];
