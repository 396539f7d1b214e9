/** What stands where there is no number. */
export const NONE = '–';

/** `93.4 %` */
export function percent(share: number | null | undefined): string {
  return share == null ? NONE : `${(100 * share).toFixed(1)} %`;
}

/** `12,345` */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 run`, `5 runs` */
export function counted(value: number, one: string): string {
  return `${count(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** A number with four digits that matter at most. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** The value of an option. */
export function optionText(value: string | number | boolean | null | undefined): string {
  if (value == null) return NONE;
  return typeof value === 'number' ? short(value) : String(value);
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `5 minutes ago`; a date beyond a month. */
export function ago(time: number, now = Date.now()): string {
  const seconds = (now - time) / 1000;
  if (seconds > 30 * 86_400) return new Date(time).toISOString().slice(0, 10);
  const step = STEPS.find(([, size]) => seconds >= size);
  return step === undefined ? 'just now' : relative.format(-Math.floor(seconds / step[1]), step[0]);
}
