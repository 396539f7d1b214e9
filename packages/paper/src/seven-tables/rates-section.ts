import { comparePaired, type PairedComparison } from 'evenhand/evaluation';
import { NONE } from 'evenhand/report';
import { at } from '../checked-access.js';
import { markdownTable } from '../documents/markdown-table.js';
import { type WrittenBlock, writeBlock } from '../documents/written-block.js';
import { holmCorrected } from '../holm.js';
import { points, probability, signed } from '../numbers.js';
import { type FoldResult, FoldResults } from './fold-results.js';
import { AUTOMATIC, LOOK_AHEAD, ONE_HOT, rateFolds, rateVariants, type TunedFold, tunedFolds, USUAL } from './rates.js';
import { SEVEN_TABLES } from './tables.js';

/** The part of `docs/rates.md` that is written from the results. */
export const RATES_BLOCK: WrittenBlock = {
  name: 'rates on tables',
  writtenBy: '`npm run tables -- --rates` from the lines of results/tables/rates.jsonl',
};

/** Writes what automatic rates are worth on tables into the page about them. */
export async function writeRatesSection(file: string, lines: readonly FoldResult[]): Promise<void> {
  await writeBlock(file, RATES_BLOCK, ratesSection(lines));
}

/** Below this, a difference is called more than chance. */
const SIGNIFICANT = 0.05;

/** A way to have rates, with its results on all folds. */
interface Contender {
  readonly title: string;
  readonly lines: readonly FoldResult[];
}

/** A table and what it says, as Markdown. Nothing is said before all folds have results. */
export function ratesSection(lines: readonly FoldResult[]): string {
  const results = new FoldResults(lines);
  const folds = rateFolds();
  const short = [...rateVariants().keys()].flatMap((name) => {
    const known = results.of(name, folds).length;
    return known === folds.length ? [] : [`${name} (${known} of ${folds.length} folds)`];
  });
  if (short.length > 0) {
    return lines.length === 0
      ? 'Nothing was run yet.'
      : `**Not complete, so there are no conclusions yet.** Missing: ${short.join('; ')}.`;
  }
  const named = (title: string, name: string): Contender => ({ title, lines: results.of(name, folds) });
  const tuned = tunedFolds(results, 'balancedLogLoss');
  const bySoftAccuracy = tunedFolds(results, 'softAccuracy');
  const usual = named(`untuned, ${USUAL}`, USUAL);
  const others = [
    { title: 'tuned, by balanced log-loss', lines: tuned.map(({ line }) => line) },
    { title: 'tuned, by soft accuracy', lines: bySoftAccuracy.map(({ line }) => line) },
    named('`auto`', AUTOMATIC),
    named('ε by looking ahead, μ `auto`', LOOK_AHEAD),
    named('one-hot', ONE_HOT),
  ];
  const gains = others.map((other) => comparePaired(tableMeans(other), tableMeans(usual)));
  return [
    'Balanced accuracy on [the seven tables](tables.md), in per cent: packs of eight perceptrons, five-fold cross-validation. A ' +
      'tuned pair is the best of nine (ε 1, 3 or 10; μ 0.1, 0.3 or 1) on the training rows of its fold, each measured by the network that has not seen it; ' +
      'the test rows play no part in it. Differences are paired by table, with 95 % intervals; p comes from the t-test over tables, corrected for the five comparisons (Holm).',
    comparison(usual, others, gains),
    `Chosen by balanced log-loss: ${chosenText(tuned)}. By soft accuracy: ${chosenText(bySoftAccuracy)}.`,
    verdict(gains),
  ].join('\n\n');
}

function comparison(usual: Contender, others: readonly Contender[], gains: readonly PairedComparison[]): string {
  const corrected = holmCorrected(gains.map(({ tTest }) => tTest.value));
  const tables = Object.keys(SEVEN_TABLES);
  const rowOf = (contender: Contender, ...more: string[]) => {
    const means = tableMeans(contender);
    return [contender.title, ...means.map((mean) => mean.toFixed(1)), points(meanOf(means)), ...more];
  };
  return markdownTable(
    ['rates', ...tables, 'mean', 'vs. untuned', 'p'],
    [
      rowOf(usual, NONE, NONE),
      ...others.map((other, i) => rowOf(other, intervalText(at(gains, i)), pText(at(corrected, i)))),
    ],
  );
}

/** How much of what tuning gains automatic rates have. */
function verdict(gains: readonly PairedComparison[]): string {
  const [byLoss, bySoftAccuracy, automatic] = gains;
  if (byLoss === undefined || bySoftAccuracy === undefined || automatic === undefined) {
    throw new Error('internal: tuned and automatic rates are not among those compared');
  }
  const better = byLoss.meanDifference >= bySoftAccuracy.meanDifference ? byLoss : bySoftAccuracy;
  const tuning = `The better of the two ways to tune gains ${intervalText(better)} percentage points over the untuned rates, \`auto\` gains ${intervalText(automatic)}`;
  if (better.meanDifference <= 0) return `${tuning}: tuning gains nothing here.`;
  const share = Math.round((100 * automatic.meanDifference) / better.meanDifference);
  const had = share > 0 ? `${share} %` : 'nothing';
  const isSure = better.tTest.value !== null && better.tTest.value < SIGNIFICANT;
  const caution = isSure ? '' : ' The gain of tuning may itself be chance: its interval contains 0.';
  return `${tuning}: ${had} of the gain of tuning.${caution}`;
}

function chosenText(folds: readonly TunedFold[]): string {
  const counts = new Map<string, number>();
  for (const { chosen } of folds) counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([pair, count]) => `${pair} (${count} of ${folds.length} folds)`)
    .join('; ');
}

/** Mean balanced accuracy of each table over its folds, in per cent. */
function tableMeans({ lines }: Contender): number[] {
  return Object.keys(SEVEN_TABLES).map((table) =>
    meanOf(lines.filter((line) => line.table === table).map((line) => 100 * line.balancedAccuracy)),
  );
}

function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function pText(value: number | null): string {
  return value === null ? NONE : probability({ value });
}

/** `+0.72 [0.31, 1.13]` */
function intervalText({ meanDifference, interval }: PairedComparison): string {
  if (interval === null) return signed(meanDifference);
  return `${signed(meanDifference)} [${points(interval.low)}, ${points(interval.high)}]`;
}
