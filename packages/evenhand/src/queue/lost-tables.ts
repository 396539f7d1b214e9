/** PostgreSQL's codes for tables, functions and schemas that are not there. */
const LOST = ['42P01', '42883', '3F000'];

/** Whether a PostgreSQL has come back without its tables. */
export function hasLostTables(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && LOST.includes(error.code);
}

/** Whether the job that something was asked of is not in the queue: BullMQ's errors have numbers for codes. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === -1;
}
