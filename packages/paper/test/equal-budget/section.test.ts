import { describe, expect, it } from 'vitest';
import { AUTO, LOGIT_ADJUSTMENT } from '../../src/equal-budget/rows.js';
import type { RunLine } from '../../src/equal-budget/run-lines.js';
import { budgetSection } from '../../src/equal-budget/section.js';
import { linesOf } from './lines.js';

/** Everything is level, but for class weights: one percentage point more with each draw. Logit adjustment is ahead on reserved images. */
const lines = linesOf(({ row, draw }) => ({
  reserved: row === LOGIT_ADJUSTMENT ? 0.9 : 0.8,
  test: 0.5 + (row === 'inverse-frequency' ? draw / 100 : 0),
}));

const rowOf = (section: string, title: string, table: 0 | 1) =>
  section
    .split('\n')
    .filter((line) => line.startsWith(`| ${title} |`))
    [table]?.split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

describe('the section', () => {
  it('has means, deviations and paired differences over draws and seeds', () => {
    // Differences 0, 1 and 2, five times each: mean 1, s² = 10/14, t = 1/√(s²/15) = √21 = 4.58, ±2.145·0.218 (t of 14 degrees).
    expect(rowOf(budgetSection(lines), 'class weights 1/n', 0)).toEqual([
      '15',
      '51.00 ± 0.85',
      '25.50 ± 0.42',
      '80.00 ± 0.00',
      '+1.00 [0.53, 1.47]',
      '< 0.001',
      '+1.00 [0.53, 1.47]',
      '< 0.001',
    ]);
  });

  it('has the means of each draw, and the test that takes draws for pairs', () => {
    // Differences 0, 1 and 2: t = √3 with 2 degrees of freedom, p = 1 − √(3/5) = 0.225; ±4.303/√3.
    expect(rowOf(budgetSection(lines), 'class weights 1/n', 1)).toEqual([
      ...['50.00', '51.00', '52.00'],
      ...['+1.00 [−1.48, 3.48]', '0.225', '+1.00 [−1.48, 3.48]', '0.225'],
    ]);
  });

  it('has no p for what does not differ, and no difference of a row to itself', () => {
    expect(rowOf(budgetSection(lines), 'logit adjustment', 0)?.slice(4)).toEqual(['–', '–', '0.00', '–']);
  });

  it('corrects p for the number of rows that have one', () => {
    // Now two rows differ from logit adjustment by ±0.1 in turn: their own p is doubled, as the smallest of two and because it never falls.
    const wobbling = linesOf(({ row, seed, draw }) => ({
      reserved: 0.8,
      test: 0.5 + (row === 'inverse-frequency' || row === AUTO ? 0.001 * ((5 * draw + seed) % 2 ? 1 : -0.5) : 0),
    }));
    const alone = linesOf(({ row, seed, draw }) => ({
      reserved: 0.8,
      test: 0.5 + (row === AUTO ? 0.001 * ((5 * draw + seed) % 2 ? 1 : -0.5) : 0),
    }));
    const pOf = (of: readonly RunLine[]) =>
      Number(rowOf(budgetSection(of), 'enhancement, automatic rates, given back', 0)?.[5]);
    expect(pOf(wobbling)).toBeCloseTo(2 * pOf(alone), 2);
  });

  it('names the row that is best on the reserved images, not that on the test images', () => {
    expect(budgetSection(lines)).toContain(
      '**Best on the reserved images** is *logit adjustment* with 90.00 %; next is *one-hot, without the held-out images, as published* with 80.00 % (difference +10.00, p –).',
    );
  });

  it('is written of what is there, and says what is not', () => {
    const section = budgetSection(
      lines.filter(({ row, seed }) => row !== AUTO && (row !== LOGIT_ADJUSTMENT || seed < 2)),
    );
    expect(section).toContain(
      '**Preliminary:** not run yet: logit adjustment (9 of 15); enhancement, automatic rates, given back (15 of 15).',
    );
    expect(rowOf(section, 'logit adjustment', 0)?.[0]).toBe('6 of 15');
    // Over the two seeds of each draw that both have: t = 1/√(s²/6), s² = 4/5.
    expect(rowOf(section, 'class weights 1/n', 0)?.[4]).toBe('+1.00 [0.06, 1.94]');
    expect(section).toContain('**Best on the reserved images**, of the rows that are complete, is ');
    expect(section).not.toContain('| enhancement, automatic');
    expect(budgetSection([])).toBe('Nothing was run yet.');
  });

  it('leaves out results of another configuration', () => {
    const others = lines.map((line) => ({ ...line, configHash: 'another' }));
    expect(budgetSection(others)).toBe('Nothing was run yet.');
  });

  it('says which runs diverged', () => {
    const diverged = lines.map((line): RunLine => {
      if (line.row !== 'one-hot' || line.seed !== 3) return line;
      const { row, draw, seed, config, configHash } = line;
      return { row, draw, seed, config, configHash, diverged: 'the loss is NaN' };
    });
    const section = budgetSection(diverged);
    expect(section).toContain('3 runs diverged and are not in the means: one-hot (3 of 15).');
    expect(section).not.toContain('Preliminary');
    expect(rowOf(section, 'one-hot', 0)?.[0]).toBe('12 of 15');
  });
});

describe('the rates that were tried', () => {
  const tuned = linesOf(({ row }) => {
    if (row === 'enhancement-30-0.3') return { reserved: 0.9, test: 0.64 };
    if (row === 'enhancement-1-0.3') return { reserved: 0.8, test: 0.7 }; // better, but not by the images that choices are made by
    if (row === AUTO) return { reserved: 0.8, test: 0.63 };
    return { reserved: 0.7, test: 0.6 };
  });

  it('are chosen by the reserved images and judged by the test images', () => {
    const section = budgetSection(tuned);
    expect(section).toContain('| 30 | 70.00 / 60.00 | 90.00 / 64.00 |');
    expect(section).toContain(
      'Chosen by the reserved images: ε 30 and μ 0.3, 64.00 % on the test images. ' +
        'That is +4.00 compared with the untuned ε 3 and μ 0.1 (60.00 %). Automatic rates reach 63.00 %: +3.00, 75 % of that gain.',
    );
  });

  it('say nothing before all of them are there', () => {
    const section = budgetSection(tuned.filter(({ row, draw }) => row !== 'enhancement-3-0.1' || draw > 0));
    expect(section).toContain(
      '1 of 8 pairs of rates do not have results for all draws, so there are no conclusions about tuning yet.',
    );
    expect(section).toContain('| 3 | – | 70.00 / 60.00 |');
    expect(section).not.toContain('Chosen by');
  });
});
