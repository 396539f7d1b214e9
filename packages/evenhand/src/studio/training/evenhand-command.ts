import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseStrictJson } from '@evenhand/engine';
import { UserError } from '../../user-error.js';

/** The command as npm links it: what the studio starts is what a person would type. */
const MAIN = fileURLToPath(new URL('../../../bin/evenhand.js', import.meta.url));

/** Of what a command writes: more is not kept. */
const LONGEST = 16_000_000;

/** How a command ended. */
interface CommandEnding {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command in a process of its own, which does not keep the server from answering. */
export interface StartedCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandEnding>;
}

/** Starts `evenhand` with these words. A Ctrl-C in the studio's terminal does not reach it: the studio passes it on. */
export function startCommand(words: readonly string[], cwd: string): StartedCommand {
  const child = spawn(process.execPath, [MAIN, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < LONGEST) stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-LONGEST);
  });
  const ended = new Promise<CommandEnding>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/**
 * The one JSON object of a command.
 *
 * @throws {@link UserError} with what the command complained about
 */
export async function jsonOfCommand(words: readonly string[], cwd: string, signal: AbortSignal): Promise<unknown> {
  const { child, ended } = startCommand([...words, '--json'], cwd);
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  try {
    const { stdout, stderr } = await ended;
    let json: unknown;
    try {
      json = parseStrictJson(stdout);
    } catch {
      throw new UserError(complaint(stderr));
    }
    if (typeof json === 'object' && json !== null && 'error' in json) throw new UserError(complaint(stderr));
    return json;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What a command said went wrong, without its name. */
export function complaint(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const first = lines.map((line) => line.startsWith('evenhand: ')).lastIndexOf(true);
  return first === -1
    ? stderr.trim()
    : lines
        .slice(first)
        .join('\n')
        .replace(/^evenhand: /, '');
}
