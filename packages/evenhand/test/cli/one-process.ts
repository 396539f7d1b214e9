import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a command ended. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Takes commands one by one. It keeps what it has loaded, and what a command says goes back with its exit code. */
const SCRIPT = `
const { EVENHAND } = await import(dist + 'cli/evenhand.js');
const { runProgram } = await import(dist + 'cli/run-program.js');
let said = {};
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text) => {
    said[name] += text;
    return true;
  };
}
process.on('message', async ({ folder, words }) => {
  said = { stdout: '', stderr: '' };
  process.exitCode = undefined;
  process.chdir(folder);
  process.argv = [process.execPath, 'evenhand', ...words];
  await runProgram(EVENHAND);
  process.stdout.removeAllListeners('error');
  process.stderr.removeAllListeners('error');
  process.removeAllListeners('SIGXFSZ');
  process.send({ code: process.exitCode ?? 0, ...said });
});
process.on('disconnect', () => process.exit(0));
`;

/** The program in one process for many commands: starting one for each would take longer than most of them. */
export class OneProcess {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    const dist = new URL('../../dist/', import.meta.url).href;
    const source = `const dist = ${JSON.stringify(dist)};\n${SCRIPT}`;
    this.#process = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#process, 'exit');
  }

  /** Runs a command to its end, once those before it have ended. */
  run(words: readonly string[], folder: string): Promise<Outcome> {
    const outcome = this.#last.then(() => this.#run(words, folder));
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  async #run(words: readonly string[], folder: string): Promise<Outcome> {
    this.#process.send({ folder, words });
    const [outcome] = await Promise.race([once(this.#process, 'message'), this.#ended]);
    if (outcome === null || typeof outcome !== 'object') throw new Error(`the process ended in: ${words.join(' ')}`);
    return outcome;
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }
}
