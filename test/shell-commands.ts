import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentBlock, documentBlocks } from './documents.js';

/** A command that a document tells its reader to type. */
export interface ShellCommand {
  /** The document and the line of its block. */
  readonly name: string;
  readonly path: string;
  /** The program and its arguments, as a shell would give them to it. */
  readonly words: readonly string[];
}

/** Programs that documents use. The shell calls these in their place, and each says how it was called. */
const PROGRAMS = ['npx', 'npm', 'node', 'curl', 'zcat', 'redis-server', 'python3', 'Rscript'];

/** The commands of all `sh` blocks, taken apart by a real shell, with everything else that they do in an empty folder. */
export function documentedCommands(): ShellCommand[] {
  const folder = mkdtempSync(join(tmpdir(), 'evenhand-commands-'));
  try {
    return documentBlocks()
      .filter(({ language }) => language === 'sh')
      .flatMap((block) => commandsOf(block, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandsOf({ name, path, code }: DocumentBlock, folder: string): ShellCommand[] {
  const log = join(folder, 'log');
  const stubs = PROGRAMS.map((program) => `${program}() { { printf '%s\\0' ${program} "$@"; printf '\\n'; } >&3; }`);
  // No path: what is no program of the list is an error.
  const script = `PATH=''\nexec 3>'${log}'\n${stubs.join('\n')}\n${code}`;
  const { status, stderr } = spawnSync('bash', ['--norc', '-u', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  if (status !== 0 || stderr !== '') throw new Error(`${name} is not understood by the shell: ${stderr}`);
  return readFileSync(log, 'utf8')
    .split('\0\n')
    .filter((line) => line !== '')
    .map((line) => ({ name, path, words: line.split('\0') }));
}

/** Variables that documents use. */
const ENVIRONMENT = { PATH: process.env.PATH, EVENHAND_DATA: 'data' };
