import { type NamedTest, promisesIn } from './collect-tests.js';
import { HEADINGS, type Promised } from './promises.js';

type Promises = Readonly<Record<number, Promised>>;

/** Promises that no test keeps, tests of promises that nobody made, and promises that wait for what is there. */
export function problemsOf(
  promises: Promises,
  tests: readonly NamedTest[],
  capabilities: ReadonlySet<string>,
): string[] {
  const unknown = tests.flatMap((test) =>
    promisesOf(test)
      .filter((number) => promises[number] === undefined)
      .map((number) => `${test.file}: "${test.titles.join(' › ')}" names fault ${number}, which is not on the list`),
  );
  const unkept = numbered(promises).flatMap(([number, { fault, waitsFor }]) => {
    const isTested = testsOf(number, tests).length > 0;
    if (waitsFor === undefined) {
      return isTested ? [] : [`no title of a test begins with "fault ${number}: " (${fault})`];
    }
    return isTested || capabilities.has(waitsFor)
      ? [`fault ${number} need not wait for "${waitsFor}" any more: test it, and take away its waitsFor`]
      : [];
  });
  return [...unknown, ...unkept];
}

/** docs/promises.md */
export function promisesPage(promises: Promises, tests: readonly NamedTest[]): string {
  const made = numbered(promises);
  const sections = Object.entries(HEADINGS).map(([about, heading]) => ({
    heading,
    promises: made.filter(([, promised]) => promised.about === about && promised.waitsFor === undefined),
  }));
  const waiting = { heading: 'Not yet', promises: made.filter(([, { waitsFor }]) => waitsFor !== undefined) };
  const parts = [...sections, waiting]
    .filter((section) => section.promises.length > 0)
    .map(({ heading, promises: own }) => [
      `## ${heading}`,
      ...own.map(([number, promised]) => promiseText(number, promised, testsOf(number, tests))),
    ]);
  return `${[INTRODUCTION, ...parts.flat()].join('\n\n')}\n`;
}

const INTRODUCTION = `# What goes wrong, and what happens then

Disks fill up, tables have gaps, processes are killed. This is what Evenhand promises for such cases. Every promise is kept by
the tests listed below it; a test names its promises by number ("fault 17: …"). "Refused" means: one clear message that says what was
expected and how to fix it, an exit code other than 0, and nothing half-written left behind.

<!-- Written by \`npm run promises\` from test/promises/promises.ts and the titles of the tests. -->`;

function promiseText(number: number, { fault, promise, waitsFor }: Promised, tests: readonly NamedTest[]): string {
  const kept = waitsFor === undefined ? testList(tests) : `Comes with: ${waitsFor}.`;
  return [`### ${number}. ${fault}`, promise, kept].join('\n\n');
}

function testList(tests: readonly NamedTest[]): string {
  const files = [...new Set(tests.map(({ file }) => file))].map((file) =>
    [
      `- [${file}](../${file})`,
      ...tests.filter((test) => test.file === file).map(({ titles }) => `  - ${plain(titles.join(' › '))}`),
    ].join('\n'),
  );
  const count = tests.length === 1 ? '1 test' : `${tests.length} tests`;
  return `<details><summary>${count}</summary>\n\n${files.join('\n')}\n\n</details>`;
}

/** A title without the names of promises, as text of Markdown. */
function plain(title: string): string {
  return title.replace(/\bfaults? \d[\d, and]*: /gi, '').replace(/[\\`*_[\]<>&]/g, '\\$&');
}

function numbered(promises: Promises): [number, Promised][] {
  return Object.entries(promises).map(([number, promised]) => [Number(number), promised]);
}

function testsOf(number: number, tests: readonly NamedTest[]): NamedTest[] {
  return tests.filter((test) => promisesOf(test).includes(number));
}

function promisesOf({ titles }: NamedTest): number[] {
  return titles.flatMap(promisesIn);
}
