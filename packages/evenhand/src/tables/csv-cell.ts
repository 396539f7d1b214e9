/**
 * A cell of CSV. Spreadsheets take text that begins with `=`, `+`, `-`, `@`, a tab or a line break for a formula, which may
 * do anything: such text gets an apostrophe before it. Numbers, and text that is one, stay as they are.
 */
export function csvCell(value: string | number): string {
  const text = String(value);
  const isNumber = typeof value === 'number' || /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  const inert = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
