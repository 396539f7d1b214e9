import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asTexts, type ColumnRequest } from '../../src/tables/raw-table.js';
import { readTable } from '../../src/tables/read-table.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

const allTexts: ColumnRequest = {
  expected: [],
  choose: (header) => header.map((_, column) => ({ column, as: 'texts' })),
};

/** The header, and every row's texts; null where missing. */
async function cellsOf(path: string, options: { delimiter?: ',' | ';' | '\t' | '|'; chunkSize?: number }) {
  const { rows, columns } = await readTable(path, allTexts, options);
  const texts = columns.map(asTexts);
  const cells = Array.from({ length: rows }, (_, row) =>
    texts.map((column) => column.texts[column.codes[row] ?? -1] ?? null),
  );
  return [columns.map(({ name }) => name), ...cells];
}

/** The letters between brackets, so that no text is a missing one or has blanks around it. */
const text = fc
  .string({
    unit: fc.constantFrom('a', '7', '"', ',', ';', '\t', '|', '\n', '\r', '\r\n', ' ', 'é', '漢', '😀', '\uFEFF'),
  })
  .map((letters) => `[${letters}]`);

const table = fc.integer({ min: 1, max: 4 }).chain((columns) =>
  fc.record({
    header: fc.uniqueArray(text, { minLength: columns, maxLength: columns }),
    rows: fc.array(fc.array(fc.option(text), { minLength: columns, maxLength: columns }), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
);

const format = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  endsInNewline: fc.boolean(),
  quotes: fc.infiniteStream(fc.boolean()),
  encoding: fc.constantFrom('utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be'),
  chunkSize: fc.integer({ min: 1, max: 40 }),
});

function encoded(content: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(content);
  if (encoding === 'utf-8 with mark') return Buffer.from(`\uFEFF${content}`);
  const bytes = Buffer.from(`\uFEFF${content}`, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

describe('cells of a CSV file', () => {
  it('fault 19: are what was written, with any quoting, delimiter, line end, encoding and chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(table, format, async ({ header, rows }, { delimiter, newline, quotes, ...how }) => {
        const cell = (content: string | null): string => {
          // A line with nothing on it is no row.
          const needsQuotes = content === null ? header.length === 1 : new RegExp(`["\r\n${delimiter}]`).test(content);
          const quoted = quotes.next().value || needsQuotes;
          return quoted ? `"${(content ?? '').replaceAll('"', '""')}"` : (content ?? '');
        };
        const lines = [header, ...rows].map((cells) => cells.map(cell).join(delimiter));
        const path = await write(encoded(lines.join(newline) + (how.endsInNewline ? newline : ''), how.encoding));
        expect(await cellsOf(path, { delimiter, chunkSize: how.chunkSize })).toEqual([header, ...rows]);
      }),
      { numRuns: 400 },
    );
  });

  it.each([',', ';', '\t', '|'])('fault 19: are found with the delimiter %j undeclared', async (delimiter) => {
    const rows = [
      ['a', 'b', 'c'],
      ['x; y', 'x, y', '1,5'],
      ['x | y', 'x\ty', '2;5'],
    ];
    const path = await write(rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\n'));
    expect(await cellsOf(path, {})).toEqual(rows);
  });

  it('fault 19: are found with `;` between them and commas in them', async () => {
    const path = await write('weight, kg;size, cm;class\n1,5;20,5;a\n2,5;30,5;b\n');
    const request = { ...allTexts, expected: ['class'] };
    expect((await readTable(path, request)).columns.map(({ name }) => name)).toEqual([
      'weight, kg',
      'size, cm',
      'class',
    ]);
  });

  it('skip lines with nothing on them', async () => {
    const path = await write('\n\na,b\r\n\r\n1,x\n\n\r2,y\n\n');
    expect(await cellsOf(path, {})).toEqual([
      ['a', 'b'],
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });

  it('fault 19: are Windows-1252 where they are not UTF-8', async () => {
    const path = await write(Buffer.from('na\xefve,\x80 price\ncaf\xe9,1\n', 'latin1'));
    expect(await cellsOf(path, {})).toEqual([
      ['naïve', '€ price'],
      ['café', '1'],
    ]);
    expect((await readTable(path, allTexts)).notes).toEqual([
      'Column "naïve" is not valid UTF-8; it is read as Windows-1252.',
    ]);
  });

  it.each(['utf16le', 'utf16be'])('fault 19: are read from UTF-16 (%s) without a byte order mark', async (encoding) => {
    const bytes = Buffer.from('größe,class\n1.5,a\n', 'utf16le');
    const path = await write(encoding === 'utf16be' ? bytes.swap16() : bytes);
    expect(await cellsOf(path, {})).toEqual([
      ['größe', 'class'],
      ['1.5', 'a'],
    ]);
  });

  it('are kept apart where thousands of them differ', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => [`text ${(row * 7919) % 5003}`]);
    const path = await write(`a\n${rows.join('\n')}\n`);
    expect(await cellsOf(path, {})).toEqual([['a'], ...rows]);
  });

  it('may have ten million bytes', async () => {
    const long = 'x'.repeat(10_000_000);
    const path = await write(`a,b\n${long},1\n`);
    expect(await cellsOf(path, {})).toEqual([
      ['a', 'b'],
      [long, '1'],
    ]);
  });
});

describe('a CSV file that cannot be read', () => {
  const failure = async (content: string | Uint8Array): Promise<string> => {
    const path = await write(content);
    return readTable(path, allTexts).then(
      () => 'none',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  };

  it('fault 19: names the lines of ragged rows, quoted line ends counted', async () => {
    expect(await failure('a,b,c\n1,2,3\n"x\ny",2\n4,5,6\n1,2,3,4\n')).toBe(
      'UserError: table.csv: the header has 3 cells, with "," between them; other numbers of cells in line 3 (2), line 6 (4). ' +
        'Complete these rows, and put quotes around texts that contain the delimiter, or name another delimiter.',
    );
  });

  it('fault 19: names the first ten of many ragged rows', async () => {
    expect(await failure(`a,b\n1,2\n${'1\n'.repeat(25)}`)).toContain('line 12 (1) and 15 more.');
  });

  it('fault 19: names the line in which an unclosed quote opens', async () => {
    expect(await failure('a,b\n1,"x\ny"\n2,"x\n3,4\n')).toBe(
      'UserError: table.csv, line 4: a quote opens here and is never closed. Close it, or double it if it is part of a text: "".',
    );
  });

  it('fault 19: names the line of a quote that is not closed within a sensible length', async () => {
    expect(await failure(`a,b\n1,2\n3,"${'4,5\n'.repeat(5_000_000)}`)).toContain(
      'table.csv, line 3: a quote opens here',
    );
  });

  it('names a line that is too long', async () => {
    expect(await failure(`a,b\n1,2\n${'1,'.repeat(9_000_000)}`)).toBe(
      'UserError: table.csv, line 3: the line is longer than 16 MB. Is this a table?',
    );
  });

  it('fault 19: names the line of text behind a closing quote', async () => {
    expect(await failure('a,b\n1,2\n"x" y,3\n')).toContain(
      'table.csv, line 3: text follows the closing quote of a cell',
    );
  });

  it.each(['', '\uFEFF', '\n\r\n'])('is empty: %j', async (content) => {
    expect(await failure(content)).toBe('UserError: table.csv is empty. A header row and rows below it are expected.');
  });

  it('has a header only', async () => {
    expect(await failure('a,b\n')).toBe('UserError: table.csv has a header row, but no rows below it.');
  });

  it('is not text', async () => {
    expect(await failure(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 7, 0, 8, 9]))).toBe(
      'UserError: table.csv is not text: byte 4 is zero. A table in CSV, TSV, JSON lines or Parquet format is expected; export spreadsheets as CSV and unpack archives first.',
    );
  });

  it('fault 19: is cut UTF-16', async () => {
    const bytes = Buffer.from('\uFEFFa,b\n1,\uD83D\n2,3\n', 'utf16le');
    expect(await failure(bytes)).toBe('UserError: table.csv starts like UTF-16LE text, but is not: save it as UTF-8.');
  });
});

it('a header with 160,000 blanks in a name is read as fast as any other', async () => {
  const name = `x${' '.repeat(160_000)}y`;
  const path = await write(`${name},class\n1,k\n2,l\n`, 'blanks.csv');
  const begun = performance.now();
  expect((await cellsOf(path, {}))[0]).toEqual([name, 'class']);
  expect(performance.now() - begun).toBeLessThan(1000);
});
