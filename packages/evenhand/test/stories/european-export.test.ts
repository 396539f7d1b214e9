import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@evenhand/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRun } from '../../src/index.js';
import { shell } from '../cli/evenhand.js';

/** What only keeps the test short. */
const SHORT = '--model mlp --epochs 15 --threads 1 --no-report';

const HEADER = ['Kundennr', 'Betrag', 'Gewicht', 'Umsatz', 'Ort', 'Zustand'];

/** Parcels, of which one in twelve is sent back: as a spreadsheet in Munich exports them. */
function parcels(count: number, seed: number): string[][] {
  const random = seededRandom(seed, 'parcels');
  const noise = () => random() + random() + random() + random() - 2;
  const german = (value: number, digits: number) =>
    value.toLocaleString('de-DE', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return Array.from({ length: count }, (_, i) => {
    const isReturned = i % 12 === 5;
    return [
      `K-${1000 + 7 * i + 100_000 * seed}`,
      german((isReturned ? 40 : 20) + 9 * noise(), 2),
      german(5 + 3 * noise(), 1),
      german(5000 + 3000 * noise(), 2),
      ['München', 'Köln', 'Graz'][Math.floor(3 * random())] ?? '',
      isReturned ? 'Rückläufer' : 'in Ordnung',
    ];
  });
}

const csv = (rows: readonly string[][]) => [HEADER, ...rows].map((row) => `${row.join(';')}\r\n`).join('');

/** The line, from 1 and with the header, of a cell that somebody typed. */
const LINE = 125;
const clean = parcels(600, 1);
const typed = clean.map((row) => [...row]);
const slip = (typed[LINE - 2]?.[1] ?? '').replace(/\d$/, 'O');
typed[LINE - 2]?.splice(1, 1, slip);

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evenhand-story-'));
  await writeFile(join(cwd, 'export.csv'), Buffer.from(csv(typed), 'latin1'));
  await writeFile(join(cwd, 'utf-8.csv'), `\ufeff${csv(typed)}`);
  await writeFile(join(cwd, 'clean.csv'), Buffer.from(csv(clean), 'latin1'));
  await writeFile(join(cwd, 'new-rows.csv'), Buffer.from(csv(parcels(240, 2)), 'latin1'));
});
afterAll(async () => {
  await rm(cwd, { recursive: true, force: true });
});

/** Does what is printed, and gives what is printed then. */
function type(command: string): string {
  const { code, stdout, stderr } = shell(`npx() { shift; evenhand "$@"; }\n${command}`, cwd);
  if (code !== 0) throw new Error(`${command} exited with ${code}: ${stderr}`);
  return stdout;
}

/** The command that is printed to be typed next. */
const nextOf = (printed: string) => /^Next: (.*)$/m.exec(printed)?.[1] ?? '';
const flagsOf = (printed: string) => /^Flags for the same types.*\n {2}(.*)$/m.exec(printed)?.[1] ?? '';

describe.skipIf(process.platform === 'win32')('fault 53: a European export with a typed O for a 0 in a number', () => {
  it('goes from check to predictions by the commands that are printed, and costs nothing but the one cell', async () => {
    const told = `note: Taken for missing values: in column "Betrag" 1 of 600 cells is no number: "${slip}" (line ${LINE}).`;
    const first = type('npx evenhand check export.csv');
    expect(first).toContain(told);
    expect(nextOf(first)).toBe('npx evenhand check export.csv --target Zustand');

    const second = type(nextOf(first));
    expect(second).toContain(told);
    expect(second).toContain('note: Numbers are read with decimal commas, in 3 columns: ');
    expect(second).toMatch(/Rückläufer +50 /);
    const flags = flagsOf(second);
    expect(flags).toBe(
      '--delimiter semicolon --decimal comma --ignore Kundennr --type Betrag=numeric --type Gewicht=numeric --type Umsatz=numeric --type Ort=categorical',
    );
    expect(nextOf(second)).toBe('npx evenhand train export.csv --target Zustand');

    const trained = type(`${nextOf(second)} ${flags} ${SHORT}`);
    expect(nextOf(trained)).toBe('npx evenhand predict runs/export-enhancement new-rows.csv --out predicted.csv');

    expect(type(nextOf(trained))).toContain('predictions  predicted.csv');
    const predicted = (await readFile(join(cwd, 'predicted.csv'), 'utf8')).trimEnd().split('\n');
    expect(predicted[0]).toBe(
      'Kundennr,Betrag,Gewicht,Umsatz,Ort,Zustand,predicted,probability of Rückläufer,probability of in Ordnung',
    );
    expect(predicted).toHaveLength(1 + 240);

    type(`npx evenhand train clean.csv --target Zustand ${SHORT}`);
    const [withSlip, without] = await Promise.all(['export', 'clean'].map(balancedAccuracy));
    expect(without).toBeGreaterThan(0.85);
    expect(Math.abs((withSlip ?? 0) - (without ?? 0))).toBeLessThan(0.03);
  });

  it('is read alike in UTF-8 with a byte order mark', () => {
    const checked = (file: string) => JSON.parse(type(`npx evenhand check ${file} --target Zustand --json`));
    const [latin1, utf8] = ['export.csv', 'utf-8.csv'].map(checked);
    const isOfEncoding = (note: string) => note.includes('Windows-1252');
    expect(latin1.notes.filter(isOfEncoding)).toHaveLength(2);
    const notes = latin1.notes.filter((note: string) => !isOfEncoding(note));
    expect(utf8).toEqual({ ...latin1, source: 'utf-8.csv', notes });
  });
});

async function balancedAccuracy(data: string): Promise<number> {
  const { estimates } = await (await openRun(join(cwd, 'runs', `${data}-enhancement`))).evaluation();
  return estimates.balancedAccuracy.value ?? Number.NaN;
}
