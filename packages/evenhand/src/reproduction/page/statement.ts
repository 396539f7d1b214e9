/**
 * What our numbers say about a statement. `agrees so far`: in all that was run, but rows or seeds are missing; `partly`: in some
 * of the cases, or less than stated; `undecided`: too little was run to tell.
 */
export type Verdict = 'agrees' | 'agrees so far' | 'partly' | 'disagrees' | 'undecided' | 'not measured';

/** A statement of the paper, as a number. */
export interface Statement {
  readonly claim: string;
  /** The definition of what was measured, and what came out. */
  readonly measured: string;
  readonly verdict: Verdict;
}

/** A verdict on something that should hold in all of some cases; `isComplete` if all of them were run with all seeds. */
export function allOf(holding: number, run: number, isComplete: boolean): Verdict {
  if (run === 0) return 'not measured';
  if (holding < run) return holding === 0 ? 'disagrees' : 'partly';
  return isComplete ? 'agrees' : 'agrees so far';
}

/** A verdict on something that should hold in most of some cases. */
export function mostOf(holding: number, run: number, cases: number): Verdict {
  if (run === 0) return 'not measured';
  if (holding > cases / 2) return 'agrees';
  if (run - holding >= cases / 2) return 'disagrees';
  return holding > run / 2 ? 'agrees so far' : 'undecided';
}
