import { schedules } from '@evenhand/engine';
import { z } from 'zod';

/** A rate of enhancement encoding over the epochs, as JSON. */
type RateSchedule =
  /** The same in all epochs. */
  | number
  /** Rises evenly, from `rate/epochs` in the first epoch to `rate`, and stays there. */
  | { readonly kind: 'warm-up'; readonly rate: number; readonly epochs: number }
  /** Falls along half a cosine, from `rate` in the first epoch to `final` at the end of training. */
  | { readonly kind: 'cosine'; readonly rate: number; readonly final: number };

/** The schema of a {@link RateSchedule}, from that of a rate. */
export function rateScheduleOption(rate: z.ZodNumber) {
  return z.union(
    [
      rate,
      z.strictObject({ kind: z.literal('warm-up'), rate, epochs: z.int().min(1) }),
      z.strictObject({ kind: z.literal('cosine'), rate, final: rate.default(0) }),
    ],
    { error: 'Expected a number, { "kind": "warm-up", "rate", "epochs" } or { "kind": "cosine", "rate", "final" }' },
  );
}

/**
 * From the epoch, counted from 0, to the rate.
 *
 * @param epochs - of the whole training
 */
export function rateOfEpoch(schedule: RateSchedule, epochs: number): (epoch: number) => number {
  if (typeof schedule === 'number') return schedules.constant(schedule);
  const { kind, rate } = schedule;
  return kind === 'warm-up'
    ? schedules.multiStep({ rate, milestones: [], warmUp: schedule.epochs })
    : schedules.cosine({ rate, final: schedule.final, steps: epochs });
}
