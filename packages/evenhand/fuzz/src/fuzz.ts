import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaseName, makeCase, readFiles, writeFiles } from './fuzz-case.js';
import { type CaseLimits, FuzzProcess } from './fuzz-process.js';
import type { Answer } from './outcome.js';
import type { Readers } from './reader.js';

/** What is to be tried. */
export interface FuzzPlan {
  readonly readers: Readers;
  /** The module that exports them as `READERS`, for the processes that read. */
  readonly module: URL;
  readonly seed: number;
  /** Numbers of the cases of each reader. */
  readonly cases: ReadonlyMap<string, readonly number[]>;
  readonly limits: CaseLimits;
  /** Where the files of findings are left. */
  readonly findings: string;
  readonly listener?: (counts: ReadonlyMap<string, ReaderCounts>) => void;
}

/** Something wrong with a reader. */
export interface Finding extends CaseName {
  readonly what: string;
  /** Where the bytes are. */
  readonly path: string;
}

/** What became of the cases of a reader. */
export interface ReaderCounts {
  cases: number;
  read: number;
  refused: number;
  readonly findings: Finding[];
  /** The longest case by the clock, beside others at the same time. */
  slowestSeconds: number;
  /** The most memory that a process with this reader had. */
  megabytes: number;
}

/** After so many cases a process is replaced: what it keeps of each adds up. */
const CASES_PER_PROCESS = 500;

/** Cases of each reader by its share of all of them; at least one. */
export function shareOut(readers: Readers, cases: number): Map<string, number[]> {
  const shares = Object.values(readers).reduce((sum, { share }) => sum + share, 0);
  return new Map(
    Object.entries(readers).map(([name, { share }]) => [name, numbersUpTo(Math.ceil((cases * share) / shares))]),
  );
}

function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** Tries all cases of a plan, as many at a time as there are processors. */
export async function fuzz(plan: FuzzPlan): Promise<Map<string, ReaderCounts>> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-fuzz-'));
  const counts = new Map<string, ReaderCounts>();
  try {
    for (const name of plan.cases.keys()) {
      const corpus = await plan.readers[name]?.corpus();
      await writeFiles(join(folder, 'corpora', name), corpus ?? new Map());
    }
    const remaining = orders(plan);
    const lanes = Array.from({ length: availableParallelism() }, (_, lane) =>
      tryCases(plan, folder, lane, remaining, counts),
    );
    await Promise.all(lanes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return counts;
}

function* orders({ cases, seed }: FuzzPlan): Generator<CaseName> {
  for (const [reader, numbers] of cases) {
    for (const number of numbers) yield { reader, seed, number };
  }
}

async function tryCases(
  plan: FuzzPlan,
  folder: string,
  lane: number,
  remaining: Iterable<CaseName>,
  counts: Map<string, ReaderCounts>,
): Promise<void> {
  const corpora = join(folder, 'corpora');
  let process: FuzzProcess | undefined;
  let reader: string | undefined;
  let tried = 0;
  try {
    for (const name of remaining) {
      if (name.reader !== reader || tried === CASES_PER_PROCESS || process?.isAlive !== true) {
        await process?.end();
        const scratch = join(folder, `scratch-${lane}`);
        await rm(scratch, { recursive: true, force: true });
        process = new FuzzProcess([plan.module.href, String(plan.seed), corpora, scratch], plan.limits);
        reader = name.reader;
        tried = 0;
      }
      const began = performance.now();
      const answer = await process.read(name);
      tried++;
      await count(plan, name, answer, (performance.now() - began) / 1000, corpora, counts);
      plan.listener?.(counts);
    }
  } finally {
    await process?.end();
  }
}

async function count(
  { readers, findings: folder }: FuzzPlan,
  name: CaseName,
  { outcome, megabytes }: Answer,
  seconds: number,
  corpora: string,
  counts: Map<string, ReaderCounts>,
): Promise<void> {
  const empty = { cases: 0, read: 0, refused: 0, findings: [], slowestSeconds: 0, megabytes: 0 };
  const own: ReaderCounts = counts.get(name.reader) ?? empty;
  counts.set(name.reader, own);
  own.cases++;
  own.slowestSeconds = Math.max(own.slowestSeconds, seconds);
  own.megabytes = Math.max(own.megabytes, megabytes);
  if (outcome.kind !== 'finding') {
    own[outcome.kind]++;
    return;
  }
  const reader = readers[name.reader];
  if (reader === undefined) return;
  const { file, bytes } = makeCase(name, reader, await readFiles(join(corpora, name.reader)));
  const path = join(folder, `${name.reader}-seed-${name.seed}-case-${name.number}-${file.replaceAll('/', '-')}`);
  own.findings.push({ ...name, what: outcome.what, path });
  await mkdir(folder, { recursive: true });
  await writeFile(path, bytes);
}
