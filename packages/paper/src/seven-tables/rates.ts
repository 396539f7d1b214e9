import type { Variant } from './fold-job.js';
import type { FoldKey, FoldResult, FoldResults } from './fold-results.js';
import { FOLDS } from './folds.js';
import { keysOf } from './selection.js';
import { SEVEN_TABLES } from './tables.js';

/** ε and μ that somebody who tunes would try. */
const TRIED_ENHANCEMENT_RATES = [1, 3, 10];
const TRIED_UPDATING_RATES = [0.1, 0.3, 1];

/** A configuration of enhancement encoding, or of one-hot labels. */
interface RateLearner {
  /** What results call it. */
  readonly name: string;
  readonly variant: Variant;
}

/** Perceptrons with a norm before the softmax, measured out of fold, whose answers are fitted by default. */
const PACK: Variant = { model: { name: 'mlp', logitNorm: true }, folds: 8 };

export const ONE_HOT = 'one-hot';
export const AUTOMATIC = 'auto';
export const LOOK_AHEAD = 'look-ahead';
/** What nobody has tuned. */
export const USUAL = pairName(3, 0.1);

/** Every pair of the grid. */
export const TRIED: readonly RateLearner[] = TRIED_ENHANCEMENT_RATES.flatMap((enhancementRate) =>
  TRIED_UPDATING_RATES.map((updatingRate) => ({
    name: pairName(enhancementRate, updatingRate),
    variant: { ...PACK, method: { name: 'enhancement', enhancementRate, updatingRate } },
  })),
);

const OTHERS: readonly RateLearner[] = [
  { name: ONE_HOT, variant: { ...PACK, method: { name: 'one-hot' } } },
  {
    name: AUTOMATIC,
    variant: { ...PACK, method: { name: 'enhancement', enhancementRate: 'auto', updatingRate: 'auto' } },
  },
  {
    name: LOOK_AHEAD,
    variant: {
      ...PACK,
      method: { name: 'enhancement', enhancementRate: { kind: 'look-ahead' }, updatingRate: 'auto' },
    },
  },
];

/** The name of enhancement with two numbers. */
function pairName(enhancementRate: number, updatingRate: number): string {
  return `ε ${enhancementRate}, μ ${updatingRate}`;
}

/** All of them by name; those that are not of the grid first. */
export function rateVariants(): ReadonlyMap<string, Variant> {
  return new Map([...OTHERS, ...TRIED].map(({ name, variant }) => [name, variant]));
}

/** The folds that they are compared on: each row of the seven tables is tested once. */
export function rateFolds(): FoldKey[] {
  return keysOf(
    Object.keys(SEVEN_TABLES),
    1,
    Array.from({ length: FOLDS }, (_, fold) => fold),
  );
}

/** What a pair can be chosen by: both are of the training rows of a fold, each by the network that has not seen it. */
export type Criterion = 'balancedLogLoss' | 'softAccuracy';

/** A fold on which a pair was chosen. */
export interface TunedFold {
  /** The name of the pair. */
  readonly chosen: string;
  readonly line: FoldResult;
}

/**
 * What somebody has who tries the whole grid on the training rows of each fold and takes the pair that is best on them, out of fold. The test
 * rows have no part in the choice. Folds that some pair has no result of are left out.
 */
export function tunedFolds(results: FoldResults, criterion: Criterion): TunedFold[] {
  return rateFolds().flatMap((key) => {
    const scored = TRIED.flatMap(({ name }) =>
      results.of(name, [key]).flatMap((line) => {
        const score = scoreOf(line, criterion);
        return score === undefined ? [] : [{ chosen: name, line, score }];
      }),
    );
    const [best] = scored.sort((a, b) => b.score - a.score);
    return best === undefined || scored.length < TRIED.length ? [] : [best];
  });
}

/** Higher is better. */
function scoreOf({ outOfFold }: FoldResult, criterion: Criterion): number | undefined {
  if (outOfFold === undefined) return undefined;
  return criterion === 'balancedLogLoss' ? -outOfFold.balancedLogLoss : outOfFold.softAccuracy;
}
