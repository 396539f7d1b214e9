import { notableNote } from '../../wording/notable-note.js';
import type { Terminal } from './terminal.js';

/** Says which of very many classes the table above shows. */
export function sayWhichClasses(terminal: Terminal, shown: number, classes: number): void {
  const note = notableNote(shown, classes);
  if (note !== '') terminal.say(`  ${note} --json has all.`);
}
