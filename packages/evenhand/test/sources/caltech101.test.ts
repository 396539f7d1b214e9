import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCaltech101 } from '../../src/sources/caltech101.js';
import { dataFolder } from '../../src/sources/data-folder.js';
import { listImageFolder } from '../../src/sources/list-images.js';
import { plainImage } from '../images/crafted-image.js';

describe('readCaltech101', () => {
  it.each(['101_ObjectCategories', 'caltech-101', 'caltech-101/101_ObjectCategories'])(
    'finds its class folders in %s, and leaves the background out',
    async (classFolders) => {
      const folder = mkdtempSync(join(tmpdir(), 'evenhand-caltech-'));
      for (const name of ['accordion', 'BACKGROUND_Google', 'Faces']) {
        mkdirSync(join(folder, classFolders, name), { recursive: true });
        writeFileSync(
          join(folder, classFolders, name, 'image_0001.jpg'),
          await plainImage([1, 2, 3], { format: 'jpeg' }),
        );
      }
      const { name, classNames, files, shape } = await readCaltech101({ size: 16 }, folder);
      expect({ name, classNames, shape }).toEqual({
        name: 'caltech101',
        classNames: ['Faces', 'accordion'],
        shape: [3, 16, 16],
      });
      expect(files).toEqual(['Faces/image_0001.jpg', 'accordion/image_0001.jpg']);
      rmSync(folder, { recursive: true });
    },
  );

  it('says exactly what to download and where to put it', async () => {
    const folder = join(tmpdir(), 'evenhand-absent');
    const reading = readCaltech101({}, folder);
    await expect(reading).rejects.toThrow(
      `Caltech 101 is not in ${folder}. Download caltech-101.zip from https://doi.org/`,
    );
    await expect(reading).rejects.toThrow(`to ${join(folder, '101_ObjectCategories')}.`);
  });

  const real = ['caltech-101', '101_ObjectCategories'].map((name) => join(dataFolder(), name)).find(existsSync);
  const absent = `Caltech 101 is not in ${dataFolder()}`;

  it('lists all real photographs', async (context) => {
    if (real === undefined) return context.skip(absent);
    const { classNames, files } = await listImageFolder(real, ['BACKGROUND_Google']);
    const counts = classNames.map((_, label) => files.filter((other) => other.label === label).length);
    expect([classNames.length, files.length, Math.min(...counts), Math.max(...counts)]).toEqual([101, 8677, 31, 800]);
  });

  it('reads real photographs of every class', async (context) => {
    if (real === undefined) return context.skip(absent);
    const { classNames, files } = await listImageFolder(real, ['BACKGROUND_Google']);
    const folder = mkdtempSync(join(tmpdir(), 'evenhand-caltech-'));
    for (const name of classNames) {
      const photographs = files.filter(({ file }) => file.startsWith(`${name}/`)).slice(0, 2);
      for (const { file } of photographs) cpSync(join(real, file), join(folder, '101_ObjectCategories', file));
    }
    const { shape, labels, notes } = await readCaltech101({}, folder);
    expect({ shape, notes, instances: labels.length }).toEqual({
      shape: [3, 32, 32],
      notes: ['202 of 202 images were scaled and cropped to 32 × 32 pixels (option size)'],
      instances: 202,
    });
    rmSync(folder, { recursive: true });
  });
});
