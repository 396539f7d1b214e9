import { expect, it } from 'vitest';
import { variantHash } from '../../src/seven-tables/fold-job.js';
import { type FoldResult, FoldResults } from '../../src/seven-tables/fold-results.js';
import { AUTOMATIC, rateFolds, rateVariants, TRIED, tunedFolds, USUAL } from '../../src/seven-tables/rates.js';
import { ratesSection } from '../../src/seven-tables/rates-section.js';
import { SEVEN_TABLES } from '../../src/seven-tables/tables.js';
import { resultsOf } from './results.js';

const TABLES = Object.keys(SEVEN_TABLES);
const NAMES = [...rateVariants().keys()];
const BEST = 'ε 10, μ 0.3';

/** Results of all learners on the folds of the first repeat. */
function results(measures: (learner: string, table: number, fold: number) => Partial<FoldResult>): FoldResult[] {
  return NAMES.flatMap((learner) =>
    resultsOf(learner, TABLES, (table, _, fold) => ({
      outOfFold: { balancedLogLoss: 1, softAccuracy: 0.5 },
      ...measures(learner, TABLES.indexOf(table), fold),
    })),
  ).filter(({ repeat }) => repeat === 0);
}

const cellsOf = (section: string, title: string) =>
  section
    .split('\n')
    .find((line) => line.startsWith(`| ${title} |`))
    ?.split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

it('twelve configurations are compared on five folds of seven tables, untuned rates among them', () => {
  const variants = rateVariants();
  expect(new Set([...variants.values()].map(variantHash)).size).toBe(12);
  expect(rateFolds()).toHaveLength(35);
  expect(TRIED).toHaveLength(9);
  expect(TRIED.map(({ name }) => name)).toContain(USUAL);
});

it('a pair is chosen by the training rows of its fold, never by what is tested', () => {
  // One pair has the lowest loss out of fold, and the worst answers; another one the best answers.
  const lines = results((learner, table, fold) => ({
    balancedAccuracy: learner === BEST ? 0.3 : learner === 'ε 1, μ 1' ? 0.9 : 0.5,
    outOfFold: {
      balancedLogLoss: learner === BEST ? 0.7 : 1,
      softAccuracy: learner === USUAL && table === 0 && fold === 0 ? 0.8 : learner === 'ε 3, μ 1' ? 0.6 : 0.5,
    },
  }));
  const byLoss = tunedFolds(new FoldResults(lines), 'balancedLogLoss');
  expect(byLoss).toHaveLength(35);
  expect(byLoss.every(({ chosen, line }) => chosen === BEST && line.balancedAccuracy === 0.3)).toBe(true);
  const bySoftAccuracy = tunedFolds(new FoldResults(lines), 'softAccuracy').map(({ chosen }) => chosen);
  expect(bySoftAccuracy.filter((chosen) => chosen === USUAL)).toHaveLength(1);
  expect(bySoftAccuracy.filter((chosen) => chosen === 'ε 3, μ 1')).toHaveLength(34);
});

it('the section says how much of the gain of tuning automatic rates have', () => {
  // Tuned: 4 points on three tables and 2 on four, 20/7 = 2.857 in the mean. auto: half of that.
  const lines = results((learner, table) => {
    const gain = table < 3 ? 0.04 : 0.02;
    return {
      balancedAccuracy: 0.5 + (learner === BEST ? gain : learner === AUTOMATIC ? gain / 2 : 0),
      outOfFold: { balancedLogLoss: learner === BEST ? 0.7 : 1, softAccuracy: learner === USUAL ? 0.6 : 0.5 },
    };
  });
  const section = ratesSection(lines);
  expect(cellsOf(section, 'untuned, ε 3, μ 0.1')).toEqual([...Array(7).fill('50.0'), '50.00', '–', '–']);
  // s = 1.069, t = 2.857/(1.069/√7) = 7.07 with 6 degrees of freedom: p = 0.0004, twice that
  // corrected, as two of the comparisons have a difference at all; the interval is 2.857 ± 2.447·1.069/√7.
  expect(cellsOf(section, 'tuned, by balanced log-loss')).toEqual([
    ...['54.0', '54.0', '54.0', '52.0', '52.0', '52.0', '52.0', '52.86', '+2.86 [1.87, 3.85]', '< 0.001'],
  ]);
  expect(cellsOf(section, '`auto`')?.slice(-3)).toEqual(['51.43', '+1.43 [0.93, 1.92]', '< 0.001']);
  expect(section).toContain(`Chosen by balanced log-loss: ${BEST} (35 of 35 folds).`);
  expect(section).toContain('`auto` gains +1.43 [0.93, 1.92]: 50 % of the gain of tuning.');
  expect(section).not.toContain('may itself be chance');
});

it('where tuning gains nothing for sure, the share is not to be trusted, and it says so', () => {
  const chance = results((learner, table) => ({
    balancedAccuracy: 0.5 + (learner === BEST && table === 0 ? 0.01 : 0),
    outOfFold: { balancedLogLoss: learner === BEST ? 0.7 : 1, softAccuracy: learner === USUAL ? 0.6 : 0.5 },
  }));
  expect(ratesSection(chance)).toContain('The gain of tuning may itself be chance');
  const none = results((learner) => ({
    outOfFold: { balancedLogLoss: learner === USUAL ? 0.7 : 1, softAccuracy: learner === USUAL ? 0.6 : 0.5 },
  }));
  expect(ratesSection(none)).toContain('tuning gains nothing here.');
});

it('nothing is said before all folds have results', () => {
  expect(ratesSection([])).toBe('Nothing was run yet.');
  const section = ratesSection(results(() => ({})).filter(({ learner, fold }) => learner !== AUTOMATIC || fold > 0));
  expect(section).toBe('**Not complete, so there are no conclusions yet.** Missing: auto (28 of 35 folds).');
});
