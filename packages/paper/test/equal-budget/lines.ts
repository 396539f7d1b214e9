import type { RunLine } from '../../src/equal-budget/run-lines.js';
import { ALL_RUNS, type BudgetRun, budgetRuns } from '../../src/equal-budget/runs.js';

/** What a made-up run got right, as shares. */
export interface MadeUp {
  readonly reserved: number;
  readonly test: number;
}

/** Lines of all runs. */
export function linesOf(scores: (run: BudgetRun) => MadeUp): RunLine[] {
  return budgetRuns(ALL_RUNS).map((run) => {
    const own = scores(run);
    const part = (top1: number) => ({ top1, recall: Array.from({ length: 10 }, (_, p) => (p < 7 ? 1 : top1 / 2)) });
    return { ...run, reserved: part(own.reserved), test: part(own.test), seconds: 1 };
  });
}
