/** A request that cannot be answered, and why: what the client is told. */
export class Problem extends Error {
  override readonly name = 'Problem';

  /** @param headers - of the response */
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 422 | 503,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
