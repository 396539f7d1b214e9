import { at } from '../checked-access.js';
import { type Column, type ColumnType, lengthOf } from '../dataset/column.js';
import { columnsInHeader } from '../tables/header.js';
import { UserError } from '../user-error.js';

/** What a message calls a table that is in memory. */
const TABLE = 'the table';

/** The columns of these types, found by name; others are ignored. */
export function matchColumns(types: readonly ColumnType[], columns: readonly Column[]): Column[] {
  const names = columns.map(({ name }) => name);
  const indices = columnsInHeader(
    TABLE,
    names,
    types.map(({ name }) => name),
  );
  const matched = indices.map((index) => at(columns, index));
  types.forEach((type, i) => {
    checkType(type, at(matched, i));
  });
  const uneven = matched.find((column) => lengthOf(column) !== rowsOf(matched));
  if (uneven !== undefined) {
    throw new UserError(
      `${TABLE}: the column "${uneven.name}" has ${lengthOf(uneven)} rows; expected ${rowsOf(matched)}, as in the others`,
    );
  }
  return matched;
}

/** How many rows columns have. */
export function rowsOf([first]: readonly Column[]): number {
  return first === undefined ? 0 : lengthOf(first);
}

function checkType(type: ColumnType, column: Column): void {
  if (described(type) === described(column)) return;
  throw new UserError(
    `${TABLE}: the column "${type.name}" is ${described(column)}; expected ${described(type)}, as in training`,
  );
}

/** All that must be as in training: categories may differ. */
function described(type: ColumnType): string {
  return type.kind === 'boolean' ? `boolean ("${type.texts[0]}" or "${type.texts[1]}")` : type.kind;
}
