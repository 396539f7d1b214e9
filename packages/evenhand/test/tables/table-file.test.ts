import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TableDataset } from '../../src/dataset/dataset.js';
import { readTableFile, type TableFileOptions } from '../../src/sources/table-file.js';
import { temporaryFiles } from './files.js';

const write = temporaryFiles();

async function read(content: string, options: Partial<TableFileOptions> = {}): Promise<TableDataset> {
  return readTableFile(await write(content), { target: 'class', ...options });
}

async function failure(content: string, options: Partial<TableFileOptions> = {}): Promise<string> {
  return read(content, options).then(
    () => 'none',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

/** A table with the column `x` and two classes in turn. */
function withColumn(texts: readonly string[], name = 'x'): string {
  return `other,${name},class\n${texts.map((text, row) => `${(row * 7) % 5},${text},${'ab'[row % 2]}\n`).join('')}`;
}

async function columnOf(texts: readonly string[], name = 'x') {
  const { columns, leftOut, notes } = await read(withColumn(texts, name));
  const [column] = [...columns, ...leftOut].filter((candidate) => candidate.name === name);
  return { column, isLeftOut: leftOut.length > 0, notes };
}

const rows = (count: number, text: (row: number) => string): string[] =>
  Array.from({ length: count }, (_, row) => text(row));

describe('readTableFile', () => {
  it('reads features, classes and labels', async () => {
    const dataset = await read('size,colour,class\n1.5,red,yes\n2.5,blue,no\n3.5,red,yes\n');
    expect(dataset).toMatchObject({
      kind: 'table',
      name: 'table.csv',
      target: 'class',
      classNames: ['no', 'yes'],
      labels: Int32Array.of(1, 0, 1),
      columns: [
        { name: 'size', kind: 'numeric', values: Float64Array.of(1.5, 2.5, 3.5) },
        { name: 'colour', kind: 'categorical', categories: ['blue', 'red'], codes: Int32Array.of(1, 0, 1) },
      ],
      leftOut: [],
      notes: [],
    });
  });

  it('orders classes that are numbers as numbers', async () => {
    expect((await read('x,class\n1,10\n2,9\n3,-1\n4,10\n')).classNames).toEqual(['-1', '9', '10']);
  });

  it('takes 1.0 for the class 1', async () => {
    expect((await read('x,class\n1,1.0\n2,0\n3,1\n4,0.0\n')).classNames).toEqual(['0', '1']);
  });

  it('fault 34: columns and classes may be named __proto__ and toString', async () => {
    const { classNames, columns } = await read(
      '__proto__,toString,constructor\n1,__proto__,toString\n2,toString,__proto__\n3,toString,toString\n',
      { target: 'constructor' },
    );
    expect(classNames).toEqual(['__proto__', 'toString']);
    expect(columns).toMatchObject([
      { name: '__proto__', kind: 'numeric' },
      { name: 'toString', kind: 'categorical', categories: ['__proto__', 'toString'] },
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('takes None, nil and dashes for classes where they stand as such', async () => {
    const { classNames, labels, columns } = await read('x,y,class\n1,None,-\n2,a,None\n3,b,--\n4,a,nil\n');
    expect(classNames).toEqual(['-', '--', 'None', 'nil']);
    expect([...labels]).toEqual([0, 2, 1, 3]);
    expect(columns[1]).toMatchObject({ codes: Int32Array.of(-1, 0, 1, 0) });
  });

  it('learns nothing from the column of groups, which is part of what the hash is about', async () => {
    const content = 'x,who,class\n1,ann,a\n2,ben,b\n3,ann,a\n4,eva,b\n';
    const { columns, leftOut, notes, contentHash } = await read(content, { group: 'who' });
    expect([columns.map(({ name }) => name), leftOut.map(({ name }) => name)]).toEqual([['x'], ['who']]);
    expect(notes).toEqual(['Column "who" is left out: it says which rows belong together.']);
    expect((await read(content.replace('eva', 'ann'), { group: 'who' })).contentHash).not.toBe(contentHash);
  });

  it('refuses a target that looks like regression', async () => {
    const content = `x,class\n${rows(150, (row) => `${row % 7},${(row % 60) / 10}\n`).join('')}`;
    expect(await failure(content)).toBe(
      'UserError: table.csv: the column "class" has 60 different numbers in 150 rows, which looks like a regression target. ' +
        'Classes are expected: choose another column, or put the numbers into a few groups first.',
    );
  });

  it('takes many classes that are texts, or numbers that repeat', async () => {
    const texts = `x,class\n${rows(150, (row) => `${row % 7},c${row % 60}\n`).join('')}`;
    expect((await read(texts)).classNames).toHaveLength(60);
    const numbers = `x,class\n${rows(240, (row) => `${row % 7},${row % 60}\n`).join('')}`;
    expect((await read(numbers)).classNames).toHaveLength(60);
  });

  it('refuses a table without a usable feature, and says why', async () => {
    expect(await failure('x,class\n5,a\n5,b\n')).toBe(
      'UserError: table.csv has no column to learn from. Column "x" is left out: all its values are the same.',
    );
    expect(await failure('class\na\nb\n')).toContain('There is no other column beside the target.');
  });
});

describe('a real table', () => {
  it.for([
    ['abalone', 28, 4177, 'one category, 7 numbers'],
    ['ann-thyroid', 3, 7200, '21 numbers'],
    ['glass', 6, 214, '9 numbers'],
    ['mammography', 2, 11183, '6 numbers'],
    ['page-blocks', 5, 5472, '10 numbers'],
    ['winequality-white', 7, 4898, '11 numbers'],
    ['yeast', 10, 1484, '8 numbers'],
  ] as const)('%s is read without a note', async ([name, classes, instances, kinds], context) => {
    const file = join(process.env.EVENHAND_DATA ?? '', 'tabular', `${name}.csv`);
    if (!existsSync(file)) return context.skip(`EVENHAND_DATA is not set to a folder with tabular/${name}.csv`);
    const { classNames, labels, columns, notes } = await readTableFile(file, { target: 'class' });
    const numbers = columns.filter(({ kind }) => kind === 'numeric').length;
    const categories = columns.filter(({ kind }) => kind === 'categorical').length;
    expect([classNames.length, labels.length]).toEqual([classes, instances]);
    expect(`${categories === 1 ? 'one category, ' : ''}${numbers} numbers`).toBe(kinds);
    expect(columns).toHaveLength(numbers + categories);
    expect(notes).toEqual([]);
  });
});

describe('a column', () => {
  it('is numeric with signs, exponents, blanks and quotes', async () => {
    const { column } = await columnOf(['+1', ' 2.5 ', '"3"', '-4e-1', '1E3', '.5', '"\t6 "']);
    expect(column).toMatchObject({ kind: 'numeric', values: Float64Array.of(1, 2.5, 3, -0.4, 1000, 0.5, 6) });
  });

  it('is numeric with 0 and 1', async () => {
    expect((await columnOf(['0', '1', '1', '0'])).column).toMatchObject({ kind: 'numeric' });
  });

  it('fault 17: counts NaN, empty, N/A and infinite cells', async () => {
    const { column, notes } = await columnOf(['1', 'NaN', '', 'N/A', 'Infinity', '-inf', '1e999', ' ? ', '2']);
    const nan = Number.NaN;
    expect(column).toMatchObject({ values: Float64Array.of(1, nan, nan, nan, nan, nan, nan, nan, 2) });
    expect(notes).toEqual(['Column "x" has missing values: 7 of 9 (3 infinite).']);
  });

  it('fault 17: is refused with missing cells if so asked', async () => {
    const content = 'x,y,z,class\n1,a,1,k\n,a,2,l\ninf,-,3,k\n2,b,4,l\n1,b,5,k\n';
    expect(await failure(content, { missingValues: 'refuse' })).toBe(
      'UserError: table.csv: values are missing: "x" 2 of 5 (1 infinite), "y" 1 of 5. ' +
        'Fill them in, or set missingValues to "impute" to have them filled in by preprocessing.',
    );
  });

  it.each(['', 'NA', 'n/a', '#N/A', 'nan', 'NULL', 'None', 'nil', 'NaT', '<NA>', '\\N', '?', '-', '--', '.', '  '])(
    'fault 17: has a missing value where a cell is %j',
    async (text) => {
      expect((await columnOf(['u', text, 'v', 'u', 'v'])).column).toMatchObject({
        codes: Int32Array.of(0, -1, 1, 0, 1),
      });
    },
  );

  it.each([
    [
      ['true', 'FALSE', 'True'],
      ['false', 'true'],
      [1, 0, 1],
    ],
    [
      ['Yes', 'no', 'NO'],
      ['no', 'yes'],
      [1, 0, 0],
    ],
    [
      ['t', 'f', 'na'],
      ['f', 't'],
      [1, 0, -1],
    ],
    [
      ['n', 'Y', 'y'],
      ['n', 'y'],
      [0, 1, 1],
    ],
  ])('is boolean with %j', async (texts, pair, codes) => {
    expect((await columnOf(texts)).column).toMatchObject({
      kind: 'boolean',
      texts: pair,
      codes: Int32Array.from(codes),
    });
  });

  it('is categorical with texts of two pairs', async () => {
    expect((await columnOf(['yes', 'true', 'no', 'yes'])).column).toMatchObject({ kind: 'categorical' });
  });

  it('is a date with ISO 8601 dates and date-times', async () => {
    const { column } = await columnOf(['2024-02-29', '1969-12-31T23:59:59Z', '2024-01-01 12:00:00.5799+01:30', '']);
    expect(column).toMatchObject({
      kind: 'date',
      values: Float64Array.of(Date.UTC(2024, 1, 29), -1000, Date.UTC(2024, 0, 1, 10, 30, 0, 579), Number.NaN),
    });
  });

  it.each(['2023-02-29', '2024-13-01', '29.02.2024', '2024-02-29T24:00', '2024-2-9'])(
    'is not a date with %s',
    async (text) => {
      expect((await columnOf(['2024-02-29', text, text, '2024-02-29'])).column).toMatchObject({ kind: 'categorical' });
    },
  );

  it('is said to be read as texts where several texts, or marks between thousands, are among numbers', async () => {
    const numbers = rows(60, (row) => String(row % 20));
    const note = async (texts: string[]) => (await columnOf(texts)).notes;
    expect(await note([...numbers, '>100', '>200'])).toEqual([
      'Column "x" is read as texts: ">100" is no number; as numeric, such cells would be missing.',
    ]);
    expect(await note(numbers.map((text) => `"${text},500"`))).toEqual([
      'Column "x" is read as texts: "0,500" is no number; write 0.500, or without marks between thousands.',
    ]);
    expect(await note(rows(60, (row) => `s${row % 20}`))).toEqual([]);
    expect(await note(rows(60, (row) => ['1', '2', '3+'][row % 3] ?? ''))).toEqual([]);
  });

  it('fault 53: stays numeric with one cell that is not a number, which is named and counts as missing', async () => {
    const texts = rows(3000, (row) => (row === 1234 ? '12.5O' : String(row * 1.25)));
    const { column, isLeftOut, notes } = await columnOf(texts);
    const values = Float64Array.from(texts, (text) => (text === '12.5O' ? Number.NaN : Number(text)));
    expect([column, isLeftOut]).toEqual([{ name: 'x', kind: 'numeric', values }, false]);
    expect(notes).toEqual([
      'Taken for missing values: in column "x" 1 of 3000 cells is no number: "12.5O" (line 1236).',
      'Column "x" has missing values: 1 of 3000 (1 no number).',
    ]);
  });

  it('fault 53: stays a column of dates in the same way', async () => {
    const day = (row: number) => new Date(86_400_000 * row).toISOString().slice(0, 10);
    const { column, notes } = await columnOf([...rows(60, day), '2024-13-01']);
    expect(column).toMatchObject({ kind: 'date' });
    expect(notes[0]).toBe('Taken for missing values: in column "x" 1 of 61 cells is no date: "2024-13-01" (line 62).');
  });

  it.each([
    ['1 % of the cells', rows(990, (row) => String(row / 8)), rows(10, () => 'n'), 'numeric'],
    ['more than 1 %', rows(989, (row) => String(row / 8)), rows(11, () => 'n'), 'categorical'],
    ['20 different texts', rows(4980, (row) => String(row / 8)), rows(20, (row) => `t${row}`), 'numeric'],
    ['21 different texts', rows(4979, (row) => String(row / 8)), rows(21, (row) => `t${row}`), 'categorical'],
    ['one of 21 cells', rows(20, (row) => String(row / 8)), ['n'], 'numeric'],
    ['one of 20 cells', rows(19, (row) => String(row / 8)), ['n'], 'categorical'],
    ['one beside 10 different numbers', rows(60, (row) => String(row % 10)), ['n'], 'numeric'],
    ['one beside 9 different numbers', rows(60, (row) => String(row % 9)), ['n'], 'categorical'],
  ])('fault 53: %s may be non-numbers, or are too many', async (_, numbers, others, kind) => {
    expect((await columnOf([...numbers, ...others])).column).toMatchObject({ kind });
  });

  it('fault 53: is refused with such a cell if so asked', async () => {
    const texts = rows(60, (row) => (row === 7 ? '1l' : String(row / 8)));
    expect(await failure(withColumn(texts), { invalidCells: 'refuse' })).toBe(
      'UserError: table.csv: in column "x" 1 of 60 cells is no number: "1l" (line 9). Correct them, or set invalidCells to "missing" to have them taken for missing values.',
    );
  });

  it('fault 53: is not dropped in silence where too many cells are no numbers', async () => {
    const texts = rows(1000, (row) => (row % 50 === 0 ? `about ${row}` : String(row / 8)));
    expect((await columnOf(texts)).notes).toEqual([
      'Column "x" is left out: it looks like an identifier: 1000 different texts in 1000 cells, such as "about 0".',
      'Column "x" is read as texts: "about 0" is no number; as numeric, such cells would be missing.',
    ]);
  });

  it('fault 53: is still recognised as row numbers with a typing error', async () => {
    const { notes } = await columnOf(rows(60, (row) => (row === 7 ? '8x' : String(row + 1))));
    expect(notes).toEqual(['Column "x" is left out: it numbers the rows.']);
  });

  it('is said to be coarse where float32 has few numbers in its range', async () => {
    const at = (offset: number) => columnOf(rows(60, (row) => String(offset + 100 * ((row * 7) % 13))));
    expect((await at(1_700_000_000_000)).notes).toEqual([
      expect.stringContaining('Column "x" has numbers that are large and close'),
    ]);
    expect((await at(1_000_000)).notes).toEqual([]);
  });

  it('is categorical from the first row on if a text comes after a thousand numbers', async () => {
    const texts = [...rows(1000, (row) => `0${row % 3}.0`), 'x'];
    const { column } = await columnOf(texts);
    const codes = Int32Array.from(texts, (text) => ['00.0', '01.0', '02.0', 'x'].indexOf(text));
    expect(column).toMatchObject({ kind: 'categorical', categories: ['00.0', '01.0', '02.0', 'x'], codes });
  });

  it('is numeric if its only text is in a row that is dropped', async () => {
    const content = 'x,y,class\n1,u,a\ntext,w,\n2,v,b\n1,u,b\n';
    const { columns } = await read(content, { missingLabels: 'drop' });
    expect(columns).toMatchObject([
      { kind: 'numeric', values: Float64Array.of(1, 2, 1) },
      { kind: 'categorical', categories: ['u', 'v'] },
    ]);
  });

  it.each([
    ['numbers the rows from 1', rows(12, (row) => String(row + 1)), 'x', 'it numbers the rows'],
    ['numbers the rows from 0', rows(12, String), 'x', 'it numbers the rows'],
    [
      'is named like an identifier and has different integers',
      rows(12, (row) => String((row * 7919) % 1000)),
      'patientId',
      'it looks like an identifier, by its name and as all its values differ',
    ],
    [
      'has different texts',
      rows(12, (row) => `k${row}`),
      'x',
      'it looks like an identifier: 12 different texts in 12 cells, such as "k0"',
    ],
    [
      'has nearly only different texts',
      rows(100, (row) => `k${row % 96}`),
      'x',
      'it looks like an identifier: 96 different texts in 100 cells, such as "k0"',
    ],
    [
      'has free text',
      rows(100, (row) => `k${row % 60}`),
      'x',
      'it looks like free text: 60 different texts in 100 cells, such as "k0"',
    ],
    ['is constant', rows(12, () => 'k'), 'x', 'every cell is "k"'],
    ['is empty', rows(12, () => ''), 'x', 'no cell has a value'],
  ])('is left out where it %s', async (_, texts, name, reason) => {
    const { isLeftOut, notes } = await columnOf(texts, name);
    expect(isLeftOut).toBe(true);
    expect(notes).toEqual([`Column "${name}" is left out: ${reason}.`]);
  });

  it.each([
    ['is named like an identifier and repeats', rows(12, (row) => String(row % 6)), 'id'],
    ['has different integers', rows(12, (row) => String((row * 7919) % 1000)), 'kidney'],
    ['counts by twos', rows(12, (row) => String(2 * row)), 'x'],
    ['is constant where it is not missing', rows(12, (row) => (row < 6 ? 'k' : '')), 'x'],
    ['has 20 texts in few rows', rows(30, (row) => `k${row % 20}`), 'x'],
  ])('is kept where it %s', async (_, texts, name) => {
    expect((await columnOf(texts, name)).isLeftOut).toBe(false);
  });

  it('still numbers the rows when some are dropped', async () => {
    const content = `n,x,class\n${rows(20, (row) => `${row + 1},${row % 3},${row === 4 ? '' : 'ab'[row % 2]}\n`).join('')}`;
    const { leftOut, notes } = await read(content, { missingLabels: 'drop' });
    expect(leftOut.map(({ name }) => name)).toEqual(['n']);
    expect(notes).toEqual([
      '1 of 20 rows are dropped: they have no class.',
      'Column "n" is left out: it numbers the rows.',
    ]);
  });
});

describe('faults of a table', () => {
  const unlabelled = 'x,class\n1,a\n2,\n"3",n/a\n"4\n",b\n5,?\n';

  it('fault 18: rows without a class are listed and refused', async () => {
    expect(await failure(unlabelled)).toBe(
      'UserError: table.csv: 3 rows have no class in the column "class": lines 3, 4, 7. ' +
        'Empty cells, NA, NaN, null, ? and the like count as missing. Fill them in, or set missingLabels to "drop" to leave such rows out.',
    );
  });

  it('fault 18: rows without a class are dropped if so asked', async () => {
    const { labels, columns, notes } = await read(unlabelled, { missingLabels: 'drop' });
    expect(labels).toEqual(Int32Array.of(0, 1));
    expect(columns).toMatchObject([{ values: Float64Array.of(1, 4) }]);
    expect(notes).toEqual(['3 of 5 rows are dropped: they have no class.']);
  });

  it('fault 18: a table without any class is refused', async () => {
    expect(await failure('x,class\n1,\n2,\n', { missingLabels: 'drop' })).toBe(
      'UserError: table.csv: no row has a class in the column "class".',
    );
  });

  it('fault 19: BOM, CRLF, `;`, quoted newlines and UTF-16 give the same table', async () => {
    const plain = await read('x,"a ""b""",class\n1,u,k\n2,"v\nw",l\n3,u,k\n');
    const marked = await read('\uFEFFx;"a ""b""";class\r\n1;u;k\r\n2;"v\nw";l\r\n3;u;k');
    const wide = Buffer.from('\uFEFFx\ta "b"\tclass\n1\tu\tk\n2\t"v\nw"\tl\n3\tu\tk\n', 'utf16le');
    const path = await write(wide);
    expect(marked.contentHash).toBe(plain.contentHash);
    expect((await readTableFile(path, { target: 'class' })).contentHash).toBe(plain.contentHash);
  });

  it('reads decimal commas and marks between thousands, and says so', async () => {
    const cells = rows(40, (row) => `${row},5;${row + 1}.234,25;${row + 1}.000;${row * 3};${'ab'[row % 2]}`);
    const { columns, notes } = await read(`a;b;c;d;class\n${cells.join('\n')}\n`);
    const of = (value: (row: number) => number) => Float64Array.from({ length: 40 }, (_, row) => value(row));
    expect(columns).toEqual([
      { name: 'a', kind: 'numeric', values: of((row) => row + 0.5) },
      { name: 'b', kind: 'numeric', values: of((row) => (row + 1) * 1000 + 234.25) },
      { name: 'c', kind: 'numeric', values: of((row) => (row + 1) * 1000) },
      { name: 'd', kind: 'numeric', values: of((row) => row * 3) },
    ]);
    expect(notes).toEqual([
      'Numbers are read with decimal commas, in 3 columns: "0,5" in "a" is 0.5, "1.000" in "c" is 1000.',
    ]);
  });

  it('fault 53: takes a typing error among decimal commas for a missing value', async () => {
    const cells = rows(40, (row) => `${row === 5 ? '12,5O' : `${row},5`};${'ab'[row % 2]}`);
    const { columns, notes } = await read(`x;class\n${cells.join('\n')}\n`);
    expect(columns[0]).toMatchObject({ kind: 'numeric' });
    expect(notes).toContain('Taken for missing values: in column "x" 1 of 40 cells is no number: "12,5O" (line 7).');
  });

  it('reads decimal commas in quotes where commas stand between the cells too', async () => {
    const { columns } = await read(`x,class\n${rows(40, (row) => `"${row},5",${'ab'[row % 2]}`).join('\n')}\n`);
    expect(columns[0]).toMatchObject({
      kind: 'numeric',
      values: Float64Array.from({ length: 40 }, (_, row) => row + 0.5),
    });
  });

  it('reads a column with points beside one with commas as it is written', async () => {
    const { columns } = await read(
      `a;b;class\n${rows(40, (row) => `${row},5;0.${row + 10};${'ab'[row % 2]}`).join('\n')}\n`,
    );
    expect(columns[1]).toMatchObject({ kind: 'numeric' });
    expect(columns[1]).toMatchObject({ values: Float64Array.from({ length: 40 }, (_, row) => (row + 10) / 100) });
  });

  it('does not take one comma among whole numbers for a habit', async () => {
    const texts = rows(200, (row) => (row === 3 ? '"12,5"' : String(row * 7)));
    const content = `x,y,class\n${texts.map((text, row) => `${text},${(row + 1).toFixed(3)},${'ab'[row % 2]}`).join('\n')}\n`;
    const { columns, leftOut, notes } = await read(content);
    expect(columns).toMatchObject([{ name: 'x', kind: 'numeric' }]);
    expect(leftOut).toMatchObject([{ name: 'y', values: Float64Array.from({ length: 200 }, (_, row) => row + 1) }]);
    expect(notes[0]).toContain('1 of 200 cells is no number: "12,5" (line 5)');
  });

  it('reads numbers as they are said to be written', async () => {
    const content = `x;class\n${rows(40, (row) => `${row + 1}.125;${'ab'[row % 2]}`).join('\n')}\n`;
    const first = async (decimalMark: '.' | ',') => {
      const [column] = (await read(content, { decimalMark })).columns;
      return column?.kind === 'numeric' ? column.values[0] : undefined;
    };
    expect([await first('.'), await first(',')]).toEqual([1.125, 1125]);
  });

  it('leaves columns out, and takes types as given', async () => {
    const content = `id,zip,when,note,size,class\n${rows(40, (row) => `${row + 1},0${row % 5}1,2024-01-${10 + (row % 9)},n${row % 2},${row === 3 ? 'x' : row % 4},${'ab'[row % 2]}`).join('\n')}\n`;
    const { columns, leftOut, notes } = await read(content, {
      ignore: ['when'],
      types: { id: 'numeric', zip: 'categorical', note: 'text', size: 'numeric' },
    });
    expect(columns).toMatchObject([
      { name: 'id', kind: 'numeric' },
      { name: 'zip', kind: 'categorical', categories: ['001', '011', '021', '031', '041'] },
      { name: 'size', kind: 'numeric' },
    ]);
    expect(leftOut.map(({ name }) => name)).toEqual(['note']);
    expect(notes).toEqual([
      'Column "note" is left out: it is text, by its given type.',
      'Taken for missing values: in column "size" 1 of 40 cells is no number: "x" (line 5).',
      'Column "size" has missing values: 1 of 40 (1 no number).',
    ]);
  });

  it.each([
    [{ ignore: ['xx'] }, 'table.csv has no column "xx" (did you mean "x"?). Its columns are "x", "y", "class".'],
    [
      { types: { z: 'numeric' } },
      'table.csv has no column "z" (did you mean "x"?). Its columns are "x", "y", "class".',
    ],
    [{ ignore: ['class'] }, 'data.ignore has "class", which another option needs; leave it out of one of them'],
    [
      { ignore: ['x'], types: { x: 'date' } },
      'data.ignore has "x", which another option needs; leave it out of one of them',
    ],
    [{ types: { class: 'numeric' } }, 'data.types has "class", which is the target: it always holds classes'],
  ] as const)('refuses %j', async (options, message) => {
    expect(await failure('x,y,class\n1,2,a\n2,3,b\n', options)).toBe(`UserError: ${message}`);
  });

  it('fault 34: a column named toString has no given type', async () => {
    const { columns } = await read('toString,x,class\n1,2,a\n2,3,b\n', { types: { x: 'categorical' } });
    expect(columns).toMatchObject([{ kind: 'numeric' }, { kind: 'categorical' }]);
  });

  it('fault 20: a duplicate name is refused', async () => {
    expect(await failure('x,y,x,class\n1,2,3,a\n')).toBe(
      'UserError: table.csv: the columns 1 and 3 are both named "x". Give every column a name of its own.',
    );
  });

  it('fault 20: an empty name is refused', async () => {
    expect(await failure(',x,class\n0,2,a\n')).toBe(
      'UserError: table.csv: column 1 has no name in the header (pandas writes its index like this; index=False leaves it out). ' +
        'Give every column a name of its own.',
    );
  });

  it('fault 20: an absent target is refused with the nearest name', async () => {
    expect(await failure('x,Clas,y\n1,a,2\n')).toBe(
      'UserError: table.csv has no column "class" (did you mean "Clas"?). Its columns are "x", "Clas", "y".',
    );
  });

  it('a single line of ten million bytes is refused at once, in few words', async () => {
    expect((await failure('x'.repeat(10_000_000))).length).toBeLessThan(200);
  });

  it('a folder and a file that is not there are refused', async () => {
    const folder = join(dirname(await write('')), 'folder.csv');
    await mkdir(folder);
    await expect(readTableFile(folder, { target: 'class' })).rejects.toThrow(
      `${folder} is a folder; a CSV, TSV, JSON lines or Parquet file is expected`,
    );
    await expect(readTableFile(join(folder, 'no.csv'), { target: 'class' })).rejects.toThrow(
      `there is no file ${join(folder, 'no.csv')}; a CSV, TSV, JSON lines or Parquet file is expected`,
    );
  });
});

describe('the content hash', () => {
  const content = 'x,y,class\n1,u,k\n2,v,l\n3,u,k\n';

  it.each([
    ['a value', 'x,y,class\n1,u,k\n2.5,v,l\n3,u,k\n'],
    ['a label', 'x,y,class\n1,u,l\n2,v,l\n3,u,k\n'],
    ['a class', 'x,y,class\n1,u,k\n2,v,m\n3,u,k\n'],
    ['a category', 'x,y,class\n1,u,k\n2,w,l\n3,u,k\n'],
    ['a name', 'z,y,class\n1,u,k\n2,v,l\n3,u,k\n'],
    ['the order of rows', 'x,y,class\n2,v,l\n1,u,k\n3,u,k\n'],
  ])('changes with %s', async (_, other) => {
    expect((await read(other)).contentHash).not.toBe((await read(content)).contentHash);
  });

  it('does not change with the name of the file or with what is left out', async () => {
    const path = await write('n,x,y,class\n0,1,u,k\n0,2.0,"v",l\n0,3e0,u,k\n', 'other.tsv');
    expect((await readTableFile(path, { target: 'class' })).contentHash).toBe((await read(content)).contentHash);
  });
});
