import type { RunSummary } from 'evenhand/studio';
import type { CellValue, Column } from './columns.js';

/** Whether a run is shown. */
export type Filter = (run: RunSummary) => boolean;

const COMPARISON = /^([\w.-]+)(>=|<=|!=|=|>|<|:)(.*)$/;

/**
 * Makes a filter of words: each must fit. `fraud` is somewhere in the name, data, method, model, tags or note; `method=enhancement`,
 * `balancedAccuracy>0.8` and `optimizer.learningRate<=0.01` compare a column, `folder:sweep` looks for a part of it. A share may be written
 * in per cent: `accuracy>80%`. Quotes hold words together.
 *
 * @returns the filter, and the words that name no column
 */
export function parseFilter(
  text: string,
  columns: readonly Column[],
): { readonly filter: Filter; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const filters = wordsOf(text).map((word): Filter => {
    const [, key, sign, wanted = ''] = COMPARISON.exec(word) ?? [];
    if (key === undefined || sign === undefined) return contains(word);
    const column = columns.find((one) => one.key.toLowerCase() === key.toLowerCase());
    if (column === undefined) {
      unknown.push(key);
      return () => true;
    }
    return (run) => compares(column.value(run), sign, wanted);
  });
  return { filter: (run) => filters.every((filter) => filter(run)), unknown };
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)].map(([word]) => word.replaceAll('"', ''));
}

function contains(word: string): Filter {
  const wanted = word.toLowerCase();
  return ({ name, dataset, method, model, tags, note, state }) =>
    [name, dataset, method, model, state, note, ...tags].some((text) => text.toLowerCase().includes(wanted));
}

function compares(value: CellValue, sign: string, wanted: string): boolean {
  if (sign === ':')
    return String(value ?? '')
      .toLowerCase()
      .includes(wanted.toLowerCase());
  if (value === null) return sign === '!=' ? wanted !== '' : sign === '=' && wanted === '';
  const number = numberOf(wanted);
  const order =
    typeof value === 'number' && number !== undefined
      ? value - number
      : value.toString().toLowerCase().localeCompare(wanted.toLowerCase(), 'en', { numeric: true });
  switch (sign) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    default:
      return order <= 0;
  }
}

function numberOf(text: string): number | undefined {
  const [, digits, sign] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(%?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (Number.isNaN(value)) return undefined;
  return sign === '%' ? value / 100 : value;
}
