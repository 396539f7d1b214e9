import { checkCount, checkRate, type Schedule } from './schedule.js';

/** How {@link oneCycle} is set. */
export interface OneCycleOptions {
  /** The highest rate. */
  readonly rate: number;
  /** Steps of the whole training. */
  readonly steps: number;
  /** Part of the steps in which the rate rises. @defaultValue 0.3 */
  readonly rise?: number;
  /** The first rate is `rate / startDivisor`. @defaultValue 25 */
  readonly startDivisor?: number;
  /** The last rate is the first one divided by this. @defaultValue 10000 */
  readonly endDivisor?: number;
}

/** A rate that rises and falls once, along half a cosine each: PyTorch's `OneCycleLR` in two phases. */
export function oneCycle(options: OneCycleOptions): Schedule {
  const { rate, steps, rise = 0.3, startDivisor = 25, endDivisor = 1e4 } = options;
  checkRate('rate', rate);
  checkCount('steps', steps, 2);
  if (!(rise >= 0 && rise <= 1)) throw new RangeError(`rise is ${rise}; expected a number from 0 to 1`);
  for (const [name, divisor] of Object.entries({ startDivisor, endDivisor })) {
    if (!(divisor > 0 && Number.isFinite(divisor))) {
      throw new RangeError(`${name} is ${divisor}; expected a number above 0`);
    }
  }
  const first = rate / startDivisor;
  const [peak, last] = [rise * steps - 1, steps - 1];
  return (step) => {
    checkCount('step', step);
    if (step <= peak) return between(first, rate, peak === 0 ? 1 : step / peak);
    return between(rate, first / endDivisor, peak === last ? 1 : Math.min((step - peak) / (last - peak), 1));
  };
}

/** From `start` to `end` along half a cosine. */
function between(start: number, end: number, done: number): number {
  return end + ((start - end) * (1 + Math.cos(Math.PI * done))) / 2;
}
