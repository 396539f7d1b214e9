import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

/** The stories of the gallery, what each needs of the data folder, and what it leaves. */
const STORIES = [
  {
    name: 'mammography',
    data: ['tabular/mammography.csv'],
    files: ['mammography-balanced/report.html'],
    prints: /finds [\d.]+ % of the calcifications/,
  },
  {
    name: 'abalone',
    data: ['tabular/abalone.csv'],
    files: ['abalone/report.html'],
    prints: /right to the year: [\d.]+ %/,
  },
  {
    name: 'caltech',
    data: ['101_ObjectCategories/ketch'],
    files: ['caltech.html'],
    prints: /logit-adjustment: balanced accuracy [\d.]+ %/,
  },
  {
    name: 'tensorflow',
    data: ['tabular/glass.csv'],
    files: ['tensorflow.svg'],
    prints: /enhanced labels: balanced accuracy [\d.]+ %/,
  },
  { name: 'stream', data: [], files: ['stream.svg'], prints: /logit-adjustment: G-mean [\d.]+ % before the change/ },
];

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const dataFolder = process.env.EVENHAND_DATA ?? '';

describe('the gallery', () => {
  it.for(STORIES)('$name is told, on small settings', async ({ name, data, files, prints }, context) => {
    const missing = data.find((path) => !existsSync(join(dataFolder, path)));
    if (missing !== undefined) context.skip(`there is no ${missing} in the folder that EVENHAND_DATA names`);
    const out = mkdtempSync(join(tmpdir(), 'evenhand-gallery-'));
    onTestFinished(() => rmSync(out, { recursive: true, force: true }));
    const script = join(repository, 'examples', 'gallery', `${name}.mjs`);
    const told = promisify(execFile)(process.execPath, [script, '--quick', '--out', out], { cwd: out });
    expect((await told).stdout).toMatch(prints);
    for (const file of files) expect(existsSync(join(out, file)), file).toBe(true);
  });

  it.each(STORIES)('$name has a section and a picture in docs/gallery.md', ({ name }) => {
    const page = readFileSync(join(repository, 'docs', 'gallery.md'), 'utf8');
    expect(page).toContain(`node examples/gallery/${name}.mjs`);
    const [, picture = ''] = new RegExp(`\\]\\((gallery/${name}\\.(?:png|svg))\\)`).exec(page) ?? [];
    expect(existsSync(join(repository, 'docs', picture)) && picture !== '', `a picture of ${name}`).toBe(true);
  });
});
