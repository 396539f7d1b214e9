import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { openDataset } from '../../src/sources/open-source.js';
import { temporaryFolder } from '../runs/examples.js';

const open = (data: ConfigInput['data']) => openDataset(parseConfig({ data }).data);

async function folderWithTable(name: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, name), 'x;class\n1;a\n2;b\n3;a\n');
  return folder;
}

describe('what a configuration names as its data', () => {
  it.each(['a.csv', 'a.tsv', 'a.TXT'])('%s is a table', async (name) => {
    const source = join(await folderWithTable(name), name);
    expect(await open({ source, target: 'class' })).toMatchObject({ kind: 'table', classNames: ['a', 'b'] });
  });

  it('mnist is a data set known by its name', async () => {
    expect(await open({ source: 'mnist' })).toMatchObject({ kind: 'images', name: 'mnist' });
  });

  it('a table without a target is refused with its columns', async () => {
    const source = join(await folderWithTable('a.csv'), 'a.csv');
    await expect(open({ source })).rejects.toThrow(
      `${source} is a table, and data.target does not say which column holds the classes; expected one of "x", "class"`,
    );
  });

  it('what is not there is refused with the nearest data set or file', async () => {
    await expect(open({ source: 'minst' })).rejects.toThrow(
      'data.source is "minst", and there is no such file, folder or data set; did you mean "mnist"? Expected a table ' +
        '(.csv, .tsv, .txt, .jsonl, .ndjson, .parquet, or packed: .csv.gz), a folder of images, or one of mnist, fashion-mnist, cifar10, caltech101',
    );
    await expect(open({ source: '/no/where/at/all' })).rejects.toThrow(
      'there is no such file, folder or data set; expected a table (.csv, .tsv',
    );
    const folder = await folderWithTable('fraud.csv');
    await expect(open({ source: join(folder, 'fruad.csv'), target: 'x' })).rejects.toThrow(
      `did you mean "${join(folder, 'fraud.csv')}"?`,
    );
  });

  it('a file of another kind is refused', async () => {
    const source = join(await folderWithTable('a.xlsx'), 'a.xlsx');
    await expect(open({ source })).rejects.toThrow(`data.source is ${source}, a file of an unknown kind`);
  });

  it('options that do not fit the source are refused', async () => {
    const folder = await folderWithTable('a.csv');
    await mkdir(join(folder, 'images'));
    await expect(open({ source: join(folder, 'images'), target: 'x' })).rejects.toThrow('data.target is "x"');
    await expect(open({ source: 'mnist', target: 'x' })).rejects.toThrow('data.target is "x"');
    await expect(open({ source: 'mnist', imageSize: 32 })).rejects.toThrow('data.imageSize is 32');
    const source = join(folder, 'a.csv');
    await expect(open({ source, target: 'class', imageSize: 8 })).rejects.toThrow('data.imageSize is 8');
  });
});
