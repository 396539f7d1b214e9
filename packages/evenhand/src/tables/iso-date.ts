/** `2024-02-29`, `2024-02-29T13:45`, `2024-02-29 13:45:59.123`, the latter two also with `Z`, `+01:00`, `+0100` or `+01`. */
const ISO_DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date or date-time, or null if the text is neither. Without a time it is midnight,
 * without a zone UTC; finer parts of a second than milliseconds are cut off.
 */
export function parseIsoDate(text: string): number | null {
  const match = ISO_DATE.exec(text);
  if (match === null) return null;
  const part = (group: number): number => Number(match[group] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return null;
  // Date.UTC takes years below 100 for those of the last century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The 30th of February has become another day.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const ahead = (part(9) * 60 + part(10)) * (match[8] === '-' ? -1 : 1);
  return date.getTime() + ((hour * 60 + minute - ahead) * 60 + second) * 1000 + milliseconds;
}
