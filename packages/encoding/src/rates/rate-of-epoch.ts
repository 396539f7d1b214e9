import { checkNumber, checkShape } from '../check-arguments.js';
import { at } from '../checked-access.js';
import type { Rate, RateContext, RateFunction, RateName, RateValue } from './rate.js';
import { noiseGains } from './row-filter.js';
import { steadyPush } from './steady-push.js';

const MOST: Readonly<Record<RateName, number>> = { enhancementRate: Number.POSITIVE_INFINITY, updatingRate: 1 };

/** What `'auto'` stands for. */
export const AUTOMATIC_RATES: Readonly<Record<RateName, RateFunction>> = {
  enhancementRate: steadyPush(),
  updatingRate: noiseGains,
};

/** Refuses what is no ε or μ of an epoch. */
export function checkRateValue(value: RateValue, classes: number, name: RateName): void {
  if (typeof value !== 'object' || value === null) {
    checkNumber(value, 0, MOST[name], name);
    return;
  }
  checkShape(value, 1, classes, name);
  for (let p = 0; p < classes; p++) checkNumber(value[p], 0, MOST[name], `${name}[${p}]`);
}

/** A rate that may be kept: what its owner does to a list afterwards does not change it. */
export function checkedRate(rate: Rate, classes: number, name: RateName): Rate {
  if (typeof rate === 'function' || rate === 'auto') return rate;
  if (typeof rate === 'string') {
    throw new TypeError(`${name} is "${rate}"; expected a number, one number per class, a function or "auto"`);
  }
  checkRateValue(rate, classes, name);
  return typeof rate === 'number' ? rate : Array.from(rate);
}

/** The rate of an epoch, checked. */
export function rateNow(rate: Rate, context: RateContext, name: RateName): number | readonly number[] {
  const value = rate === 'auto' ? AUTOMATIC_RATES[name](context) : typeof rate === 'function' ? rate(context) : rate;
  checkRateValue(value, context.classes, name);
  return typeof value === 'number' ? value : Array.from(value);
}

/** The rate of each class. */
export function ratesByClass(value: RateValue, classes: number): Float64Array {
  return Float64Array.from({ length: classes }, (_, p) => (typeof value === 'number' ? value : at(value, p)));
}
