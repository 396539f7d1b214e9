/** What to quote of an error: its message, or whatever was thrown in its stead. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
