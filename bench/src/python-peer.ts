import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A Python script that answers every line of JSON with a line of JSON. */
export class PythonPeer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  private constructor(python: string, script: string) {
    const path = fileURLToPath(new URL(`../peers/${script}`, import.meta.url));
    this.#process = spawn(python, [path], { stdio: 'pipe' });
    this.#process.stderr.pipe(process.stderr);
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Starts the script with a Python that has `modules`; null, with the reason on stderr, if there is none. */
  static start(script: string, modules: readonly string[], hint: string): PythonPeer | null {
    // Debian's packages belong to Debian's Python, which need not be the first on the path.
    const candidates = [process.env.PYTHON, 'python3', '/usr/bin/python3'];
    for (const python of candidates) {
      if (python === undefined) continue;
      if (spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0) return new PythonPeer(python, script);
    }
    process.stderr.write(`No Python with ${modules.join(', ')} found; ${hint}. Its ratios are left out.\n`);
    return null;
  }

  /** Milliseconds that each of the peer's ways took, once, for a piece of work. */
  async run(work: object): Promise<Map<string, number>> {
    this.#process.stdin.write(`${JSON.stringify(work)}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`the peer ended while it ran ${JSON.stringify(work)}`);
    return new Map(Object.entries<number>(JSON.parse(value)));
  }

  stop(): void {
    this.#process.stdin.end();
  }
}
