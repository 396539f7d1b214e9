import { checkCount, checkRate, type Schedule, type WarmUp, withWarmUp } from './schedule.js';

/** How {@link multiStep} is set. */
export interface MultiStepOptions extends WarmUp {
  readonly rate: number;
  /** Steps at which the rate falls, in rising order, counted from the start of training. */
  readonly milestones: readonly number[];
  /** What the rate is multiplied by at each milestone. @defaultValue 0.1 */
  readonly factor?: number;
}

/** A rate that falls in stairs: `rate·factorᵏ` after the k-th milestone. */
export function multiStep({ rate, milestones, factor = 0.1, warmUp = 0 }: MultiStepOptions): Schedule {
  checkRate('rate', rate);
  checkRate('factor', factor);
  checkCount('warmUp', warmUp);
  milestones.forEach((milestone, i) => {
    checkCount(`milestones[${i}]`, milestone, Math.max(warmUp, (milestones[i - 1] ?? -1) + 1));
  });
  return withWarmUp(
    rate,
    warmUp,
    (step) => rate * factor ** milestones.filter((milestone) => step >= milestone).length,
  );
}
