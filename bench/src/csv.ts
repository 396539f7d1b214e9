import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Random, seededRandom } from '@evenhand/engine';
import { type Comparison, compare } from './measure.js';
import { Peer } from './peer.js';

const FLOAT_COLUMNS = 24;
const INTEGER_COLUMNS = 4;
const CITIES = ['Paris', 'London', 'Berlin', 'New York', 'Tokyo', 'Lima'];

/** How the floats of a file are written: rounded, as people publish tables, or in full, as programs write them. */
const WRITINGS = [
  { name: '6 decimals', write: (value: number) => value.toFixed(6) },
  { name: 'all digits', write: String },
];

/**
 * Reading a CSV file of 30 columns: `readTableFile`, which also types the columns, sorts the classes and hashes the content,
 * against pandas' `read_csv`, which does not. Each side is a process of its own, and a fresh one for peak memory.
 */
export async function benchCsv(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const rows = quick ? 10_000 : 1_000_000;
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-bench-'));
  const comparisons: Comparison[] = [];
  try {
    for (const { name, write } of WRITINGS) {
      const work = `read CSV ${rows} × ${FLOAT_COLUMNS + INTEGER_COLUMNS + 2}, ${name}`;
      progress(`csv: ${work}`);
      const path = join(folder, `${name}.csv`);
      await pipeline(Readable.from(blocks(rows, write)), createWriteStream(path));
      comparisons.push(await compareOnce(work, 'ms', { work: 'time', path }, quick ? 1 : 4));
      comparisons.push(await compareOnce(`peak memory of ${work}`, 'MB', { work: 'memory', path }, 1));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return comparisons;
}

async function compareOnce(name: string, unit: 'ms' | 'MB', work: object, rounds: number): Promise<Comparison> {
  const evenhand = Peer.start(process.execPath, new URL('./peers/evenhand-csv.js', import.meta.url));
  const pandas = Peer.python('pandas_csv.py', ['pandas'], 'on Debian: apt-get install python3-pandas');
  const ours = async () => Math.min(...(await evenhand.run(work)).values());
  try {
    return await compare({ name, unit, ours, peerWork: work }, pandas, rounds);
  } finally {
    evenhand.stop();
    pandas?.stop();
  }
}

/** The file's text, some rows at a time. */
function* blocks(rows: number, write: (value: number) => string): Generator<string> {
  const floats = Array.from({ length: FLOAT_COLUMNS }, (_, column) => `float${column}`);
  const integers = Array.from({ length: INTEGER_COLUMNS }, (_, column) => `integer${column}`);
  yield `${[...floats, ...integers, 'city', 'class'].join(',')}\n`;
  const random = seededRandom(1, 'bench csv');
  for (let row = 0; row < rows; row += 1000) {
    yield Array.from({ length: Math.min(1000, rows - row) }, () => rowText(random, write)).join('');
  }
}

function rowText(random: Random, write: (value: number) => string): string {
  const cells: (string | number | undefined)[] = [];
  for (let column = 0; column < FLOAT_COLUMNS; column++) cells.push(write(normal(random) * 10 ** (column % 4)));
  for (let column = 0; column < INTEGER_COLUMNS; column++) cells.push(Math.floor(random() * 10 ** (column + 2)));
  cells.push(CITIES[Math.floor(random() * CITIES.length)], random() < 0.02 ? 'fraud' : 'fine');
  return `${cells.join(',')}\n`;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
