import type { Config } from '../../../config/schema.js';
import { DECIMAL_MARKS } from '../../../tables/decimal-mark.js';
import { DELIMITERS } from '../../../tables/delimiter.js';
import { quoted } from '../../../wording/command-line.js';
import { flagOf } from '../../options/flags.js';
import type { CheckedColumn } from './data-check.js';

/** Of more columns, only types that a person has given are listed. */
const MOST_LISTED = 20;

/** The words on a command line that say how a table is read: as it was found, or as the configuration has it. */
export function readingFlags(
  data: Config['data'],
  columns: readonly CheckedColumn[],
  writing: { readonly delimiter: string; readonly decimalMark: string } | undefined,
): string[] {
  const listed = columns.length <= MOST_LISTED ? columns : columns.filter(({ name }) => isGiven(data, name));
  const leftOut = columns.filter(({ used, name }) => !used && name !== data.group).map(({ name }) => name);
  const ignored = [...(data.ignore ?? []), ...leftOut].filter((name) => !name.includes(','));
  return [
    ...(writing === undefined
      ? []
      : [
          flagOf('data.delimiter'),
          nameOf(DELIMITERS, writing.delimiter),
          flagOf('data.decimal'),
          nameOf(DECIMAL_MARKS, writing.decimalMark),
        ]),
    ...(ignored.length === 0 ? [] : [flagOf('data.ignore'), ignored.join(',')]),
    // There is no word for yes and no: they are found by themselves.
    ...listed.flatMap(({ name, kind, used }) =>
      used && kind !== 'boolean' ? [flagOf('data.types'), `${name}=${kind}`] : [],
    ),
  ];
}

/** Those that were given, for the next command. */
export function givenReadingFlags({ ignore, types, invalidCells, delimiter, decimal }: Config['data']): string[] {
  return [
    ...(ignore === undefined ? [] : [flagOf('data.ignore'), ignore.join(',')]),
    ...Object.entries(types ?? {}).flatMap(([name, type]) => [flagOf('data.types'), `${name}=${type}`]),
    ...(invalidCells === undefined ? [] : [flagOf('data.invalidCells'), invalidCells]),
    ...(delimiter === undefined ? [] : [flagOf('data.delimiter'), delimiter]),
    ...(decimal === undefined ? [] : [flagOf('data.decimal'), decimal]),
  ];
}

/** Words with quotes where a shell needs them. */
export function asTyped(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function isGiven({ types = {} }: Config['data'], name: string): boolean {
  return Object.hasOwn(types, name);
}

function nameOf(names: Readonly<Record<string, string>>, mark: string): string {
  return Object.keys(names).find((name) => names[name] === mark) ?? mark;
}
