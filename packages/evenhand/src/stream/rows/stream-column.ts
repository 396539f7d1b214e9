import { UserError } from '../../user-error.js';
import { nearestName } from '../../wording/nearest-name.js';

/** A row of a stream: values by the names of columns. What is not there, null and an empty text are missing. */
export type StreamRow = Readonly<Record<string, unknown>>;

/** What a column of a stream means, for as long as the stream is learned from. */
export interface StreamColumn {
  readonly name: string;
  readonly kind: 'numeric' | 'boolean' | 'categorical';
  /** Whether an input of its own says that a number is missing. */
  readonly flagged?: boolean;
}

/** Columns that have a role, or none. */
export interface ColumnRoles {
  readonly target: string;
  readonly id?: string;
  /** Columns that are left out. */
  readonly ignore?: readonly string[];
  /** The kinds of columns that should not be told from their values. */
  readonly kinds?: Readonly<Record<string, StreamColumn['kind']>>;
}

/**
 * What the columns of a stream are, from its first rows: numeric where all values are numbers, boolean where all are true or false, else
 * categorical. A column without any value is numeric.
 *
 * @throws {@link UserError} if there is nothing to learn from, or a role names a column that is not there
 */
export function columnsOfStream(rows: readonly StreamRow[], roles: ColumnRoles): StreamColumn[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const named = [
    ...(roles.ignore ?? []),
    ...Object.keys(roles.kinds ?? {}),
    ...(roles.id === undefined ? [] : [roles.id]),
  ];
  for (const name of [roles.target, ...named]) {
    // A target may be missing for long: labels come late.
    if (names.includes(name) || (name === roles.target && roles.id !== undefined)) continue;
    const nearest = nearestName(name, names);
    const advice = nearest === undefined ? `expected one of ${names.join(', ')}` : `did you mean "${nearest}"?`;
    throw new UserError(`the first ${rows.length} rows have no column "${name}"; ${advice}`);
  }
  const left = new Set([roles.target, roles.id, ...(roles.ignore ?? [])]);
  const given = new Map(Object.entries(roles.kinds ?? {}));
  const columns = names
    .filter((name) => !left.has(name))
    .map((name) =>
      describeColumn(
        name,
        rows.map((row) => cellOf(row, name)),
        given.get(name),
      ),
    );
  if (columns.length > 0) return columns;
  throw new UserError(
    `the first ${rows.length} rows have no column beside "${roles.target}"; expected some to learn from`,
  );
}

function describeColumn(
  name: string,
  values: readonly unknown[],
  given: StreamColumn['kind'] | undefined,
): StreamColumn {
  const known = values.filter((value) => !isMissing(value));
  const kind = given ?? kindOf(known);
  return kind === 'numeric' && known.length < values.length ? { name, kind, flagged: true } : { name, kind };
}

function kindOf(known: readonly unknown[]): StreamColumn['kind'] {
  if (known.every((value) => !Number.isNaN(numberOf(value)))) return 'numeric';
  return known.every((value) => truthOf(value) !== undefined) ? 'boolean' : 'categorical';
}

/** A row's own value; a key that only its prototype has is none. */
export function cellOf(row: StreamRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Whether a value is none. */
export function isMissing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (typeof value === 'number' && !Number.isFinite(value))
  );
}

/** A number, or a text that is one; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.trim() !== '') return Number(value);
  return typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** True or false, also as text; undefined for anything else. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** The text of a class, a category or an id: numbers and truth values as they are written. */
export function textOfValue(value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}
