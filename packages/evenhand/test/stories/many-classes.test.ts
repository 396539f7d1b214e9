import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '@evenhand/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ending, evenhand } from '../cli/evenhand.js';

const CLASSES = 1500;
const MEGABYTE = 2 ** 20;

/** A table of species: 8 measures around a centre each, from 40 rows of the commonest down to 5. */
function speciesTable(): string {
  const random = seededRandom(54, 'species');
  const lines = ['a,b,c,d,e,f,g,h,species'];
  for (let p = 0; p < CLASSES; p++) {
    const centre = Array.from({ length: 8 }, () => 20 * random());
    const rows = Math.round(5 + 35 / (1 + p / 40));
    for (let i = 0; i < rows; i++) {
      const measures = centre.map((middle) => (middle + random() + random() - 1).toFixed(3));
      lines.push([...measures, `species ${p}`].join(','));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Writes down the most memory that a process had, when it ends. */
const PEAK = `import { appendFileSync } from 'node:fs';
process.on('exit', () => appendFileSync(process.env.PEAK_FILE, process.resourceUsage().maxRSS + '\\n'));
`;

describe(`fault 54: a table of ${CLASSES} classes, from check to predictions`, () => {
  let folder: string;
  const endings = new Map<string, Ending>();
  const ending = (command: string) => endings.get(command) ?? { code: null, stdout: '', stderr: '' };
  const sizeOf = async (...path: readonly string[]) => (await stat(join(folder, ...path))).size;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenhand-many-classes-'));
    const table = speciesTable();
    await writeFile(join(folder, 'species.csv'), table);
    await writeFile(join(folder, 'new.csv'), table.replaceAll(/,species[^\n]*/g, ''));
    await writeFile(join(folder, 'peak.mjs'), PEAK);
    const env = {
      NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'peak.mjs'))}`,
      PEAK_FILE: join(folder, 'peak.txt'),
    };
    const small = ['--model', 'mlp', '--method', 'enhancement', '--epochs', '3', '--threads', '1', '--no-report'];
    for (const args of [
      ['check', 'species.csv', '--target', 'species'],
      ['train', 'species.csv', '--target', 'species', '--run', 'run', ...small],
      ['report', 'run'],
      ['predict', 'run', 'new.csv', '--out', 'predicted.csv'],
    ]) {
      endings.set(args[0] ?? '', await evenhand(args, { cwd: folder, env }));
    }
  }, 300_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['check', 'train', 'report', 'predict'])('%s succeeds, and says it on a few lines', (command) => {
    const { code, stdout, stderr } = ending(command);
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`.split('\n').length).toBeLessThan(90);
  });

  it('check shows the commonest and the rarest classes, and says how many it does not', () => {
    expect(ending('check').stdout).toContain('The 20 commonest and the 20 rarest; --json has the other 1,460 too.');
    expect(ending('check').stdout).toMatch(/^ {2}species 0 +40 /m);
  });

  it('train and the page show the classes that matter, and say which', async () => {
    const note =
      / of the 1,500 classes are shown: the 10 commonest, the 10 rarest, the 10 with the lowest recall, and those of/;
    expect(ending('train').stdout).toMatch(note);
    const page = await readFile(join(folder, 'run', 'report.html'), 'utf8');
    expect(page).toMatch(note);
    const table = page.slice(page.indexOf('aria-label="Table of classes"'));
    const rows = table.slice(0, table.indexOf('</table>')).split('<tr>').length - 2;
    expect(rows).toBeGreaterThanOrEqual(20);
    expect(rows).toBeLessThanOrEqual(50);
  });

  it('the run stays small: matrices are in its checkpoints, and only there', async () => {
    const matrix = 8 * CLASSES ** 2;
    const files = await readdir(join(folder, 'run'));
    const sizes = await Promise.all(files.map((file) => sizeOf('run', file)));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(10 * MEGABYTE);
    expect(await sizeOf('run', 'generator.jsonl')).toBeLessThan(3 * 0.5 * MEGABYTE);
    for (const name of ['last', 'best', 'previous'])
      expect(await sizeOf('run', 'checkpoints', `${name}.safetensors`)).toBeLessThan(2 * matrix + 10 * MEGABYTE);
  });

  it('predictions name the 20 likeliest classes of every row, not the probability of each', async () => {
    const [header = '', first = ''] = (await readFile(join(folder, 'predicted.csv'), 'utf8')).split('\n');
    expect(header.split(',').slice(8, 13)).toEqual([
      'predicted',
      'likeliest 1',
      'probability 1',
      'likeliest 2',
      'probability 2',
    ]);
    const [predicted, likeliest, ...cells] = first.split(',').slice(8);
    expect(likeliest).toBe(predicted);
    const probabilities = cells.map(Number).filter((_, i) => i % 2 === 0);
    expect(probabilities).toHaveLength(20);
    expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a));
  });

  it('no command takes a gigabyte of memory', async () => {
    const peaks = (await readFile(join(folder, 'peak.txt'), 'utf8')).trim().split('\n').map(Number);
    expect(peaks.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...peaks) / 1024).toBeLessThan(1024);
  });
});
