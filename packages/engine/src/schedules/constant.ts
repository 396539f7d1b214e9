import { checkRate, type Schedule, withWarmUp } from './schedule.js';

/** The same rate at every step. */
export function constant(rate: number): Schedule {
  checkRate('rate', rate);
  return withWarmUp(rate, 0, () => rate);
}
