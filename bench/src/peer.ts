import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of its own that answers every line of JSON with a line of JSON. */
export class Peer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  private constructor(command: string, script: URL, flags: readonly string[]) {
    this.#process = spawn(command, [...flags, fileURLToPath(script)], { stdio: 'pipe' });
    this.#process.stderr.pipe(process.stderr);
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** @param flags - of the command, before the script */
  static start(command: string, script: URL, flags: readonly string[] = []): Peer {
    return new Peer(command, script, flags);
  }

  /** Starts a Python script with a Python that has `modules`; null, with the reason on stderr, if there is none. */
  static python(script: string, modules: readonly string[], hint: string): Peer | null {
    // Debian's packages belong to Debian's Python, which need not be the first on the path.
    const candidates = [process.env.PYTHON, 'python3', '/usr/bin/python3'];
    for (const python of candidates) {
      if (python === undefined) continue;
      if (spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0) {
        return Peer.start(python, new URL(`../peers/${script}`, import.meta.url));
      }
    }
    process.stderr.write(`No Python with ${modules.join(', ')} found; ${hint}. Its ratios are left out.\n`);
    return null;
  }

  /** Starts a script in another Node; null, with the reason on stderr, if it needs a package that is not installed. */
  static node(script: URL, needed: string): Peer | null {
    try {
      import.meta.resolve(needed);
    } catch {
      process.stderr.write(`The package ${needed} is not installed; npm ci installs it. Its ratios are left out.\n`);
      return null;
    }
    return Peer.start(process.execPath, script);
  }

  /** What each of the peer's ways took for a piece of work: milliseconds, or what the work asks for. */
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
