import type { Metric } from '@evenhand/encoding';
import type { Estimate } from '../evaluation/estimate.js';

/** What stands where a number is undefined. */
export const NONE = '–';

/** A share as per cent: `93.4 %`. */
export function percent(share: number | null): string {
  return share === null ? NONE : `${(100 * share).toFixed(1)} %`;
}

/** `90.1–94.0 %`; empty where there is no interval. */
export function intervalOf({ interval }: Estimate): string {
  return interval === null ? '' : `${(100 * interval.low).toFixed(1)}–${(100 * interval.high).toFixed(1)} %`;
}

/** A metric with three decimals. */
export function decimal({ value }: Metric | Estimate): string {
  return value === null ? NONE : value.toFixed(3);
}

/** `12,345` */
export function whole(count: number): string {
  return count.toLocaleString('en-GB');
}
