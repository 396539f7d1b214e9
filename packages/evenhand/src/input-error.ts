/**
 * Something that the user gave, a file, a column, an option, cannot be used. The message is for people: it names the file,
 * row or option, says what was expected and what to do. Commands print it without a stack trace.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}
