import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './outcome.js';
import { type ProcessUsage, usageOf } from './process-usage.js';

/** What a case may take. */
export interface CaseLimits {
  /** Of a processor: a busy machine makes nothing slower by this measure. By the clock it is six times as much. */
  readonly seconds: number;
  readonly megabytes: number;
}

const CLOCK_FACTOR = 6;
const MILLISECONDS = 50;
const CHILD = fileURLToPath(new URL('child.js', import.meta.url));

/** A process that reads one case after the other, and is ended when one takes too much. */
export class FuzzProcess {
  readonly #child: ChildProcess;
  readonly #limits: CaseLimits;
  #errors = '';

  /** @param args - what the child's process is given */
  constructor(args: readonly string[], limits: CaseLimits) {
    this.#limits = limits;
    this.#child = fork(CHILD, [...args], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-2000);
    });
  }

  /** Whether it can take another case. */
  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** One case; the process is gone afterwards if it was the last that it could take. */
  async read(order: Order): Promise<Answer> {
    const answered = this.#answered();
    const excess = this.#excess();
    let tooMuch: string | undefined;
    const watch = setInterval(() => {
      tooMuch ??= excess();
      if (tooMuch !== undefined) this.#child.kill('SIGKILL');
    }, MILLISECONDS);
    this.#child.send(order);
    const answer = await answered.finally(() => clearInterval(watch));
    if (tooMuch === undefined && answer.megabytes > this.#limits.megabytes) tooMuch = this.#memory(answer.megabytes);
    if (tooMuch === undefined) return answer;
    await this.end();
    return { ...answer, outcome: { kind: 'finding', what: tooMuch } };
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }

  #answered(): Promise<Answer> {
    return new Promise((resolve) => {
      const died = (code: number | null, signal: string | null) => {
        this.#child.off('message', answered);
        const what = `the process died (${signal ?? `exit code ${code}`}): ${this.#errors}`;
        resolve({ outcome: { kind: 'finding', what }, megabytes: 0 });
      };
      const answered = (answer: Answer) => {
        this.#child.off('exit', died);
        resolve(answer);
      };
      this.#child.once('message', answered).once('exit', died);
    });
  }

  /** From now on, which limit is exceeded. */
  #excess(): () => string | undefined {
    const { seconds, megabytes } = this.#limits;
    const began = performance.now();
    const before = this.#usage()?.seconds ?? 0;
    return () => {
      const usage = this.#usage();
      if (usage !== undefined && usage.megabytes > megabytes) return this.#memory(usage.megabytes);
      if (usage !== undefined && usage.seconds - before > seconds) return `no end within ${seconds} s of a processor`;
      if (performance.now() - began > 1000 * CLOCK_FACTOR * seconds) return `no end within ${CLOCK_FACTOR * seconds} s`;
      return undefined;
    };
  }

  #usage(): ProcessUsage | undefined {
    return this.#child.pid === undefined ? undefined : usageOf(this.#child.pid);
  }

  #memory(megabytes: number): string {
    return `${Math.round(megabytes)} MB of memory; expected at most ${this.#limits.megabytes}`;
  }
}
