import { parseArgs } from 'node:util';
import { type Finding, fuzz, type ReaderCounts, shareOut } from './fuzz.js';
import { READERS } from './readers.js';

const HELP = `Gives damaged files to every reader. Each must be read, or refused with an error that is meant for people, within
10 s of a processor and 1 GB of memory. What is not, is a finding: its file is kept, and the exit code is 1.

  npm run fuzz                                        2000 cases of all readers
  npm run fuzz -- --cases 20000 --seed 7              more of them, and others
  npm run fuzz -- --reader csv --reader tar           of some readers: ${Object.keys(READERS).join(', ')}
  npm run fuzz -- --reader csv --seed 1 --case 123    one case again
`;

const LIMITS = { seconds: 10, megabytes: 1024 };
const FINDINGS = 'fuzz-findings';
const MOST_SHOWN = 12;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    reader: { type: 'string', multiple: true, default: [] },
    case: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help === true) {
  process.stdout.write(HELP);
} else {
  const [seed, cases, number] = [values.seed, values.cases, values.case ?? '0'].map(countOf);
  const unknown = values.reader.find((name) => !Object.hasOwn(READERS, name));
  if (unknown !== undefined) fail(`there is no reader "${unknown}"; expected ${Object.keys(READERS).join(', ')}`);
  const named = Object.entries(READERS).filter(([name]) => values.reader.length === 0 || values.reader.includes(name));
  const readers = Object.fromEntries(named);
  const plan = shareOut(readers, cases ?? 0);
  const began = performance.now();
  const counts = await fuzz({
    readers,
    module: new URL('readers.js', import.meta.url),
    seed: seed ?? 0,
    cases: values.case === undefined ? plan : new Map(named.map(([name]) => [name, [number ?? 0]])),
    limits: LIMITS,
    findings: FINDINGS,
    listener: showProgress([...plan.values()].reduce((sum, numbers) => sum + numbers.length, 0)),
  });
  for (const { findings } of counts.values()) process.stdout.write(list(findings));
  process.stdout.write(table(counts));
  const seconds = Math.round((performance.now() - began) / 1000);
  const findings = [...counts.values()].reduce((sum, count) => sum + count.findings.length, 0);
  process.stdout.write(`Seed ${seed}, ${seconds} s, ${findings} findings.\n`);
  process.exitCode = findings === 0 ? 0 : 1;
}

function countOf(text: string): number {
  const count = Number(text);
  if (text !== '' && Number.isSafeInteger(count) && count >= 0) return count;
  return fail(`"${text}" is not a number of cases, a seed or the number of a case; expected an integer from 0`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** A line every ten seconds. */
function showProgress(total: number): (counts: ReadonlyMap<string, ReaderCounts>) => void {
  let shown = performance.now();
  return (counts) => {
    if (performance.now() - shown < 10_000) return;
    shown = performance.now();
    const all = [...counts.values()];
    const done = all.reduce((sum, { cases }) => sum + cases, 0);
    const findings = all.reduce((sum, count) => sum + count.findings.length, 0);
    process.stderr.write(`${done} of ${total} cases, at ${[...counts.keys()].at(-1)}; ${findings} findings\n`);
  };
}

/** Those of a reader: many have the same reason. */
function list(findings: readonly Finding[]): string {
  const more = findings.length > MOST_SHOWN ? `\n… and ${findings.length - MOST_SHOWN} more in ${FINDINGS}\n` : '';
  return findings.slice(0, MOST_SHOWN).map(describe).join('') + more;
}

function describe({ reader, seed, number, what, path }: Finding): string {
  const again = `npm run fuzz -- --reader ${reader} --seed ${seed} --case ${number}`;
  return `\n${reader}, case ${number}: ${what.trim()}\n  its file: ${path}\n  once more: ${again}\n`;
}

function table(counts: ReadonlyMap<string, ReaderCounts>): string {
  const header = ['reader', 'cases', 'read', 'refused', 'findings', 'slowest (s)', 'memory (MB)'];
  const rows = [...counts].map(([name, { cases, read, refused, findings, slowestSeconds, megabytes }]) =>
    [name, cases, read, refused, findings.length, slowestSeconds.toFixed(1), megabytes].map(String),
  );
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  return `\n${[header, ...rows].map(line).join('\n')}\n`;
}
