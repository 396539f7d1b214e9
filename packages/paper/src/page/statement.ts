/** What our numbers say about a statement. `so far`: rows or seeds are missing; `partly`: in some of the cases, or less than stated. */
export type Verdict = 'agrees' | 'agrees so far' | 'partly' | 'disagrees' | 'disagrees so far' | 'not measured';

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
  if (holding > 0 && holding < run) return 'partly';
  return asFarAsRun(holding > 0, isComplete);
}

/** A verdict on something that should hold in most of some cases. */
export function mostOf(holding: number, run: number, isComplete: boolean): Verdict {
  return run === 0 ? 'not measured' : asFarAsRun(holding > run / 2, isComplete);
}

function asFarAsRun(holds: boolean, isComplete: boolean): Verdict {
  const verdict = holds ? 'agrees' : 'disagrees';
  return isComplete ? verdict : `${verdict} so far`;
}
