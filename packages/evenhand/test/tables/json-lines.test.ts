import { describe, expect, it } from 'vitest';
import { readTableFile } from '../../src/sources/table-file.js';
import type { ColumnRequest } from '../../src/tables/raw-table.js';
import { readTable } from '../../src/tables/read-table.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

const ALL: ColumnRequest = {
  expected: [],
  choose: (header) => header.map((_, column) => ({ column, as: 'any' })),
};

const read = async (content: string | Uint8Array, name = 'rows.jsonl', options = {}) =>
  readTable(await write(content, name), ALL, options);

const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('JSON lines', () => {
  it('are columns by key, in the order of first appearance, with missing values where a line has no such key', async () => {
    const { rows, columns } = await read(lines({ a: 1, b: 'x' }, { c: true, a: null }, { b: ' y ', a: 2.5, c: false }));
    expect(rows).toBe(3);
    expect(columns).toEqual([
      { kind: 'numbers', name: 'a', values: Float64Array.of(1, Number.NaN, 2.5) },
      { kind: 'texts', name: 'b', texts: ['x', 'y'], codes: Int32Array.of(0, -1, 1) },
      { kind: 'texts', name: 'c', texts: ['true', 'false'], codes: Int32Array.of(-1, 0, 1) },
    ]);
  });

  it('make the data set that a CSV file of the same rows makes', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => ({
      amount: i % 7 === 0 ? null : i / 8 - 3,
      code: i % 11 === 0 ? 'N/A' : ['a', 'b', 'c'][i % 3],
      mixed: i === 50 ? '12.5O' : i * 1.5,
      member: i % 2 === 0,
      since: `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
      class: i % 10 === 0 ? 'None' : 'some',
    }));
    const header = Object.keys(rows[0] ?? {}).join(',');
    const csv = `${header}\n${rows.map((row) => `${Object.values(row).join(',')}\n`).join('')}`;
    const options = { target: 'class' };
    const fromCsv = await readTableFile(await write(csv, 'same.csv'), options);
    const fromJson = await readTableFile(await write(lines(...rows), 'same.jsonl'), options);
    expect(fromJson.contentHash).toBe(fromCsv.contentHash);
    expect(fromJson.columns).toEqual(fromCsv.columns);
    // The CSV file has a header: its lines are one further down.
    expect(fromJson.notes.map((note) => note.replace('line 51', 'line 52'))).toEqual(fromCsv.notes);
    expect(fromJson.notes.join()).toContain('"12.5O" (line 51)');
  });

  it.each([1, 2, 3, 7, 64])(
    'are the same in chunks of %i bytes, with CRLF, blank lines and a mark',
    async (chunkSize) => {
      const text = '\ufeff\r\n{"ü":"ä","n":1}\r\n  \r\n {"n":-2e3 , "ü":"\\u00e4"} ';
      const { columns, numbering } = await read(text, 'rows.ndjson', { chunkSize });
      expect(columns).toEqual([
        { kind: 'texts', name: 'ü', texts: ['ä'], codes: Int32Array.of(0, 0) },
        { kind: 'numbers', name: 'n', values: Float64Array.of(1, -2000) },
      ]);
      expect([0, 1].map(numbering.of)).toEqual([2, 4]);
    },
  );

  it('are told by their content, in UTF-16 too', async () => {
    const { columns } = await read(Buffer.from('\ufeff{"a": 1}\n', 'utf16le'), 'export.txt');
    expect(columns).toEqual([{ kind: 'numbers', name: 'a', values: Float64Array.of(1) }]);
  });

  it('fault 34: may have keys named __proto__ and toString', async () => {
    const { columns } = await read('{"__proto__": 1, "toString": "a"}\n{"toString": "b", "__proto__": 2}');
    expect(columns.map(({ name }) => name)).toEqual(['__proto__', 'toString']);
    expect(Object.prototype).not.toHaveProperty('1');
  });

  it('keep numbers and texts apart only where all are numbers', async () => {
    const { columns } = await read(lines({ a: 1 }, { a: 'NA' }, { a: 1.5 }, { b: 0 }));
    expect(columns[0]).toEqual({ kind: 'numbers', name: 'a', values: Float64Array.of(1, Number.NaN, 1.5, Number.NaN) });
    const mixed = await read(lines({ a: 1 }, { b: 0 }, { a: '007' }, { a: 1 }));
    expect(mixed.columns[0]).toEqual({
      kind: 'texts',
      name: 'a',
      texts: ['1', '007'],
      codes: Int32Array.of(0, -1, 1, 0),
    });
  });
});

describe('JSON lines that cannot be read', () => {
  const failure = async (content: string | Uint8Array, name?: string) =>
    String(await read(content, name).catch((error: unknown) => error));

  it.each<[what: string, content: string, message: string]>([
    ['a torn last line', '{"a":1}\n\n{"a":2', 'UserError: rows.jsonl, line 3 is not valid JSON ('],
    ['a broken line', '{"a":1}\n{"a":}\n{"a":3}', 'UserError: rows.jsonl, line 2 is not valid JSON ('],
    ['an object over several lines', '{\n  "a": 1\n}', 'UserError: rows.jsonl, line 1 is not valid JSON ('],
    ['NaN', '{"a":1}\n{"a":NaN}', 'UserError: rows.jsonl, line 2 is not valid JSON ('],
    [
      'a list',
      '[{"a":1}]',
      'UserError: rows.jsonl, line 1 is JSON, but not an object: [{"a":1}]; expected one JSON object per line',
    ],
    ['a number', '{"a":1}\n7\n', 'UserError: rows.jsonl, line 2 is JSON, but not an object: 7; expected'],
    ['CSV', 'a,b\n1,2\n', 'UserError: rows.jsonl, line 1 is not valid JSON ('],
    ['nothing', ' \n', 'UserError: rows.jsonl is empty; expected one JSON object per line'],
    [
      'a key twice',
      '{"a":1}\n{"b":{"a":[1]},"a":"x\\"","\\u0061":2}',
      'UserError: rows.jsonl, line 2: the key "\\u0061" is there twice',
    ],
    [
      'an object in it',
      '{"a":1}\n{"a":{"b":1}}',
      'UserError: rows.jsonl, line 2: "a" holds an object; expected a number, a text, true, false or null.',
    ],
    ['a list in it', '{"a":1}\n{"a":2,"b":[1]}', 'UserError: rows.jsonl, line 2: "b" holds a list; expected a number'],
    ['no key', '{}\n{"":1}', 'UserError: rows.jsonl: column 1 has no name in the header'],
  ])('for %s', async (what, content, message) => {
    const told = what === 'no key' ? await noName(content) : await failure(content);
    expect(told).toContain(message);
  });

  const noName = async (content: string) =>
    String(await readTableFile(await write(content, 'rows.jsonl'), { target: 'a' }).catch((error: unknown) => error));

  it('for bytes that are not UTF-8', async () => {
    const latin1 = Buffer.from('{"a":1}\n{"a":"\xe4"}\n', 'latin1');
    expect(await failure(latin1)).toContain('rows.jsonl, line 2 is not valid UTF-8');
  });

  it('for a line without end', async () => {
    expect(await failure(`{"a":1}\n{"a":"${'x'.repeat(17 * 2 ** 20)}"}`)).toContain(
      'rows.jsonl, line 2: the line is longer than 16 MB',
    );
  });

  it('for keys that are values: refused before there is a column of a million rows for each', async () => {
    const text = Array.from({ length: 40_000 }, (_, i) => `{"k${i}":1}`).join('\n');
    const before = process.memoryUsage.rss();
    expect(await failure(text)).toContain('different keys in');
    expect(process.memoryUsage.rss() - before).toBeLessThan(500e6);
  });

  it('but what is inside a column that is left out does not matter', async () => {
    const text = Array.from({ length: 30 }, (_, i) => `{"a":${i % 7},"tags":[{"x":1}],"class":"${i % 2}"}`).join('\n');
    const path = await write(text, 'tags.jsonl');
    await expect(readTableFile(path, { target: 'class' })).rejects.toThrow(
      'tags.jsonl, line 1: "tags" holds a list; expected a number, a text, true, false or null. Take it apart into keys of its own, or leave the column out.',
    );
    const { columns } = await readTableFile(path, { target: 'class', ignore: ['tags'] });
    expect(columns.map(({ name }) => name)).toEqual(['a']);
  });
});
