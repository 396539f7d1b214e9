import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../../../../test/thorough.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { readParquetFile } from '../../src/tables/parquet-file.js';
import type { ParquetLimits } from '../../src/tables/parquet-thread.js';
import type { RawTable } from '../../src/tables/raw-table.js';
import { readTable } from '../../src/tables/read-table.js';
import { UserError } from '../../src/user-error.js';
import { Child } from '../runs/child-process.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

const SHORT: ParquetLimits = { seconds: 0.4, megabytes: 256 };

const EVERYTHING = {
  expected: [],
  choose: (header: readonly string[]) => header.map((_, column) => ({ column, as: 'any' as const })),
};

/** Reads all columns with limits that a file of a few bytes never reaches. */
async function read(bytes: Uint8Array, name = 'table.parquet', limits = SHORT): Promise<RawTable> {
  const handle = await open(await write(bytes, name));
  try {
    return await readParquetFile('table.parquet', handle, EVERYTHING, { limits });
  } finally {
    await handle.close();
  }
}

const columnData = [
  { name: 'x', data: Array.from({ length: 20 }, (_, i) => (i % 7 === 0 ? null : i / 8)), type: 'DOUBLE' as const },
  { name: 'class', data: Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? 'k' : 'l')), type: 'STRING' as const },
];

const whole = () => new Uint8Array(parquetWriteBuffer({ columnData }));

function flipped(bit: number): Uint8Array {
  return whole().map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}

/** The mark at the beginning, and behind it the header of the first page, whose every byte is a size, a number or a type. */
const MARK_BYTES = 4;
const HEADER_BYTES = 24;

/** What becomes of the file with each bit of that header flipped. */
async function flipAll(): Promise<ReadonlyMap<number, string>> {
  const outcomes = new Map<number, string>();
  const bits = Array.from({ length: 8 * HEADER_BYTES }, (_, k) => 8 * MARK_BYTES + k);
  const lanes = [0, 1, 2].map(async (lane) => {
    for (const bit of bits.filter((b) => b % 3 === lane)) {
      const outcome = await read(flipped(bit), `lane-${lane}.parquet`).then(
        () => 'read',
        (error: unknown) => (error instanceof UserError ? error.message : `not a UserError: ${error}`),
      );
      outcomes.set(bit, outcome);
    }
  });
  await Promise.all(lanes);
  return outcomes;
}

let outcomesOfFlips: ReturnType<typeof flipAll> | undefined;

function flips(): ReturnType<typeof flipAll> {
  outcomesOfFlips ??= flipAll();
  return outcomesOfFlips;
}

/** A file that the reader never comes to the end of. */
async function spinning(): Promise<Uint8Array> {
  for (const [bit, outcome] of await flips()) {
    if (!outcome.includes('came to no end')) continue;
    // On a busy machine a second may be too little for any file.
    const patiently = read(flipped(bit), 'patient.parquet', { seconds: 5, megabytes: 512 });
    const spins = await patiently.then(
      () => false,
      (error: unknown) => String(error).includes('came to no end'),
    );
    if (spins) return flipped(bit);
  }
  throw new Error('no flipped bit makes the reader spin: is it better now?');
}

/** A footer around bytes of metadata, as at the end of every Parquet file. */
function fileOf(metadata: readonly number[]): Uint8Array {
  const mark = [...Buffer.from('PAR1')];
  const length = new Uint8Array(Uint32Array.of(metadata.length).buffer);
  return Uint8Array.from([...mark, ...metadata, ...length, ...mark]);
}

/** Thrift's compact protocol: field 1, an i32 of 1; field 2, a list of so many structures. */
const BEFORE_SCHEMA = [0x15, 0x02, 0x19, 0xfc];

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

describe('fault 38: a damaged Parquet file', () => {
  it('with any flipped bit in the header of a page is read or refused in bounded time', {
    timeout: 120_000,
  }, async () => {
    const outcomes = [...(await flips()).values()];
    const refusals = outcomes.filter((outcome) => outcome !== 'read');
    expect(refusals.length).toBeGreaterThan(50);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/^table\.parquet starts like a Parquet file, but cannot be read as one \(/);
    }
  });

  it('never gives columns of different lengths', async () => {
    const oneGroupLess = whole();
    const metadata = Buffer.from(oneGroupLess).lastIndexOf(Buffer.from([0x16, 40]));
    oneGroupLess[metadata + 1] = 38; // 19 rows, as a zigzag number
    await expect(read(oneGroupLess)).rejects.toThrow(/cannot be read as one \(it claims \d+ rows, and groups of \d+\)/);
  });

  it('which unpacks to more than a page ever has is refused before it does', async () => {
    const data = Array.from({ length: 500 }, (_, i) => i);
    const filler = new Uint8Array(8);
    let page = new Uint8Array();
    const compressors = {
      GZIP: (input: Uint8Array) => {
        page = Uint8Array.from([...gzipSync(input), ...filler]);
        return page;
      },
    };
    const packed = new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 'x', data, type: 'DOUBLE', nullable: false }],
        codec: 'GZIP',
        compressors,
      }),
    );
    // Zigzag numbers behind 0x15: the kind of page, its size and its size when packed. The size becomes 2 GB, and what its
    // number is longer by is taken from the filler, so that nothing else moves.
    const header = (size: number, packedSize: number) => [
      0x15,
      6,
      0x15,
      ...varint(2 * size),
      0x15,
      ...varint(2 * packedSize),
    ];
    const before = header(8 * data.length, page.length);
    expect([...packed.subarray(MARK_BYTES, MARK_BYTES + before.length)]).toEqual(before);
    const longer = header(2 ** 31 - 1, page.length).length - before.length;
    const rest = [...packed.subarray(MARK_BYTES + before.length)];
    rest.splice(Buffer.from(rest).indexOf(page) + page.length - longer, longer);
    const bomb = [...packed.subarray(0, MARK_BYTES), ...header(2 ** 31 - 1, page.length - longer), ...rest];
    await expect(read(Uint8Array.from(bomb))).rejects.toThrow(
      /a page of \d+ bytes claims to become 2147483647; expected 268435456 at most/,
    );
  });

  it('with a schema that is nested without end is refused', async () => {
    const depth = 100_000;
    const element = [0x48, 1, 0x61, 0x15, 0x02, 0x00]; // named "a", with one child
    const elements = Array.from({ length: depth }, () => element).flat();
    const deep = fileOf([...BEFORE_SCHEMA, ...varint(depth), ...elements, 0x16, 0x00, 0x19, 0x0c, 0x00]);
    await expect(read(deep, 'deep.parquet', { seconds: 5, megabytes: 256 })).rejects.toThrow(UserError);
  });

  it('with a list that claims two billion entries is refused in bounded memory', async () => {
    const before = process.memoryUsage.rss();
    const list = fileOf([...BEFORE_SCHEMA, ...varint(2 ** 31 - 1)]);
    await expect(read(list, 'list.parquet', { seconds: 20, megabytes: 64 })).rejects.toThrow(
      'cannot be read as one (reading it takes more than 64 MB of memory)',
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(500e6);
  });

  it('which claims more rows than its bytes can hold is refused', async () => {
    const rows = [...varint(2 * (2 ** 31 - 1))];
    const column = [0x48, 1, 0x61, 0x15, 0x02, 0x00, 0x15, 0x04, 0x38, 1, 0x62, 0x00]; // the root, and a column "b"
    const group = [0x19, 0x0c, 0x16, 0x00, 0x16, ...rows, 0x00];
    const absurd = fileOf([...BEFORE_SCHEMA, 2, ...column, 0x16, ...rows, 0x19, 0x1c, ...group, 0x00]);
    await expect(read(absurd)).rejects.toThrow(/it claims 2147483647 rows of 1 columns in \d+ bytes/);
  });
});

/** Trains with the table that it is given, and exits as a command would. */
const TRAINING = `
  const { train, listenForInterruption, InterruptedError } = await import(dist + 'index.js');
  const [, source] = process.argv;
  const { signal, stop } = listenForInterruption();
  console.log('listening');
  try {
    await train({ data: { source, target: 'class' } }, { folder: source + '.run', signal });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    process.exitCode = error.exitCode;
  } finally {
    stop();
  }
`;

describe('fault 56: a Parquet file that is never read to its end', () => {
  it('is refused by readTableFile too, and its thread is terminated', { timeout: 120_000 }, async () => {
    const path = await write(await spinning(), 'spinning.parquet');
    await expect(readTableFile(path, { target: 'class' })).rejects.toThrow(
      'spinning.parquet starts like a Parquet file, but cannot be read as one (reading it came to no end within 5 seconds).',
    );
    const { user } = process.cpuUsage();
    await sleep(500);
    expect(process.cpuUsage().user - user).toBeLessThan(250_000);
  });

  it('is given up when its reader is asked to', { timeout: 120_000 }, async () => {
    const path = await write(await spinning(), 'given-up.parquet');
    const request = new AbortController();
    const reading = readTable(path, EVERYTHING, { signal: request.signal });
    setTimeout(() => request.abort(new Error('enough')), 500);
    await expect(reading).rejects.toThrow('enough');
  });

  const signals = [['SIGINT', 130] as const, ...(THOROUGH ? [['SIGTERM', 143] as const] : [])];
  it.each(signals)('does not keep train from ending on %s', { timeout: 120_000 }, async (signal, code) => {
    const source = await write(await spinning(), 'endless.parquet');
    const child = new Child(TRAINING, [source]);
    await child.said('listening');
    await sleep(700);
    const asked = performance.now();
    child.kill(signal);
    expect((await child.ended()).code).toBe(code);
    expect(performance.now() - asked).toBeLessThan(2500);
  });
});
