import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@evenhand/engine';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReport } from '../../src/report/write-report.js';
import type { ImportanceReport } from '../../src/runs/importance-file.js';
import { runsFolder, trainOnTable, WEIRD_NAMES } from './runs.js';

let folder: string;
let run: string;
let page: string;

/** A table with 23 columns, the first of which decide the class, and none of which has a harmless name. */
async function writeWideTable(): Promise<string> {
  const random = seededRandom(6, 'wide table');
  const names = [...WEIRD_NAMES, ...Array.from({ length: 15 }, (_, i) => `<b>column ${i}`), 'class'];
  const rows = Array.from({ length: 200 }, (_, row) => {
    const label = row % 4 === 0 ? 1 : 0;
    const cells = Array.from({ length: 23 }, (_, c) => (random() + (c < 3 ? 2 * label : 0)).toFixed(3));
    return [...cells, label === 1 ? 'rare' : 'common'].join(',');
  });
  const header = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',');
  const path = join(folder, 'wide.csv');
  await writeFile(path, `${header}\n${rows.join('\n')}\n`);
  return path;
}

beforeAll(async () => {
  folder = await runsFolder();
  await mkdir(folder, { recursive: true });
  run = join(folder, 'run');
  await trainOnTable(await writeWideTable(), run, { folds: 3, epochs: 6 });
  page = await readFile(await writeReport(run), 'utf8');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The section about columns. */
function sectionOf(html: string) {
  return [...parseHTML(html).document.querySelectorAll('section')].find(
    (section) => section.querySelector('h2')?.textContent === 'What the columns are worth',
  );
}

const textsOf = (selector: string) =>
  [...(sectionOf(page)?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent?.trim() ?? '');

async function measured(): Promise<ImportanceReport> {
  return JSON.parse(await readFile(join(run, 'importance.json'), 'utf8'));
}

describe('the report on columns', () => {
  it('shows the 20 most important ones with their numbers, and says how many more there are', async () => {
    const { columns } = await measured();
    expect(columns).toHaveLength(23);
    const shown = textsOf('.scroll:not(.tall) tbody tr').map((text) => text.replace(/\s+/g, ' '));
    expect(shown).toHaveLength(20);
    for (const [i, text] of shown.entries()) {
      const value = columns[i]?.logLossRise.value ?? Number.NaN;
      expect(text).toContain(`${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`);
    }
    expect(textsOf('.note').join()).toContain('And 3 more columns');
    expect(textsOf('p')[0]).toContain(
      'Measured on 160 training rows, each predicted by the networks that left out its fold',
    );
  });

  it('fault 32: names of columns are inert text', async () => {
    const { columns } = await measured();
    const names = textsOf('.scroll:not(.tall) tbody th');
    expect(names).toEqual(columns.slice(0, 20).map(({ name }) => name.trim()));
    expect(sectionOf(page)?.querySelectorAll('img, script, b')).toHaveLength(0);
    expect(parseHTML(page).document.querySelectorAll('script')).toHaveLength(0);
  });

  it('has what each column is worth to each class, for whoever opens it', async () => {
    const { perClass } = await measured();
    expect(perClass?.classNames).toEqual(['common', 'rare']);
    expect(textsOf('details tbody th')).toEqual(['common', 'rare']);
    expect(textsOf('details thead th')).toHaveLength(11);
    const drop = perClass?.columns[0]?.recallDrop[1]?.value ?? Number.NaN;
    const shown = textsOf('details tbody tr')[1] ?? '';
    expect(shown).toContain(`${drop > 0 ? '−' : '+'}${(100 * Math.abs(drop)).toFixed(1)}`);
  });

  it('is not there where nothing was measured', async () => {
    await rm(join(run, 'importance.json'));
    expect(sectionOf(await readFile(await writeReport(run), 'utf8'))).toBeUndefined();
  });
});
