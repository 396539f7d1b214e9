import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import config from '../../vitest.config.js';
import { collectTests, promisesIn } from './collect-tests.js';
import { problemsOf, promisesPage } from './page.js';
import { PROMISES, type Promised } from './promises.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Paths in the repository, in the same order everywhere. */
function filesOf(patterns: readonly string[]): string[] {
  const paths = ts.sys.readDirectory(repository, ['.ts'], undefined, patterns);
  return paths.map((path) => path.slice(repository.length)).sort();
}

describe('the promises of this repository', () => {
  const tests = filesOf(config.test?.include ?? []).flatMap((file) =>
    collectTests(file, ts.sys.readFile(`${repository}${file}`) ?? ''),
  );
  const capabilities = new Set(filesOf(['packages/*/src/**/*']).flatMap((path) => path.replace('.ts', '').split('/')));

  it('are each kept by a test, and tests name no others', () => {
    expect(problemsOf(PROMISES, tests, capabilities)).toEqual([]);
  });

  it('are in docs/promises.md as they are now; if not, run `npm run promises`', async () => {
    await expect(promisesPage(PROMISES, tests)).toMatchFileSnapshot('../../docs/promises.md');
  });
});

it('a title names promises by their numbers, one or several', () => {
  // Not in a table of titles: this test would keep them.
  expect(promisesIn('fault 3: a damaged file')).toEqual([3]);
  expect(promisesIn('faults 4 and 5: killed')).toEqual([4, 5]);
  expect(promisesIn('faults 1, 2 and 13: killed; fault 9: asked to stop')).toEqual([1, 2, 13, 9]);
  expect(promisesIn('faults of a table')).toEqual([]);
  expect(promisesIn('a default 3: none')).toEqual([]);
});

describe('the titles of a file of tests', () => {
  const titlesIn = (text: string) => collectTests('a.test.ts', text).map(({ titles }) => titles);

  it('are those of it and test, behind those of the describes around them', () => {
    const text = `describe('a', () => { describe.concurrent('b', () => { it('c', run); }); test('d', run); }); it('e' + 'f', run);`;
    expect(titlesIn(text)).toEqual([['a', 'b', 'c'], ['a', 'd'], ['ef']]);
  });

  it('are templates with the constants in them, and … for what is not known before a run', () => {
    const text = `const KILLS = 200; it(\`fault 1: \${KILLS} kills of \${count()}\`, run);`;
    expect(titlesIn(text)).toEqual([['fault 1: 200 kills of …']]);
  });

  it('are one a row where rows name promises', () => {
    const text = `const rows = [['fault 9', 'SIGINT', 130], ['fault 10', 'SIGTERM', 143]] as const;
      it.each(rows)('%s: %s exits with %i', { timeout }, run);
      describe.each([{ title: 'fault 3: cut' }, { title: 'whole' }])('a file, $title', () => it('x', run));`;
    expect(titlesIn(text)).toEqual([
      ['fault 9: SIGINT exits with 130'],
      ['fault 10: SIGTERM exits with 143'],
      ['a file, fault 3: cut', 'x'],
      ['a file, whole', 'x'],
    ]);
  });

  it('are one a table where they do not', () => {
    const text = `it.for([['a', 1], ['b', 2]])('fault 5: %s takes %d', run); it.each(cases())('fault 6: $name', run);`;
    expect(titlesIn(text)).toEqual([['fault 5: … takes …'], ['fault 6: …']]);
  });

  it('are not those of skipped tests', () => {
    const text = `it.skip('a', run); it.todo('b'); describe.skip('c', () => it('d', run)); it.skipIf(windows)('e', run);`;
    expect(titlesIn(text)).toEqual([['e']]);
  });
});

describe('a list of promises', () => {
  const promised: Promised = { about: 'tables', fault: 'A cell is empty', promise: 'It is *counted*.' };
  const test = (...titles: string[]) => ({ file: 'a.test.ts', titles });

  it('has problems where a promise has no test, and where a test has no promise', () => {
    expect(
      problemsOf({ 1: promised, 2: promised }, [test('fault 1: a', 'b'), test('c', 'faults 1 and 7: d')], new Set()),
    ).toEqual([
      'a.test.ts: "c › faults 1 and 7: d" names fault 7, which is not on the list',
      'no title of a test begins with "fault 2: " (A cell is empty)',
    ]);
  });

  it('may wait for what is not there, and for nothing else', () => {
    const waiting = { 1: { ...promised, waitsFor: 'studio' } };
    const problem = 'fault 1 need not wait for "studio" any more: test it, and take away its waitsFor';
    expect(problemsOf(waiting, [], new Set(['report']))).toEqual([]);
    expect(problemsOf(waiting, [], new Set(['studio']))).toEqual([problem]);
    expect(problemsOf(waiting, [test('fault 1: a')], new Set())).toEqual([problem]);
  });

  it('makes a page of headings, promises and their tests, those that wait last', () => {
    const promises = { 1: { ...promised, waitsFor: 'studio' }, 2: promised };
    const page = promisesPage(promises, [test('faults 2 and 3: a <b>', 'c'), test('d')]);
    expect(page.slice(page.indexOf('\n## '))).toBe(`
## Tables

### 2. A cell is empty

It is *counted*.

<details><summary>1 test</summary>

- [a.test.ts](../a.test.ts)
  - a \\<b\\> › c

</details>

## Not yet

### 1. A cell is empty

It is *counted*.

Comes with: studio.
`);
  });
});
