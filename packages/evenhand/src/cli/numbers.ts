import type { Estimate } from '../evaluation/estimate.js';

/** 12,345 */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A share as 91.4; `–` where there is none. */
export function percent(share: number | null): string {
  return share === null ? '–' : (100 * share).toFixed(1);
}

/** `91.4 [88.0, 94.1]`, in per cent; without an interval where there is none. */
export function percentWithInterval({ value, interval }: Estimate): string {
  return interval === null ? percent(value) : `${percent(value)} [${percent(interval.low)}, ${percent(interval.high)}]`;
}

/** Seconds as 0:07 or 1:02:03. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const ending = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${ending}` : `${minutes}:${ending}`;
}
