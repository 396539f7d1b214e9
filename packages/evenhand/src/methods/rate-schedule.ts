import {
  AUTOMATIC_RATES,
  DEFAULT_PUSH,
  lookAhead,
  noiseGains,
  type RateFunction,
  steadyPush,
} from '@evenhand/encoding';
import { schedules } from '@evenhand/engine';
import { z } from 'zod';

/** A rate of enhancement encoding over the epochs, as JSON. */
type PlannedRate =
  /** The same in all epochs. */
  | number
  /** Rises evenly, from `rate/epochs` in the first epoch to `rate`, and stays there. */
  | { readonly kind: 'warm-up'; readonly rate: number; readonly epochs: number }
  /** Falls along half a cosine, from `rate` in the first epoch to `final` at the end of training. */
  | { readonly kind: 'cosine'; readonly rate: number; readonly final: number };

/** ε as JSON: planned, or found from what is measured. */
type EnhancementRate =
  | PlannedRate
  | 'auto'
  /** Such that the diagonal of the labels has `push` above 1 on average. */
  | { readonly kind: 'steady'; readonly push: number }
  /** The one of some candidates that a step of the last layer makes the most of. */
  | { readonly kind: 'look-ahead' };

/** μ as JSON: planned, or for each class by how noisy its measurement is. */
type UpdatingRate = PlannedRate | 'auto' | { readonly kind: 'noise' };

const PLANNED = 'a number, "auto", { "kind": "warm-up", "rate", "epochs" }, { "kind": "cosine", "rate", "final" }';

function plannedRate(rate: z.ZodNumber) {
  return [
    rate,
    z.literal('auto'),
    z.strictObject({ kind: z.literal('warm-up'), rate, epochs: z.int().min(1) }),
    z.strictObject({ kind: z.literal('cosine'), rate, final: rate.default(0) }),
  ] as const;
}

/** The schema of ε. */
export const enhancementRateOption = z.union(
  [
    ...plannedRate(z.number().min(0)),
    z.strictObject({ kind: z.literal('steady'), push: z.number().min(0).default(DEFAULT_PUSH) }),
    z.strictObject({ kind: z.literal('look-ahead') }),
  ],
  { error: `Expected ${PLANNED}, { "kind": "steady", "push" } or { "kind": "look-ahead" }` },
);

/** The schema of μ. */
export const updatingRateOption = z.union(
  [...plannedRate(z.number().min(0).max(1)), z.strictObject({ kind: z.literal('noise') })],
  { error: `Expected ${PLANNED} or { "kind": "noise" }` },
);

/**
 * ε of an epoch.
 *
 * @param epochs - of the whole training
 */
export function enhancementRateOf(rate: EnhancementRate, epochs: number): RateFunction {
  if (rate === 'auto') return AUTOMATIC_RATES.enhancementRate;
  if (typeof rate === 'number') return plannedRateOf(rate, epochs);
  if (rate.kind === 'steady') return steadyPush(rate);
  return rate.kind === 'look-ahead' ? lookAhead : plannedRateOf(rate, epochs);
}

/**
 * μ of an epoch.
 *
 * @param epochs - of the whole training
 */
export function updatingRateOf(rate: UpdatingRate, epochs: number): RateFunction {
  if (rate === 'auto') return AUTOMATIC_RATES.updatingRate;
  return typeof rate === 'object' && rate.kind === 'noise' ? noiseGains : plannedRateOf(rate, epochs);
}

function plannedRateOf(plan: PlannedRate, epochs: number): RateFunction {
  const rateOf = planOf(plan, epochs);
  return ({ epoch }) => rateOf(epoch);
}

/** From the epoch, counted from 0, to the rate. */
function planOf(plan: PlannedRate, epochs: number): (epoch: number) => number {
  if (typeof plan === 'number') return schedules.constant(plan);
  const { kind, rate } = plan;
  return kind === 'warm-up'
    ? schedules.multiStep({ rate, milestones: [], warmUp: plan.epochs })
    : schedules.cosine({ rate, final: plan.final, steps: epochs });
}
