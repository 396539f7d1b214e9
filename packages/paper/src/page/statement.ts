import type { Outcome } from './tested-comparisons.js';

/**
 * What our numbers say about a statement. A table of which planned rows or seeds are missing is partial: statements about it get no verdict.
 */
export type Verdict = 'agrees' | 'disagrees' | 'cannot tell' | 'no verdict, the table is incomplete' | 'not measured';

/** A statement of the paper, as a number. */
export interface Statement {
  readonly claim: string;
  /** The definition of what was measured, and what came out. */
  readonly measured: string;
  readonly verdict: Verdict;
}

/** A verdict on something that should hold in all of some cases: one case that is surely against it is enough to disagree. */
export function verdictOnAll(outcomes: readonly Outcome[], isPartial: boolean): Verdict {
  return verdictOf(outcomes, isPartial, {
    holds: outcomes.every((outcome) => outcome === 'ahead'),
    fails: outcomes.includes('behind'),
  });
}

/** A verdict on something that should hold in most of some cases. */
export function verdictOnMost(outcomes: readonly Outcome[], isPartial: boolean): Verdict {
  const share = (which: Outcome) => outcomes.filter((outcome) => outcome === which).length / outcomes.length;
  return verdictOf(outcomes, isPartial, { holds: share('ahead') > 0.5, fails: share('behind') > 0.5 });
}

function verdictOf(
  outcomes: readonly Outcome[],
  isPartial: boolean,
  { holds, fails }: { readonly holds: boolean; readonly fails: boolean },
): Verdict {
  if (outcomes.length === 0) return 'not measured';
  if (isPartial) return 'no verdict, the table is incomplete';
  if (fails) return 'disagrees';
  return holds ? 'agrees' : 'cannot tell';
}
