import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own. */
export interface Server {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Starts a Node program that prints one JSON object with its address once it can be asked. */
export async function startServer(args: readonly string[], cwd = process.cwd()): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8');
  for await (const [text] of on(child)) {
    said += text;
    if (said.trimEnd().endsWith('}')) break;
  }
  return { address: JSON.parse(said).address, process: child };
}

async function* on({ stdout }: ChildProcess): AsyncGenerator<string[]> {
  if (stdout === null) throw new Error('the server has no output');
  for (;;) yield await once(stdout, 'data');
}
