import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, type TestContext } from 'vitest';
import { testOf } from '../../../../test/command-tests.js';
import { documentBlocks } from '../../../../test/documents.js';
import { documentedCommands, type ShellCommand } from '../../../../test/shell-commands.js';
import { type RunningCommand, start } from '../cli/evenhand.js';
import { OneProcess } from '../cli/one-process.js';
import { POSTGRES, REDIS } from '../queue/servers.js';
import { EVENTS, writePageFiles } from './page-files.js';

// Every command of every page is run, those of one page one after the other in one folder, on tables of 24 rows. Two pages have tests
// of their own: ../../../../test/command-tests.ts says which.

const pages = new Map<string, ShellCommand[]>();
for (const command of documentedCommands()) {
  if (testOf(command)?.endsWith('/page-commands.test.ts') !== true) continue;
  pages.set(command.path, [...(pages.get(command.path) ?? []), command]);
}

/** What a page takes for granted. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'docs/serving.md': [
    'train fraud.csv --target class',
    'stream events.ndjson --target class --folder streams/events --export',
  ],
  'docs/studio.md': ['train fraud.csv --target class'],
};

/** Options that make a command short, where the page leaves them out. */
const SHORT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  train: { '--epochs': ['1'], '--threads': ['1'] },
  sweep: { '--epochs': ['1'], '--trials': ['2'], '--draws': ['1'] },
  serve: { '--port': ['0'] },
  studio: { '--no-open': [] },
};

function shortened([name = '', ...words]: readonly string[]): string[] {
  // A sweep that goes on has its options.
  if (words.includes('--resume')) return [name, ...words];
  const more = Object.entries(SHORT[name] ?? {}).filter(([option]) => !words.includes(option));
  return [name, ...words, ...more.flatMap(([option, values]) => [option, ...values]), ...smaller(words)];
}

/** All digits and a page about them are much even for one epoch; so are fifteen portfolios. */
function smaller(words: readonly string[]): string[] {
  if (words[0] === 'mnist') return ['--model', 'lenet5', '--no-report'];
  return words.includes('--splits') ? ['--model', 'mlp'] : [];
}

let evenhand: OneProcess;
beforeAll(() => {
  evenhand = new OneProcess();
});
afterAll(() => evenhand.end());

it('pages with commands are found', () => expect(pages.size).toBeGreaterThan(10));

it.for([...pages])('the commands of %s run', async ([page, commands], context) => {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writePageFiles(folder, page);
  for (const before of BEFORE[page] ?? []) await runs(before.split(' '), folder);
  let server: string | undefined;
  for (const { words } of commands) {
    const [program = '', , ...rest] = words;
    if (program === 'curl') await asks(words, server, page);
    else if (rest[0] === 'serve') server = await serves(rest, folder);
    else if (rest[0] === 'studio') await showsStudio(rest, folder, context);
    else if (rest[0] === 'stream') await streams(rest, folder, context);
    else await runs(rest, folder);
  }
});

/** A command that ends by itself, without a complaint, and leaves the file that it was told to write. */
async function runs(words: readonly string[], folder: string): Promise<void> {
  const { code, stdout, stderr } = await evenhand.run(shortened(words), folder);
  expect([words.join(' '), code, code === 0 ? '' : stdout + stderr]).toEqual([words.join(' '), 0, '']);
  const out = words[words.indexOf('--out') + 1];
  if (words.includes('--out')) expect(existsSync(join(folder, out ?? '')), out).toBe(true);
}

/** A server of predictions, until the end of the test. Where it is. */
async function serves(words: readonly string[], folder: string): Promise<string> {
  const command = start(shortened(words), { cwd: folder });
  const [address = ''] = /http:\S+:\d+/.exec(await command.says('/model')) ?? [];
  return address;
}

/** The page's own request. The answer has the form that the page shows. */
async function asks([, ...words]: readonly string[], server: string | undefined, page: string): Promise<void> {
  const printed = words.map((word) => word.replace('http://127.0.0.1:8080', server ?? 'nowhere'));
  const { stdout } = await promisify(execFile)('curl', ['--silent', '--fail-with-body', ...printed]);
  const [shown] = documentBlocks().filter(({ path, language }) => path === page && language === 'json');
  expect(formOf(JSON.parse(stdout))).toEqual(formOf(JSON.parse(shown?.code ?? '')));
}

/** Names and kinds of values, without the values; of a list, its length. Classes are names of the data. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'probabilities' ? Object.keys(Object(inner)).length : formOf(inner),
    ]),
  );
}

async function showsStudio(words: readonly string[], folder: string, context: TestContext): Promise<void> {
  const isQueue = words.includes('--queue');
  if (isQueue) context.skip(REDIS.missing !== undefined, REDIS.missing);
  const queue = isQueue ? (await REDIS.start()).url : '';
  const command = start(
    shortened(words).map((word) => (word.startsWith('redis:') ? queue : word)),
    { cwd: folder },
  );
  const [address = ''] = /http:\S+/.exec(await command.says('token=')) ?? [];
  expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
  await ends(command, 0);
}

/** Follows a source until it has answered every row. Pages show sources that are alternatives: each begins anew. */
async function streams(
  [name = '', source = '', ...words]: readonly string[],
  folder: string,
  context: TestContext,
): Promise<void> {
  const state = join(folder, words[words.indexOf('--folder') + 1] ?? '');
  await rm(state, { recursive: true, force: true });
  const command = start([name, await sourceOf(source, context), ...words], { cwd: folder });
  const out = words.includes('--out') ? join(folder, words[words.indexOf('--out') + 1] ?? '') : undefined;
  const answers = () => (out === undefined ? command.stdout : readFile(out, 'utf8').catch(() => ''));
  await expect
    .poll(async () => (await answers()).split('\n').length - 1, { timeout: 120_000, interval: 20 })
    .toBe(EVENTS.length);
  await ends(command, 130);
  expect(existsSync(join(state, 'stream.safetensors'))).toBe(true);
}

/** A source with all rows: the file, or a server in the place of the one that the page names. */
async function sourceOf(source: string, context: TestContext): Promise<string> {
  if (source.startsWith('redis:')) {
    context.skip(REDIS.missing !== undefined, REDIS.missing);
    const { url } = await REDIS.start();
    const client = new Redis(url);
    for (const event of EVENTS)
      await client.xadd('events', '*', ...Object.entries(event).flatMap(([name, value]) => [name, `${value}`]));
    client.disconnect();
    return url;
  }
  if (source.startsWith('postgres:')) {
    context.skip(POSTGRES.missing !== undefined, POSTGRES.missing);
    const { url } = await POSTGRES.start();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE TABLE orders (id int, amount float8, country text, class text)');
    for (const { id, amount, country, class: state } of EVENTS)
      await client.query('INSERT INTO orders VALUES ($1, $2, $3, $4)', [id, amount, country, state]);
    await client.end();
    return url;
  }
  return source;
}

async function ends(command: RunningCommand, expected: number): Promise<void> {
  command.kill('SIGINT');
  const { code, stderr } = await command.ended();
  expect([code, code === expected ? '' : stderr]).toEqual([expected, '']);
}
