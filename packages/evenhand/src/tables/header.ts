import { atKey } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';
import { shortened } from './cell-text.js';

/** Columns that a message lists, and letters of each. */
const SHOWN = 20;
const LONGEST_NAME = 60;

/**
 * Which columns of the header have these names.
 *
 * @throws UserError if a column has no name or the name of another, or if one of these names is not there
 */
export function columnsInHeader(file: string, header: readonly string[], names: readonly string[]): number[] {
  const columnOf = new Map<string, number>();
  for (const [column, name] of header.entries()) {
    if (name === '') throw new UserError(unnamedColumnMessage(file, column));
    const other = columnOf.get(name);
    if (other !== undefined) {
      throw new UserError(
        `${file}: the columns ${other + 1} and ${column + 1} are both named "${name}". Give every column a name of its own.`,
      );
    }
    columnOf.set(name, column);
  }
  const absent = names.filter((name) => !columnOf.has(name));
  if (absent.length > 0) throw new UserError(missingColumnsMessage(file, absent, header));
  return names.map((name) => atKey(columnOf, name));
}

/**
 * Refuses a header with other names than these: where a column may be missing, one that is misspelled would be taken for that.
 *
 * @throws UserError
 */
export function refuseUnknownColumns(file: string, header: Iterable<string>, known: readonly string[]): void {
  const names = new Set(known);
  for (const name of header) {
    if (names.has(name)) continue;
    const nearest = nearestName(name, known);
    throw new UserError(
      `${file} has the column "${shortened(name, LONGEST_NAME)}"${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}, ` +
        `which the model does not know. It knows ${listed(known)}.`,
    );
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${shortened(name, LONGEST_NAME)}"`);
  return `${shown.join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
}

function unnamedColumnMessage(file: string, column: number): string {
  const hint = column === 0 ? ' (pandas writes its index like this; index=False leaves it out)' : '';
  return `${file}: column ${column + 1} has no name in the header${hint}. Give every column a name of its own.`;
}

function missingColumnsMessage(file: string, absent: readonly string[], header: readonly string[]): string {
  const likely = header.filter((name) => name.length <= LONGEST_NAME);
  const list = absent.map((name) => {
    const nearest = nearestName(name, likely);
    return nearest === undefined ? `"${name}"` : `"${name}" (did you mean "${nearest}"?)`;
  });
  return `${file} has no ${absent.length === 1 ? 'column' : 'columns'} ${list.join(', ')}. Its columns are ${listed(header)}.`;
}
