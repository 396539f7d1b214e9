/**
 * What our numbers say about a statement. `agrees so far`: in all cases that were run, but some are missing; `partly`: in some
 * of the cases, or less than stated.
 */
export type Verdict = 'agrees' | 'agrees so far' | 'partly' | 'disagrees' | 'not measured';

/** A statement of the paper, as a number. */
export interface Statement {
  readonly claim: string;
  /** The definition of what was measured, and what came out. */
  readonly measured: string;
  readonly verdict: Verdict;
}

/** A verdict on something that should hold in all of some cases, of which not all may have been run. */
export function allOf(holding: number, run: number, cases: number): Verdict {
  if (run === 0) return 'not measured';
  if (holding < run) return holding === 0 ? 'disagrees' : 'partly';
  return run < cases ? 'agrees so far' : 'agrees';
}

/** A verdict on something that should hold in most of some cases. */
export function mostOf(holding: number, run: number, cases: number): Verdict {
  if (run === 0) return 'not measured';
  if (holding <= run / 2) return 'disagrees';
  return holding > cases / 2 ? 'agrees' : 'agrees so far';
}
