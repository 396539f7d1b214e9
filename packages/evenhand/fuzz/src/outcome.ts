import type { CaseName } from './fuzz-case.js';

/** What became of a case: the file was read, it was refused with an error for people, or something is wrong with the reader. */
export type Outcome = { readonly kind: 'read' | 'refused' } | { readonly kind: 'finding'; readonly what: string };

/** What a process says of a case. */
export interface Answer {
  readonly outcome: Outcome;
  /** The most memory that the process ever had, in MB. */
  readonly megabytes: number;
}

/** What a process is told. */
export type Order = Pick<CaseName, 'reader' | 'number'>;
