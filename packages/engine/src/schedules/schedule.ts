/** A learning rate for every step, counted from 0. */
export type Schedule = (step: number) => number;

/** Settings that all schedules with a warm-up share. */
export interface WarmUp {
  /** Steps in which the rate rises evenly, from `rate / warmUp` in step 0 to `rate`. @defaultValue 0 */
  readonly warmUp?: number;
}

/** A schedule that rises to `rate` first: `rate·(step + 1)/warmUp` before `warmUp`. */
export function withWarmUp(rate: number, warmUp: number, schedule: Schedule): Schedule {
  return (step) => {
    checkCount('step', step);
    return step < warmUp ? (rate * (step + 1)) / warmUp : schedule(step);
  };
}

export function checkRate(name: string, value: number): void {
  if (!(value >= 0 && Number.isFinite(value))) throw new RangeError(`${name} is ${value}; expected a number from 0`);
}

export function checkCount(name: string, value: number, least = 0): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} is ${value}; expected an integer from ${least}`);
  }
}
