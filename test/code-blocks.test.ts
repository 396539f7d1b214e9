import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { codeBlocks } from './code-blocks.js';
import { RUN_COMMANDS, testOf, UNRUN_COMMANDS, whyUnrun } from './command-tests.js';
import { documentBlocks } from './documents.js';
import { documentedCommands } from './shell-commands.js';

// Every code block of a document is run by a test, or marked as text. `sh`: command-tests.ts says where. `ts` and `js`: the
// first of a README in packages.test.ts and the tests of the packages, the others in packages/evenhand/test/documents.

const blocks = documentBlocks();

test('blocks are found with their language, title and line, inside lists too', () => {
  const markdown = 'a\n\n```sh clone\nnpm ci\n```\n\n- b\n\n  ```json\n  {}\n  ```\n';
  expect(codeBlocks(markdown)).toEqual([
    { language: 'sh', title: 'clone', code: 'npm ci\n', line: 3 },
    { language: 'json', title: '', code: '{}\n', line: 9 },
  ]);
});

test('every block has a language that a test runs or reads, or is marked as text', () => {
  const known = ['sh', 'ts', 'js', 'json', 'python', 'mermaid', 'text'];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ name }) => name)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(60);
});

test('ts and js blocks are where tests run them', () => {
  const run = [
    ...[
      'README.md',
      'docs/start.md',
      'docs/learner.md',
      'docs/runs.md',
      'docs/rates.md',
      'docs/browser.md',
      'docs/streams.md',
    ],
    ...['encoding', 'engine', 'evenhand', 'paper', 'resampling', 'streams', 'tfjs', 'trees'].map(
      (name) => `packages/${name}/README.md`,
    ),
  ];
  const programs = blocks.filter(({ language }) => ['ts', 'js'].includes(language));
  expect(programs.filter(({ path }) => !run.includes(path)).map(({ name }) => name)).toEqual([]);
});

test.each(blocks.filter(({ language }) => language === 'json'))('$name is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow();
});

describe('commands of documents', () => {
  const commands = documentedCommands();
  const scripts: Record<string, string> = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ).scripts;

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(60);
    expect(commands.map(({ words }) => words.join(' '))).toContain('npx evenhand train payments.csv --target state');
  });

  it('are run by a test, or listed with the reason why not', () => {
    const neither = commands.filter((command) => testOf(command) === undefined && whyUnrun(command) === undefined);
    expect(neither).toEqual([]);
    const isUsed = (words: string) => commands.some((command) => command.words.join(' ').startsWith(words));
    expect(UNRUN_COMMANDS.filter(({ words }) => !isUsed(words))).toEqual([]);
    expect(RUN_COMMANDS.filter(({ test }) => !isThere(test))).toEqual([]);
  });

  it('of npm run name scripts that are there', () => {
    const named = commands.flatMap(({ name, words: [program, verb, ...rest] }) => {
      if (program !== 'npm' || !['run', 'start', 'test'].includes(verb ?? '')) return [];
      return [{ name, script: verb === 'run' ? rest.find((word) => !word.startsWith('-')) : verb }];
    });
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ script }) => script === undefined || !(script in scripts))).toEqual([]);
  });

  it('of node, python3 and Rscript name files that are there', () => {
    const files = commands.flatMap(({ words: [program = '', file = ''] }) =>
      ['node', 'python3', 'Rscript'].includes(program) ? [file] : [],
    );
    // make-payments.mjs is a block of the page that runs it.
    const missing = files.filter((file) => file !== 'make-payments.mjs' && !file.startsWith('-'));
    expect(missing.filter((file) => !isThere(file))).toEqual([]);
  });
});

function isThere(file: string): boolean {
  try {
    readFileSync(new URL(`../${file}`, import.meta.url));
    return true;
  } catch {
    return false;
  }
}
