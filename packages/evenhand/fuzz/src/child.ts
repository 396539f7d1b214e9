import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { makeCase, readFiles, writeFiles } from './fuzz-case.js';
import type { Answer, Order, Outcome } from './outcome.js';
import type { Files, Reader, Readers } from './reader.js';

const [module = '', seed, corpora = '', scratch = ''] = process.argv.slice(2);
const { READERS }: { readonly READERS: Readers } = await import(module);

/** What a person may be expected to read. */
const LONGEST_MESSAGE = 4000;

/** A reader, and a folder of its own with the whole corpus. */
interface Bench {
  readonly reader: Reader;
  readonly corpus: Files;
  readonly folder: string;
}

const benches = new Map<string, Promise<Bench>>();

async function setUp(name: string): Promise<Bench> {
  const reader = READERS[name];
  if (reader === undefined) throw new Error(`internal: there is no reader "${name}"`);
  const corpus = await readFiles(join(corpora, name));
  const folder = join(scratch, name);
  await writeFiles(folder, corpus);
  for (const file of corpus.keys()) {
    // Nothing is learned from files that are refused to begin with.
    await reader.read(join(folder, file), folder).catch((error: unknown) => {
      throw new Error(`internal: ${file} of the corpus should be read`, { cause: error });
    });
  }
  return { reader, corpus, folder };
}

async function outcomeOf({ reader: name, number }: Order): Promise<Outcome> {
  const bench = benches.get(name) ?? setUp(name);
  benches.set(name, bench);
  const { reader, corpus, folder } = await bench;
  const { file, bytes } = makeCase({ reader: name, seed: Number(seed), number }, reader, corpus);
  const path = join(folder, file);
  await writeFile(path, bytes);
  try {
    await reader.read(path, folder);
    return { kind: 'read' };
  } catch (error) {
    const isRefusal = [UserError, ...(reader.refusals ?? [])].some((type) => error instanceof type);
    if (!isRefusal) return { kind: 'finding', what: describe(error) };
    const { length } = String(error);
    if (length <= LONGEST_MESSAGE) return { kind: 'refused' };
    return { kind: 'finding', what: `a message of ${length} characters: ${String(error).slice(0, 200)}…` };
  } finally {
    await writeFile(path, corpus.get(file) ?? '');
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `not even an error: ${String(error)}`;
  return [error.stack, ...(error.cause === undefined ? [] : [`caused by ${describe(error.cause)}`])].join('\n');
}

function changedPrototypes(): string[] {
  return [Object.prototype, Array.prototype].flatMap((prototype) => Object.keys(prototype));
}

process.on('message', async (order: Order) => {
  let outcome = await outcomeOf(order).catch((error: unknown): Outcome => ({ kind: 'finding', what: describe(error) }));
  const changed = changedPrototypes();
  if (changed.length > 0) outcome = { kind: 'finding', what: `prototypes have got ${changed.join(', ')}` };
  const answer: Answer = { outcome, megabytes: Math.round(peakKilobytes() / 1024) };
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());

/** The most memory that this process has held. */
function peakKilobytes(): number {
  // Linux hands maxRSS on from the process that started this one, which may have held far more; VmHWM is its own.
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
