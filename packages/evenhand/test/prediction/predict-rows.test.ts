import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Predictor, type TableRow, UserError } from '../../src/index.js';
import { exportImageModel, exportTableModel } from '../../src/prediction/export-model.js';
import { openModel } from '../../src/prediction/predictor.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import { allRows, boolean, categorical, date, numeric, table } from '../preprocessing/tables.js';
import { firstState, imageProgram, tableProgram } from './models.js';

const NAMES = ['age', 'member', 'city', 'since'];
const preprocessing = fitTablePreprocessing(
  table(
    numeric('age', 20, 30, Number.NaN, 500),
    boolean('member', 0, 1, -1, 1),
    categorical('city', 'Oslo', 'Rome', 'Oslo', '7'),
    date('since', '2020-01-01', '2021-06-01T12:30Z', null, '2019-02-28'),
  ),
  allRows(4),
);
const program = tableProgram(preprocessing, 3, 4);

let folder: string;
let model: Predictor;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-rows-'));
  model = await openModel(
    exportTableModel([{ program, state: firstState(program) }], preprocessing, ['low', 'mid', 'high']),
  );
});
afterAll(async () => {
  await model.close();
  await rm(folder, { recursive: true });
});

/** What a model makes of a file of this content. */
async function predictText(name: string, content: string) {
  const path = join(folder, name);
  await writeFile(path, content);
  const { labels, classes, probabilities } = await model.predictFile(path);
  return { labels, classes, probabilities };
}

async function predictRows(rows: readonly TableRow[]) {
  const { labels, classes, probabilities } = await model.predictRows(rows);
  return { labels, classes, probabilities };
}

const cell = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const rowsOfAnyKind: fc.Arbitrary<TableRow[]> = fc.array(
  fc.record(
    {
      age: cell(fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom('12.5', ' 7 ', 'NA', ''))),
      member: cell(fc.constantFrom('yes', 'No', 'perhaps', true, false)),
      city: cell(
        fc.oneof(fc.constantFrom('Oslo', 'Rome', ' Rome', 'None', 7, '7', 7.5), fc.stringMatching(/^\w{0,4}$/)),
      ),
      since: cell(fc.constantFrom('2020-02-29', '1999-12-31T23:59:59Z', 'null')),
      other: fc.integer(),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 30 },
);

describe('predictRows', () => {
  it('answers exactly as predictFile does of the same rows, as CSV and as JSON lines', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOfAnyKind, async (given) => {
        // What no row has is a missing value, where a file has no such column.
        const rows = [...given, Object.fromEntries(NAMES.map((name) => [name, null]))];
        const expected = await predictRows(rows);
        const cells = rows.map((row: TableRow) => NAMES.map((name) => row[name] ?? '').join(','));
        expect(await predictText('rows.csv', [NAMES.join(','), ...cells, ''].join('\n'))).toEqual(expected);
        const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
        expect(await predictText('rows.jsonl', lines.join(''))).toEqual(expected);
      }),
      { numRuns: 60, seed: 17 },
    );
  });

  it('takes Date, bigint, undefined and true for what they mean', async () => {
    const given = await predictRows([{ age: 30n, member: true, city: undefined, since: new Date('2020-01-01') }]);
    expect(given).toEqual(await predictRows([{ age: 30, member: 'yes', city: null, since: '2020-01-01' }]));
    expect(given).not.toEqual(await predictRows([{ age: 30, member: 'no', city: null, since: '2020-01-01' }]));
  });

  it('takes keys that a row does not have for missing values, says so, and ignores others', async () => {
    const { labels, table: read } = await model.predictRows([{ age: 30, unknown: 1 }]);
    expect(labels).toEqual((await model.predictRows([{ age: 30, member: null, city: null, since: null }])).labels);
    expect(read.notes).toContain('Column "city" has missing values: 1 of 1.');
  });

  it('says which texts training never saw', async () => {
    const { table: read } = await model.predictRows([{ age: 30, city: 'Bern' }]);
    expect(read.notes.join()).toContain(
      'Column "city" has texts that training never saw, such as "Bern", in 1 of 1 rows',
    );
  });

  it('predicts nothing of no rows', async () => {
    expect((await model.predictRows([])).labels).toEqual([]);
  });

  it('fault 25: refuses rows that have none of the columns, with the nearest names', async () => {
    const predicting = model.predictRows([{ Age: 30, City: 'Oslo' }]);
    await expect(predicting).rejects.toThrow(UserError);
    await expect(predicting).rejects.toThrow('the table has no columns "age" (did you mean "Age"?)');
  });

  it.each<[given: string, message: string]>([
    [
      '[{"age":1},{"age":[2]}]',
      'the table, row 2: "age" is a list; expected a number, a text, true, false, a Date, or null',
    ],
    ['[{"age":{"years":1}}]', 'the table, row 1: "age" is an object; expected a number'],
    [
      '[{"age":1},{"age":"old"}]',
      'the table, row 2: the column "age" has "old", where a number is expected, as in training.',
    ],
    ['[{"age":true}]', 'the table, row 1: the column "age" has "true", where a number is expected'],
    ['[{"since":"soon"}]', 'the table, row 1: the column "since" has "soon", where a date such as 2024-12-31'],
    ['[{"since":5}]', 'the table, row 1: the column "since" has "5", where a date such as 2024-12-31'],
    ['[{"age":1},7]', 'the table, row 2 is 7; expected an object with a value for each column'],
    ['[[1,2]]', 'the table, row 1 is [1,2]; expected an object'],
    ['[null]', 'the table, row 1 is null; expected an object'],
    ['{"age":1}', 'expected a list of objects, one for each row'],
  ])('names the row and the key of what cannot be used: %s', async (given, message) => {
    const predicting = model.predictRows(JSON.parse(given));
    await expect(predicting).rejects.toThrow(UserError);
    await expect(predicting).rejects.toThrow(message);
  });

  it('refuses a model that was trained with images', async () => {
    const images = imageProgram([1, 2, 2], 2, 2);
    const how = { kind: 'images', version: 1, shape: [1, 2, 2], resize: 'cover' } as const;
    const ofImages = await openModel(
      exportImageModel([{ program: images, state: firstState(images) }], how, ['a', 'b']),
    );
    await expect(ofImages.predictRows([{ age: 1 }])).rejects.toThrow(
      'the model was trained with images; expected image files to predict, not rows',
    );
    await ofImages.close();
  });
});
