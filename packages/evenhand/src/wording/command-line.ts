/** A command to type next, with quotes where a shell needs them. */
export function commandLine(...words: readonly string[]): string {
  return ['npx', 'evenhand', ...words.map(quoted)].join(' ');
}

/** A word as a shell takes it for one. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
