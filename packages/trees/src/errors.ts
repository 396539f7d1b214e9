/** Data or options that trees cannot be trained or used with. The message says what was expected and what came. */
export class TreesError extends Error {
  override readonly name = 'TreesError';
}
