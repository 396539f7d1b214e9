import { describe, expect, it } from 'vitest';
import type { PredictedTable } from '../../src/cli/commands/predict/predicted-table.js';
import {
  answerNameNotes,
  answerNames,
  predictionFormat,
  predictionText,
} from '../../src/cli/commands/predict/prediction-text.js';
import type { RawColumn } from '../../src/tables/raw-table.js';

const CLASSES = ['no', 'yes'];

const texts = (name: string, ...cells: (string | null)[]): RawColumn => {
  const different = [...new Set(cells.filter((cell) => cell !== null))];
  const codes = Int32Array.from(cells, (cell) => (cell === null ? -1 : different.indexOf(cell)));
  return { kind: 'texts', name, texts: different, codes };
};

const predicted = (...columns: RawColumn[]): PredictedTable => ({
  columns,
  prediction: {
    labels: ['yes', 'no'],
    classes: Int32Array.of(1, 0),
    probabilities: Float32Array.of(0.25, 0.75, 1, 0),
  },
  notes: [],
});

describe('what predict writes', () => {
  it('is CSV, with formulas made inert', () => {
    expect(predictionText('csv', CLASSES, predicted(texts('a', '=1', null), texts('b', 'x,"', '2')))).toBe(
      'a,b,predicted,probability of no,probability of yes\n\'=1,"x,""",yes,0.25,0.75\n,2,no,1,0\n',
    );
  });

  it('is JSON lines, with numbers where a column has nothing else, and texts as they are', () => {
    const table = predicted(texts('n', '1.50', null), texts('zip', '007', '12'), texts('10', '=1', 'a "b"'));
    expect(predictionText('json-lines', CLASSES, table)).toBe(
      '{"n":1.50,"zip":"007","10":"=1","predicted":"yes","probability of no":0.25,"probability of yes":0.75}\n' +
        '{"n":null,"zip":"12","10":"a \\"b\\"","predicted":"no","probability of no":1,"probability of yes":0}\n',
    );
  });

  it('keeps JSON objects as they are', () => {
    const table = { ...predicted(), rowTexts: ['{ "a":[1.0] }', '{ }'] };
    expect(predictionText('json-lines', CLASSES, table)).toBe(
      '{ "a":[1.0] ,"predicted":"yes","probability of no":0.25,"probability of yes":0.75}\n' +
        '{ "predicted":"no","probability of no":1,"probability of yes":0}\n',
    );
  });

  it.each([
    [undefined, false, 'csv'],
    [undefined, true, 'json-lines'],
    ['x.jsonl', false, 'json-lines'],
    ['x.NDJSON', false, 'json-lines'],
    ['x.csv', true, 'csv'],
    ['/dev/stdout', true, 'json-lines'],
  ])('to %s, of JSON lines: %s, is %s', (out, isJson, format) => {
    expect(predictionFormat(out, isJson ? { ...predicted(), rowTexts: [] } : predicted())).toBe(format);
  });

  it('has no column twice: all answers get the same number where one of their names is taken', () => {
    const names = (...taken: string[]) =>
      answerNames(
        CLASSES,
        taken.map((name) => texts(name)),
      );
    expect(names('a')).toEqual({ label: 'predicted', probabilities: ['probability of no', 'probability of yes'] });
    const second = { label: 'predicted 2', probabilities: ['probability of no 2', 'probability of yes 2'] };
    expect(names('predicted')).toEqual(second);
    expect(names('probability of yes')).toEqual(second);
    expect(names('predicted', 'probability of no 2').label).toBe('predicted 3');
    expect(answerNameNotes(CLASSES, predicted(texts('a')))).toEqual([]);
    expect(answerNameNotes(CLASSES, predicted(texts('a'), texts('probability of yes')))).toEqual([
      'The data has a column "probability of yes" of its own: the answers are in the column "predicted 2", and the names of the probabilities end in " 2".',
    ]);
  });
});
