import { markdownTable } from '../documents/markdown-table.js';
import { points, signed } from '../numbers.js';
import { meanOf, type RowResults, reservedTop1, testTop1 } from './comparison.js';
import { AUTO, TRIED_ENHANCEMENT_RATES, TRIED_UPDATING_RATES, triedName } from './rows.js';

/** What nobody has tuned: the defaults of enhancement encoding as numbers. */
const USUAL_RATES = { enhancementRate: 3, updatingRate: 0.1 };

/** Enhancement with some rates, on the first seed of all draws. */
interface Trial {
  readonly enhancementRate: number;
  readonly updatingRate: number;
  readonly reserved: number;
  readonly test: number;
}

/** What tuning of ε and μ by the reserved images gains on the test images, and how much of that automatic rates have. */
export function triedRates(all: readonly RowResults[]): string {
  const pairs = TRIED_ENHANCEMENT_RATES.flatMap((enhancementRate) =>
    TRIED_UPDATING_RATES.map((updatingRate) => ({ enhancementRate, updatingRate })),
  );
  const draws = Math.max(...all.filter(({ row }) => row.role === 'tried').map(({ expected }) => expected));
  const trials = pairs.flatMap((rates): Trial[] => {
    const scores = scoresOf(all, triedName(rates), draws);
    return scores === null ? [] : [{ ...rates, ...scores }];
  });
  if (trials.length === 0) return '';
  return [
    `**What tuning gains.** Enhancement with other rates, given back, for the first seed of each draw. In per cent: top-1 on the reserved images / top-1 on the test images.`,
    grid(trials),
    trials.length < pairs.length
      ? `${pairs.length - trials.length} of ${pairs.length} pairs of rates do not have results for all draws, so there are no conclusions about tuning yet.`
      : verdict(trials, scoresOf(all, AUTO, draws)),
  ].join('\n\n');
}

/** Means of a row over the first seed of all draws; null if some are missing. */
function scoresOf(all: readonly RowResults[], name: string, draws: number): Pick<Trial, 'reserved' | 'test'> | null {
  const runs = all.find(({ row }) => row.name === name)?.runs.filter(({ seed }) => seed === 0) ?? [];
  const [reserved, test] = [meanOf(runs, reservedTop1), meanOf(runs, testTop1)];
  return runs.length < draws || reserved === null || test === null ? null : { reserved, test };
}

function grid(trials: readonly Trial[]): string {
  return markdownTable(
    ['ε', ...TRIED_UPDATING_RATES.map((rate) => `μ ${rate}`)],
    TRIED_ENHANCEMENT_RATES.map((enhancementRate) => [
      enhancementRate,
      ...TRIED_UPDATING_RATES.map((updatingRate) => {
        const own = trials.find((trial) => isTrialOf(trial, { enhancementRate, updatingRate }));
        return own === undefined ? '–' : `${points(own.reserved)} / ${points(own.test)}`;
      }),
    ]),
  );
}

function verdict(trials: readonly Trial[], automatic: Pick<Trial, 'reserved' | 'test'> | null): string {
  const [best] = [...trials].sort((a, b) => b.reserved - a.reserved);
  const usual = trials.find((trial) => isTrialOf(trial, USUAL_RATES));
  if (best === undefined || usual === undefined) throw new Error('internal: the usual rates are not among those tried');
  const gain = best.test - usual.test;
  const chosen =
    `Chosen by the reserved images: ${ratesText(best)}, ${points(best.test)} % on the test images. ` +
    `That is ${signed(gain)} compared with the untuned ${ratesText(usual)} (${points(usual.test)} %).`;
  if (automatic === null) return `${chosen} Automatic rates do not have results for all draws yet.`;
  const more = automatic.test - usual.test;
  const share = gain > 0 && more > 0 ? `, ${Math.round((100 * more) / gain)} % of that gain` : '';
  return `${chosen} Automatic rates reach ${points(automatic.test)} %: ${signed(more)}${share}.`;
}

function isTrialOf(trial: Trial, { enhancementRate, updatingRate }: typeof USUAL_RATES): boolean {
  return trial.enhancementRate === enhancementRate && trial.updatingRate === updatingRate;
}

function ratesText({ enhancementRate, updatingRate }: typeof USUAL_RATES): string {
  return `ε ${enhancementRate} and μ ${updatingRate}`;
}
