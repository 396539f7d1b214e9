import type { Metric } from '@evenhand/encoding';
import type { Estimate } from '../evaluation/estimate.js';

/** What stands where a number is undefined. */
export const NONE = '–';

/** `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1 seed`, `5 seeds` */
export function counted(value: number, one: string): string {
  return `${count(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** `5 draws`, or `3–5 draws` where they differ. */
export function countedRange(values: readonly number[], one: string): string {
  const [fewest, most] = [Math.min(...values), Math.max(...values)];
  return `${fewest === most ? '' : `${fewest}–`}${counted(most, one)}`;
}

/** A share as a number of per cent, for a column that says so: `93.4`. */
export function inPercent(share: number | null): string {
  return share === null ? NONE : (100 * share).toFixed(1);
}

/** A share: `93.4 %`. */
export function percent(share: number | null): string {
  return share === null ? NONE : `${inPercent(share)} %`;
}

/** `91.4 [88.0, 94.1]`, in per cent; without an interval where there is none. */
export function inPercentWithInterval({ value, interval }: Estimate): string {
  return interval === null
    ? inPercent(value)
    : `${inPercent(value)} [${inPercent(interval.low)}, ${inPercent(interval.high)}]`;
}

/** `90.1–94.0 %`; empty where there is no interval. */
export function intervalInPercent({ interval }: Estimate): string {
  return interval === null ? '' : `${inPercent(interval.low)}–${inPercent(interval.high)} %`;
}

/** A metric with three decimals. */
export function decimal({ value }: Metric | Estimate): string {
  return value === null ? NONE : value.toFixed(3);
}

/** An amount, such as a cost, with four significant digits at most: `0.1234`, `12,345`. */
export function amount(value: number | null): string {
  if (value === null) return NONE;
  return Math.abs(value) >= 1000 ? count(value) : String(Number(value.toPrecision(4)));
}

/** A difference of shares in percentage points, with its sign: `+1.2`. */
export function pointsOf(difference: number): string {
  return `${difference < 0 ? '−' : '+'}${inPercent(Math.abs(difference))}`;
}

/** `1.2 GB`, `340 MB`, `12 kB`: an amount of memory or storage. */
export function inBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return `${(bytes / size).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}

/** Seconds as 0:07 or 1:02:03. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const ending = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${ending}` : `${minutes}:${ending}`;
}
