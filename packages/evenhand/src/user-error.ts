/** What a program may want to know of a {@link UserError}. */
export interface UserErrorDetails extends ErrorOptions {
  /** The options of the configuration that it is about, dotted: `data.target`. The command line names their flags. */
  readonly options?: readonly string[];
}

/**
 * Something that the user gave, a file, a column, an option, cannot be used. The message is for people: it names the file,
 * row or option, says what was expected and what to do. Commands print it without a stack trace. Nothing else is one: a bug
 * of ours is a plain `Error` that begins with `internal:`, and training that diverges is a result.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly options: readonly string[];

  constructor(message: string, { options = [], ...details }: UserErrorDetails = {}) {
    super(message, details);
    this.options = options;
  }
}
