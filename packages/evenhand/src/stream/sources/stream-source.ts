import type { z } from 'zod';
import { UserError } from '../../user-error.js';
import type { StreamRow } from '../rows/stream-column.js';

/** A record of a source: a row, or why there is none. */
export interface SourceRecord {
  readonly row?: StreamRow;
  /** What is wrong with a record that is no row. */
  readonly damage?: string;
  /** What people call it: `line 17`. */
  readonly name: string;
  /** Where the source goes on behind it. */
  readonly position: string;
}

/** Where rows come from. */
export interface StreamSource {
  /** What messages call it. */
  readonly name: string;
  /**
   * Records in their order, as many at a time as are there.
   *
   * @param position - of the record that was taken last; undefined at the beginning
   * @param signal - ends the waiting for more, without an error
   */
  records(position: string | undefined, signal: AbortSignal): AsyncIterable<readonly SourceRecord[]>;
}

/**
 * A position as it was saved.
 *
 * @param name - of the source
 * @throws {@link UserError} if it was saved by a source of another kind
 */
export function parsePosition<Position>(schema: z.ZodType<Position>, position: string, name: string): Position {
  const { data, error } = schema.safeParse(JSON.parse(position));
  if (error === undefined) return data;
  throw new UserError(
    `the stream in this folder was read from a source of another kind, and its position means nothing in ${name}; name that source, or begin a new stream in another folder`,
    { cause: error },
  );
}
