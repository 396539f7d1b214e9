import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTableFile } from 'evenhand/data';
import { expect, it } from 'vitest';
import { FOLDS, foldRows, foldsForPeers, foldsOf, REPEATS } from '../../src/seven-tables/folds.js';
import { readTable, SEVEN_TABLES, sevenTablesFolder } from '../../src/seven-tables/tables.js';
import { temporaryFolder } from '../temporary-folder.js';

/** A table with these classes, in which no two rows are alike. */
async function tableOf(classes: readonly string[]) {
  const file = join(await temporaryFolder(), 'table.csv');
  await writeFile(file, `x,class\n${classes.map((name, row) => `${row * row + 0.5},${name}\n`).join('')}`);
  return readTableFile(file, { target: 'class' });
}

it('test every row once in each repeat, and train on all the others', async () => {
  const dataset = await tableOf([...Array(30).fill('a'), ...Array(9).fill('b')]);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const foldOf = foldsOf(dataset, repeat);
    const folds = Array.from({ length: FOLDS }, (_, fold) => foldRows(foldOf, fold));
    const tested = folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b);
    expect(tested).toEqual([...dataset.labels.keys()]);
    for (const { training, test } of folds) {
      expect([...training, ...test].sort((a, b) => a - b)).toEqual([...dataset.labels.keys()]);
      expect(test.filter((row) => dataset.labels[row] === 0)).toHaveLength(6);
    }
  }
  expect(foldsOf(dataset, 0)).not.toEqual(foldsOf(dataset, 1));
  expect(foldsOf(dataset, 0)).toEqual(foldsOf(dataset, 0));
});

it('train with a class of one row in every fold and never test it; one of two rows is learned from the other one', async () => {
  const dataset = await tableOf([...Array(20).fill('a'), 'once', 'twice', 'twice']);
  const foldOf = foldsOf(dataset, 0);
  expect(foldOf[20]).toBe(-1);
  for (let fold = 0; fold < FOLDS; fold++) {
    const { training, test } = foldRows(foldOf, fold);
    expect(training).toContain(20);
    const learned = new Set(Array.from(training, (row) => dataset.labels[row]));
    expect(learned).toEqual(new Set([0, 1, 2]));
    expect(test.length).toBeGreaterThanOrEqual(4);
  }
});

it('are the same for the peers', async () => {
  const dataset = await tableOf([...Array(10).fill('a'), ...Array(5).fill('b')]);
  expect(foldsForPeers('small', dataset)).toEqual({
    table: 'small',
    columns: [{ name: 'x', kind: 'numeric' }],
    classNames: ['a', 'b'],
    labels: [...dataset.labels],
    folds: [[...foldsOf(dataset, 0)], [...foldsOf(dataset, 1)]],
  });
});

it.for(Object.entries(SEVEN_TABLES))(
  '%s is as the page says, and only rows of single classes are never tested',
  async ([name, facts], context) => {
    const file = join(sevenTablesFolder(), `${name}.csv`);
    context.skip(!existsSync(file), `there is no ${file}`);
    const dataset = await readTable(sevenTablesFolder(), name);
    const counts = dataset.classNames.map((_, p) => dataset.labels.filter((label) => label === p).length);
    expect({
      ...{ rows: dataset.labels.length, columns: dataset.columns.length, classes: counts.length },
      ...{ largest: Math.max(...counts), smallest: Math.min(...counts) },
    }).toEqual(facts);
    const untested = foldsOf(dataset, 0).filter((fold) => fold < 0).length;
    expect(untested).toBe(counts.filter((count) => count === 1).length);
  },
);
