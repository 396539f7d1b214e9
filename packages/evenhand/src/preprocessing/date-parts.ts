import type { DatePart } from './preprocessing.js';

/** Milliseconds of a day. */
export const DAY = 86_400_000;

/** Days of a cycle, and whether a part is the sine or the cosine of a date's angle on it. */
interface Cycle {
  readonly days: number;
  readonly wave: 'Sin' | 'Cos';
}

/** The parts that are points on a circle. A Gregorian year has 365.2425 days on average. */
export const CYCLES: Readonly<Record<Exclude<DatePart, 'day'>, Cycle>> = {
  'sine of year': { days: 365.2425, wave: 'Sin' },
  'cosine of year': { days: 365.2425, wave: 'Cos' },
  'sine of week': { days: 7, wave: 'Sin' },
  'cosine of week': { days: 7, wave: 'Cos' },
  'sine of day': { days: 1, wave: 'Sin' },
  'cosine of day': { days: 1, wave: 'Cos' },
};

/** The parts that tell apart the dates of a column; the time of the day only where it is not always the same. */
export function datePartsFor(times: Iterable<number>): readonly DatePart[] {
  const parts: DatePart[] = ['day', 'sine of year', 'cosine of year', 'sine of week', 'cosine of week'];
  return hasSeveralTimesOfDay(times) ? [...parts, 'sine of day', 'cosine of day'] : parts;
}

function hasSeveralTimesOfDay(times: Iterable<number>): boolean {
  let first: number | undefined;
  for (const time of times) {
    if (!Number.isFinite(time)) continue;
    const timeOfDay = ((time % DAY) + DAY) % DAY;
    first ??= timeOfDay;
    if (timeOfDay !== first) return true;
  }
  return false;
}

/** Reads a part off dates. `day`: days since 1970; others: sine or cosine of `2π·(days mod cycle)/cycle`. NaN of NaN. */
export function datePartReader(part: DatePart): (milliseconds: number) => number {
  if (part === 'day') return (milliseconds) => milliseconds / DAY;
  const { days: cycle, wave } = CYCLES[part];
  const angle = (milliseconds: number) => (((milliseconds / DAY) % cycle) / cycle) * (2 * Math.PI);
  return wave === 'Sin' ? (time) => Math.sin(angle(time)) : (time) => Math.cos(angle(time));
}
