import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

const cleanUps: (() => Promise<void>)[] = [];

// For the file that imports this one.
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** A server of the test's own, on a free port, with its data in a folder of its own. */
export interface TestServer {
  /** For `--queue`. */
  readonly url: string;
  /** Ends it as an operator would, with what it holds on the disk. */
  stop(): Promise<void>;
  /** Starts it again at the same address, with or without what it held. */
  startAgain(options: { readonly keepsData: boolean }): Promise<void>;
}

/** A kind of server that can hold a queue. */
export interface Backend {
  readonly name: string;
  /** Why it cannot be tested here, if it cannot. */
  readonly missing: string | undefined;
  start(): Promise<TestServer>;
}

const POSTGRES_FOLDERS = ['15', '16', '17', '14', '13'].map((version) => `/usr/lib/postgresql/${version}/bin`);

function find(program: string, folders: readonly string[] = []): string | undefined {
  return [...folders, ...(process.env.PATH ?? '').split(delimiter)]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

const redis = find('redis-server');
const postgres = find('postgres', POSTGRES_FOLDERS);

export const REDIS: Backend = {
  name: 'Redis',
  missing: redis === undefined ? 'no Redis found: install it (Debian: apt-get install redis-server)' : undefined,
  start: () => startRedis(),
};

export const POSTGRES: Backend = {
  name: 'PostgreSQL',
  missing: postgres === undefined ? 'no PostgreSQL found: install it (Debian: apt-get install postgresql)' : undefined,
  start: () => startPostgres(),
};

/** A Redis, with more of its settings than are needed for a queue. */
export async function startRedis(settings: readonly string[] = []): Promise<TestServer> {
  const [folder, port] = [await folderFor('redis'), await freePort()];
  const server = new Process(() => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
    return spawn(redis ?? '', [...words, ...settings], { stdio: 'ignore' });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    ...(await running(server, port, async () => rm(join(folder, 'appendonlydir'), { recursive: true, force: true }))),
  };
}

/** PostgreSQL refuses to run as root. */
const POSTGRES_USER = 'postgres';

/** @param authentication - how users of it are known */
export async function startPostgres(authentication = 'trust'): Promise<TestServer> {
  const [folder, port] = [await folderFor('postgres'), await freePort()];
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? Number(execFileSync('id', ['-u', POSTGRES_USER], { encoding: 'utf8' })) : undefined;
  const who = user === undefined ? {} : { uid: user, gid: user };
  if (user !== undefined) await chown(folder, user, user);
  const data = join(folder, 'data');
  const bin = (program: string) => find(program, POSTGRES_FOLDERS) ?? program;
  let isNew = true;
  const initialise = () => {
    isNew = true;
    const words = ['-D', data, '-U', 'evenhand', '-A', 'trust', '--no-sync'];
    execFileSync(bin('initdb'), words, { ...who, cwd: folder, stdio: 'ignore' });
  };
  const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'];
  const server = new Process(() => spawn(bin('postgres'), words, { ...who, cwd: folder, stdio: 'ignore' }), 'SIGINT');
  initialise();
  const actions = await running(
    server,
    port,
    async () => {
      await rm(data, { recursive: true, force: true });
      initialise();
    },
    () => {
      const psql = (command: string) =>
        execFileSync(
          bin('psql'),
          ['-h', '127.0.0.1', '-p', String(port), '-U', 'evenhand', '-c', command, 'postgres'],
          {
            stdio: 'pipe',
          },
        );
      psql('SELECT 1');
      if (!isNew) return;
      psql('CREATE DATABASE evenhand');
      isNew = false;
      if (authentication === 'trust') return;
      psql("ALTER USER evenhand PASSWORD 'correct'");
      execFileSync('sed', ['-i', `s/trust$/${authentication}/`, join(data, 'pg_hba.conf')]);
      psql('SELECT pg_reload_conf()');
    },
  );
  return { url: `postgres://evenhand@127.0.0.1:${port}/evenhand`, ...actions };
}

/** A process that is started again and again. */
class Process {
  #process: ChildProcess | undefined;

  constructor(
    private readonly spawn: () => ChildProcess,
    private readonly signal: NodeJS.Signals = 'SIGTERM',
  ) {
    cleanUps.push(async () => void this.#process?.kill('SIGKILL'));
  }

  start(): void {
    this.#process = this.spawn();
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(this.signal);
    await ended;
  }
}

async function running(
  server: Process,
  port: number,
  forget: () => Promise<void>,
  check: () => void = () => undefined,
): Promise<Pick<TestServer, 'stop' | 'startAgain'>> {
  const start = async () => {
    server.start();
    await answering(port, check);
  };
  await start();
  return {
    stop: () => server.stop(),
    startAgain: async ({ keepsData }) => {
      await server.stop();
      if (!keepsData) await forget();
      await start();
    },
  };
}

async function answering(port: number, check: () => void): Promise<void> {
  for (;;) {
    try {
      const socket = connect({ host: '127.0.0.1', port });
      await once(socket, 'connect');
      socket.destroy();
      check();
      return;
    } catch {
      await sleep(50); // not yet
    }
  }
}

async function folderFor(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `evenhand-${name}-`));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A port that nobody uses, as far as can be told. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
