import { NOTABLE_OF_EACH } from '../evaluation/notable-classes.js';
import { count } from './numbers.js';

/** In words, which of very many classes are shown; empty where all are. */
export function notableNote(shown: number, classes: number): string {
  if (shown === classes) return '';
  const each = NOTABLE_OF_EACH;
  return (
    `${count(shown)} of the ${count(classes)} classes are shown: the ${each} commonest, the ${each} rarest, the ${each} with the lowest ` +
    `recall, and those of the ${each} largest confusions.`
  );
}
