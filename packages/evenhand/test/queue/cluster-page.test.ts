import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { documentBlocks } from '../../../../test/documents.js';
import { MAIN } from '../cli/evenhand.js';
import { temporaryFolder } from '../runs/examples.js';
import { writeTable } from '../training/problem.js';
import { machine } from './problem.js';
import { freePort, REDIS } from './servers.js';

/** The commands of docs/cluster.md that are marked with a name, one text for each. */
async function commandsOf(name: string): Promise<string> {
  const page = await readFile(new URL('../../../../docs/cluster.md', import.meta.url), 'utf8');
  const [, commands] = new RegExp(`<!-- tested: ${name} -->\n\`\`\`sh\n([^\`]*)\`\`\``).exec(page) ?? [];
  if (commands === undefined) throw new Error(`docs/cluster.md has no commands that are marked as ${name}`);
  return commands;
}

/** A shell of a machine that has evenhand, and calls the queue's machine by another name and port. */
async function shellOn(cwd: string, commands: string, port: number) {
  const script = commands.replaceAll('queue.lan:6379', `127.0.0.1:${port}`).replaceAll('--port 6379', `--port ${port}`);
  const npx = `npx() { shift; '${process.execPath}' '${MAIN}' "$@"; }\n`;
  const env = { ...process.env, EVENHAND_DATA: join(cwd, 'cache') };
  const shell = spawn('sh', ['-ec', npx + script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL'); // with all that it has started
    } catch {
      // it is over
    }
  });
  return { said, ended: once(shell, 'close') };
}

it('the commands of docs/cluster.md work as they are printed, with three workers', async (ctx) => {
  ctx.skip(REDIS.missing !== undefined, REDIS.missing);
  const port = await freePort();
  const queue = await temporaryFolder();
  await shellOn(queue, await commandsOf('queue'), port);
  const workers = [];
  for (let i = 0; i < 3; i++)
    workers.push(
      await shellOn(
        (await machine()).folder,
        `until ${probe(port)}; do sleep 0.1; done\n${await commandsOf('worker')}`,
        port,
      ),
    );
  const home = await temporaryFolder();
  await writeTable(home);
  const prepare = `mv table.csv fraud.csv; until ${probe(port)}; do sleep 0.1; done\n`;
  const coordinator = await shellOn(home, prepare + (await commandsOf('coordinator')), port);
  expect([await coordinator.ended, coordinator.said.stderr]).toEqual([
    [0, null],
    expect.not.stringContaining('evenhand:'),
  ]);
  expect(existsSync(join(home, 'sweeps/fraud/best.json'))).toBe(true);
  expect(existsSync(join(home, 'runs/fraud/enhancement-seed-0/model.onnx'))).toBe(true);
  expect(coordinator.said.stdout).toMatch(/evenhand-\S+ +0 +0 +0 +0/);
  expect(coordinator.said.stdout.match(/^ {2}worker /gm)).toHaveLength(3);
  const [queueAddress = ''] = (await commandsOf('coordinator')).split('\n');
  const operator = await shellOn(home, `${queueAddress}\n${await commandsOf('operator')}`, port);
  expect([await operator.ended, operator.said.stderr]).toEqual([[0, null], '']);
  expect(
    workers
      .map(({ said }) => said.stderr)
      .join('')
      .match(/: done/g)?.length,
  ).toBeGreaterThanOrEqual(8);
});

it('every block of docs/cluster.md with a command of ours is one of them', async () => {
  const blocks = documentBlocks().filter(
    ({ path, language, code }) => path === 'docs/cluster.md' && language === 'sh' && code.includes('npx evenhand'),
  );
  expect(blocks.map(({ code }) => code)).toEqual(
    await Promise.all(['worker', 'coordinator', 'operator'].map(commandsOf)),
  );
});

/** Whether somebody answers at a port. */
function probe(port: number): string {
  return `'${process.execPath}' -e "require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"`;
}
